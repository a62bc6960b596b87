/** Assigns an envelope to a comparison, a side and a sample. A provider leaves these to its caller. */
import type { Side, SignalEnvelope } from './signal-envelope.js';

export interface EnvelopeIdentity {
  readonly comparisonId: string;
  readonly side: Side;
  readonly sample?: number;
}

/** The same for every attempt, so that a retried step overwrites its row instead of adding another. */
export function probeIdOf(comparisonId: string, side: Side): string {
  return `${comparisonId}:${side}`;
}

export function identifyEnvelope(envelope: SignalEnvelope, identity: EnvelopeIdentity): SignalEnvelope {
  const { comparisonId, side, sample } = identity;
  const { schemaVersion, comparisonId: _, probeId: __, side: ___, ...rest } = envelope;
  const probeId = probeIdOf(comparisonId, side);
  const named = { schemaVersion, comparisonId, probeId, side };
  return Object.assign(named, rest, sample !== undefined && { sample });
}
