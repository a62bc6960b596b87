/**
 * The port for storing comparisons. Everything is scoped by tenant: another tenant's id is not found.
 *
 * A comparison is created once (a repeated create changes nothing), moves from running to completed or failed once, and
 * never changes again. Late writes are ignored, and their return value says so. Ending a comparison erases the sealed
 * request of each side in the same transaction. Each pair keeps its newest comparisons; a running one is never dropped.
 */
import type { Side } from '../probe/index.js';
import type { Removal } from '../removal.js';
import type { BaselineEntry } from './suite/baseline.js';

export type ComparisonStatus = 'running' | 'completed' | 'failed';
export type ExplanationState = 'pending' | 'ready' | 'failed' | 'off';

export const COMPARISON_LIMITS = {
  /** Newest comparisons kept per pair. */
  kept: 50,
  /** Comparisons of a pair that can run at once. */
  running: 20,
  /** Characters in the JSON of one envelope. */
  envelopeChars: 1_000_000,
  /** Entries in a pair's baseline. */
  accepted: 1_000,
  /** Comparisons that one `removePair` call deletes. */
  removedAtOnce: 5,
  historyDefault: 10,
  historyMax: 100,
  /** Pairs that one call lists: a page of the API, and one more to know whether there is another page. */
  pairsAtOnce: 201,
  retentionMs: 90 * 86_400_000,
} as const;

/** The error of a comparison or suite whose job was canceled. */
export const RUN_CANCELED = JSON.stringify({ code: 'canceled', message: 'the comparison was canceled' });

/** The same if the job was lost with its worker or its platform. */
export const RUN_INTERRUPTED = JSON.stringify({
  code: 'interrupted',
  message: 'the run was interrupted and cannot be resumed',
});

/** Options of every engine's store. */
export interface ComparisonStoreOptions {
  readonly clock: () => number;
  /** For jobs, if the clock may step; `clock` by default. */
  readonly jobClock?: () => number;
  /** False at the edge, where the jobs of a pair are in the object of its tenant. */
  readonly hasJobs?: boolean;
  /** Newest comparisons kept per pair; can change between restarts. */
  readonly kept?: number;
  readonly running?: number;
}

/** A job that is queued in the transaction that creates its row. Its end ends the row (`run-kind` in the glossary). */
export interface RunJob {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: 'compare' | 'suite';
  readonly payload: unknown;
  readonly idempotencyKey: string;
  readonly maxAttempts: number;
}

export interface ComparisonKey {
  readonly tenantId: string;
  readonly comparisonId: string;
}

export interface NewComparison extends ComparisonKey {
  readonly pairKey: string;
  /** The URLs as shown and stored: already redacted by the caller. */
  readonly leftUrl: string;
  readonly rightUrl: string;
  /** Labels, samples, profile, ignore rules and the like, as JSON. */
  readonly optionsJson: string;
  /** The suite that it belongs to; absent if it was started on its own. */
  readonly suiteId?: string;
  readonly explain: boolean;
  /** The job that works on it: its own, or that of its suite. Without one, nothing but its writers ends it. */
  readonly jobId?: string;
  /** That job, if it is to be queued. */
  readonly job?: RunJob;
  /** The unredacted request of each side, sealed; null if the stored URL is the whole request. */
  readonly leftSealed: Uint8Array | null;
  readonly rightSealed: Uint8Array | null;
}

export type CreateComparisonOutcome =
  | { readonly kind: 'created' | 'exists'; readonly comparisonId: string; readonly status: ComparisonStatus }
  | { readonly kind: 'too_many_running'; readonly limit: number }
  /** The job that works on it has ended. */
  | { readonly kind: 'ended' };

export interface ComparisonRow
  extends Omit<NewComparison, 'explain' | 'leftSealed' | 'rightSealed' | 'suiteId' | 'jobId' | 'job'> {
  readonly ts: number;
  readonly status: ComparisonStatus;
  /** `{diff, timestamp}`; null until completed. */
  readonly resultJson: string | null;
  readonly error: string | null;
  readonly explanation: StoredExplanation;
}

export interface StoredExplanation {
  readonly state: ExplanationState;
  readonly textJson: string | null;
  readonly model: string | null;
  readonly promptVersion: number | null;
}

