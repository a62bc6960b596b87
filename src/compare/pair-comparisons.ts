/** Creates comparisons of a pair, and maps envelopes to rows and rows to the states that callers see. */
import { SondeError } from '../errors.js';
import type { Side, SignalEnvelope } from '../probe/index.js';
import {
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStatus,
  type ComparisonStore,
  type RunJob,
  type SealedSides,
} from './comparison-store.js';
import { type PairIdentity, pairKeyIn, pairKeyOf } from './pair-key.js';

export interface ComparisonState {
  readonly status: ComparisonStatus;
  readonly result?: unknown;
  readonly error?: string;
}

export interface NewPairComparison {
  /** Must belong to the pair of the two URLs. */
  readonly comparisonId: string;
  /** Returns the form of a URL that may be stored. */
  readonly redactUrl: (url: string) => string;
  readonly optionsJson?: string;
  /** Default: none. */
  readonly suiteId?: string;
  /** The job to queue with it. */
  readonly job?: RunJob;
  /** Its job, if that is neither the suite's nor queued with it. */
  readonly jobId?: string;
  readonly explain?: boolean;
  readonly sealed?: SealedSides;
}

export async function createPairComparison(
  store: Pick<ComparisonStore, 'createComparison'>,
  pair: PairIdentity,
  {
    comparisonId,
    redactUrl,
    optionsJson = '{}',
    suiteId,
    job,
    jobId = suiteId ?? job?.jobId,
    explain = false,
    sealed,
  }: NewPairComparison,
): Promise<{ comparisonId: string; status: ComparisonStatus }> {
  const pairKey = pairKeyOf(pair);
  if (pairKeyIn(comparisonId) !== pairKey)
    throw new SondeError('INVALID_REQUEST', 'the comparison belongs to a different pair', {
      details: { field: 'comparisonId' },
    });
  const outcome = await store.createComparison({
    tenantId: pair.tenantId,
    ...{ comparisonId, pairKey, optionsJson, explain },
    ...(suiteId !== undefined && { suiteId }),
    ...(jobId !== undefined && { jobId }),
    ...(job && { job }),
    leftUrl: redactUrl(pair.leftUrl),
    rightUrl: redactUrl(pair.rightUrl),
    leftSealed: sealed?.left ?? null,
    rightSealed: sealed?.right ?? null,
  });
  if (outcome.kind === 'too_many_running')
    throw new SondeError(
      'too_many_running',
      `${outcome.limit} comparisons of this pair are already running; wait for one to finish`,
      { details: { limit: outcome.limit } },
    );
  if (outcome.kind === 'ended')
    throw new SondeError('canceled', 'the suite ended before the comparison of this path was created');
  return { comparisonId: outcome.comparisonId, status: outcome.status };
}

/** Maps an envelope to its row; throws if it is too large, because an envelope is never cut. */
export function probeInput(key: ComparisonKey, side: Side, envelope: SignalEnvelope) {
  const envelopeJson = JSON.stringify(envelope);
  const limit = COMPARISON_LIMITS.envelopeChars;
  if (envelopeJson.length > limit) {
    throw new SondeError('ENVELOPE_TOO_LARGE', `an envelope can have at most ${limit} characters`, {
      details: { limit },
    });
  }
  return { ...key, side, url: envelope.requestedUrl, envelopeJson, sample: envelope.sample ?? 1 };
}

export function stateOf({ status, resultJson, error }: ComparisonRow): ComparisonState {
  return {
    status,
    ...(resultJson !== null && { result: JSON.parse(resultJson) as unknown }),
    ...(error !== null && { error }),
  };
}
