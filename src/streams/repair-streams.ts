/**
 * Verifies all streams again and clears damage marks that no longer apply. On request it also gives up missing segments
 * and truncates streams at damaged bytes, and reports the lost bytes. Idempotent.
 */
import { formatOffset, type Position } from './offset.js';
import type { StreamKey, StreamState } from './stream-store.js';
import { type Inspection, inspectStream, listStreams, type StoredStreams } from './verify-streams.js';

export interface StreamRepairs {
  clearDamage(stream: StreamKey): Promise<void>;
  giveUpChunk(stream: StreamKey, chunk: number): Promise<void>;
  cutOff(stream: StreamKey, from: Position): Promise<void>;
}

export interface RepairRequest {
  readonly giveUpMissing: boolean;
  readonly cutDamaged: boolean;
}

export interface Repaired {
  readonly id: string;
  readonly done: 'mark_cleared' | 'segment_given_up' | 'tail_cut_off' | 'nothing';
  /** Counts only this stream's own bytes, not those of its forks. */
  readonly lostBytes: number;
  readonly from?: string;
  /** The remaining problem, if nothing was done. */
  readonly left?: 'missing' | 'damaged';
}

interface Deps extends StoredStreams {
  readonly repairs: StreamRepairs;
}

export async function* repairStreams(deps: Deps, request: RepairRequest): AsyncGenerator<Repaired> {
  for await (const state of listStreams(deps)) yield* giveUp(deps, state, request);
  // Only after the first pass are the ancestors of every fork in their final state.
  for await (const state of listStreams(deps)) yield* clearOrReport(deps, state);
}

async function* giveUp(deps: Deps, state: StreamState, request: RepairRequest): AsyncGenerator<Repaired> {
  const found = await inspectStream(deps, state);
  const { id, life, hash } = state;
  const own = found.missing.filter(({ owner }) => owner.life === life);
  for (const { chunk, lo, hi } of request.giveUpMissing ? own : []) {
    await deps.repairs.giveUpChunk(state, chunk);
    const from = formatOffset(hash, { chunk, position: lo });
    yield { id, done: 'segment_given_up', lostBytes: hi - lo, from };
  }
  const { damage } = found;
  if (!request.cutDamaged || damage?.holder.life !== life) return;
  const lostBytes = ownBytesAfter(state, found, damage.from);
  await deps.repairs.cutOff(state, damage.from);
  yield { id, done: 'tail_cut_off', lostBytes, from: formatOffset(hash, damage.from) };
}

async function* clearOrReport(deps: Deps, state: StreamState): AsyncGenerator<Repaired> {
  const { id } = state;
  const { damage, missing } = await inspectStream(deps, state);
  const left = damage ? 'damaged' : missing.length > 0 ? 'missing' : undefined;
  if (left) yield { id, done: 'nothing', lostBytes: 0, left };
  else if (state.corruptFrom) {
    await deps.repairs.clearDamage(state);
    yield { id, done: 'mark_cleared', lostBytes: 0 };
  }
}

function ownBytesAfter({ life }: StreamState, { spans }: Inspection, from: Position): number {
  const own = spans.filter(({ owner, chunk }) => owner.life === life && chunk >= from.chunk);
  return own.reduce(
    (sum, { chunk, lo, hi }) => sum + hi - (chunk === from.chunk ? Math.max(lo, from.position) : lo),
    0,
  );
}