export interface SealedSides {
  readonly left: Uint8Array | null;
  readonly right: Uint8Array | null;
}

export interface ProbeInput extends ComparisonKey {
  readonly side: Side;
  /** The URL that was requested. */
  readonly url: string;
  readonly envelopeJson: string;
  /** 1 is the probe itself, 2… are resamples. */
  readonly sample: number;
}

/** One probe row with its later samples, in order. */
export interface StoredProbe extends Pick<ProbeInput, 'side' | 'url' | 'envelopeJson'> {
  readonly probeId: string;
  readonly ts: number;
  readonly samples: readonly Pick<ProbeInput, 'sample' | 'envelopeJson'>[];
}

export interface HistoryQuery extends PairName {
  readonly limit: number;
  /** True for the explanation, which needs completed comparisons; false for lists that people read. */
  readonly completedOnly: boolean;
}

export interface PairSummary extends Pick<NewComparison, 'pairKey' | 'leftUrl' | 'rightUrl'> {
  readonly comparisons: number;
  readonly lastTs: number;
  readonly lastComparisonId: string;
  readonly lastStatus: ComparisonStatus;
}

export interface PairQuery {
  readonly tenantId: string;
  readonly limit: number;
  /** Only pairs with a comparison outside suites, as of the last such comparison. */
  readonly own?: boolean;
  /** Continues after the pair with this last comparison. */
  readonly after?: PairPosition;
}

export interface PairPosition {
  readonly ts: number;
  readonly comparisonId: string;
}

export interface ExplanationInput extends ComparisonKey, StoredExplanation {
  readonly state: 'ready' | 'failed';
  readonly textJson: string;
}

/** True if the call changed something; false if it came too late or was a repeat. */
export type Changed = boolean;

/** A finding that was accepted into the baseline of its pair. */
export interface AcceptedFinding {
  readonly entry: BaselineEntry;
  /** The comparison that showed it. */
  readonly comparisonId: string;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
}

export interface PairName {
  readonly tenantId: string;
  readonly pairKey: string;
}

export type PairRemoval =
  /** What this call deleted. */
  | { readonly kind: 'removed' | 'more'; readonly comparisonIds: readonly string[] }
  /** The comparison that is still running. */
  | { readonly kind: 'running'; readonly comparisonId: string }
  | { readonly kind: 'missing' };

export interface ComparisonStore {
  createComparison(input: NewComparison): Promise<CreateComparisonOutcome>;
  saveProbe(input: ProbeInput): Promise<Changed>;
  saveResult(input: ComparisonKey & { readonly resultJson: string }): Promise<Changed>;
  failComparison(input: ComparisonKey & { readonly error: string }): Promise<Changed>;
  getComparison(key: ComparisonKey): Promise<ComparisonRow | undefined>;
  /** Newest first. */
  getComparisonsForHistory(query: HistoryQuery): Promise<readonly ComparisonRow[]>;
  getProbes(key: ComparisonKey): Promise<readonly StoredProbe[]>;
  /** Only while the comparison runs. */
  getSealed(key: ComparisonKey): Promise<SealedSides | undefined>;
  saveExplanation(input: ExplanationInput): Promise<Changed>;
  /** The tenant's pairs, most recently compared first. */
  listPairs(query: PairQuery): Promise<readonly PairSummary[]>;
  /**
   * Adds to the pair's baseline and replaces entries with the same fingerprint. False if there would be too many
   * entries.
   */
  acceptFindings(input: PairName & { readonly accepted: readonly AcceptedFinding[] }): Promise<boolean>;
  /** Oldest first. */
  getAccepted(pair: PairName): Promise<readonly AcceptedFinding[]>;
  removeAccepted(input: PairName & { readonly fingerprint: string }): Promise<Changed>;
  /** Deletes a comparison that has ended. Findings accepted from it stay accepted. */
  removeComparison(key: ComparisonKey): Promise<Exclude<Removal, 'more'>>;
  /**
   * Deletes the pair's comparisons, a few per call, and its baseline with the last one. Deletes nothing while one runs.
   */
  removePair(pair: PairName): Promise<PairRemoval>;
}
