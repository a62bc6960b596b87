/**
 * The port for storing suites. A suite is a row with one comparison per path. Everything is scoped by tenant. A suite
 * is created once, gets its paths once, and ends once; late writes are ignored, and their return value says so. Ending
 * a suite erases the sealed requests of its sides. Each tenant keeps its newest suites; a running one is never dropped.
 */
import type { Removal } from '../../removal.js';
import type { Changed, ComparisonStatus, RunJob, SealedSides } from '../comparison-store.js';
import type { Verdict } from '../env-diff.js';

export const SUITE_LIMITS = {
  /** Newest suites kept per tenant. */
  kept: 50,
  /** Suites of a tenant that can run at once. */
  running: 5,
  /** Paths compared at a time, and probes per host at a time. */
  lanes: 16,
  /** Paths per page. */
  pathsPerPage: 500,
} as const;

export interface SuiteKey {
  readonly tenantId: string;
  readonly suiteId: string;
}

export interface NewSuite extends SuiteKey {
  /** The base URL of each side, as shown and stored: already redacted by the caller. */
  readonly leftUrl: string;
  readonly rightUrl: string;
  /** Where the paths come from, concurrency, samples, ignore rules and the like, as JSON. */
  readonly optionsJson: string;
  /** The paths, if they are known already. */
  readonly plan?: Omit<SuitePlan, keyof SuiteKey>;
  /** The job that works on it, which has the suite's id. */
  readonly job?: RunJob;
  readonly leftSealed: Uint8Array | null;
  readonly rightSealed: Uint8Array | null;
}

export type CreateSuiteOutcome =
  | { readonly kind: 'created' | 'exists'; readonly status: ComparisonStatus }
  | { readonly kind: 'too_many_running'; readonly limit: number };

export interface SuitePlan extends SuiteKey {
  readonly paths: readonly { readonly path: string; readonly comparisonId: string }[];
  /** Findings of the suite itself, such as paths that only one side has. */
  readonly findingsJson: string;
  /** What could not become a path, and why. */
  readonly notesJson: string;
}

export interface SuiteRow extends Omit<NewSuite, 'leftSealed' | 'rightSealed' | 'plan' | 'job'> {
  readonly ts: number;
  readonly status: ComparisonStatus;
  /** Null until its paths are known. */
  readonly findingsJson: string | null;
  readonly notesJson: string | null;
  readonly error: string | null;
  readonly paths: number;
  /** Paths whose comparison has ended, and how. */
  readonly done: number;
  readonly verdicts: Readonly<Partial<Record<Verdict | 'failed', number>>>;
}

/** The outcome of one path. */
export interface PathOutcome {
  /** `failed` if its comparison did not reach a verdict. */
  readonly verdict: Verdict | 'failed';
  readonly findings: number;
}

export interface SuitePathRow {
  readonly n: number;
  readonly path: string;
  readonly comparisonId: string;
  readonly outcome: PathOutcome | null;
}

export interface PathPage {
  /** Paths after this number; −1 starts with the first. */
  readonly after: number;
  readonly limit: number;
  /** Only paths without an outcome. */
  readonly openOnly: boolean;
}

export interface SuiteStore {
  createSuite(input: NewSuite): Promise<CreateSuiteOutcome>;
  /** Stores the paths, once, while the suite runs. */
  planSuite(plan: SuitePlan): Promise<Changed>;
  savePathOutcome(input: SuiteKey & PathOutcome & { readonly n: number }): Promise<Changed>;
  endSuite(input: SuiteKey & { readonly error: string | null }): Promise<Changed>;
  getSuite(key: SuiteKey): Promise<SuiteRow | undefined>;
  getSuitePaths(query: SuiteKey & PathPage): Promise<readonly SuitePathRow[]>;
  /** Only while the suite runs. */
  getSuiteSealed(key: SuiteKey): Promise<SealedSides | undefined>;
  /** Newest first. */
  listSuites(query: { readonly tenantId: string; readonly limit: number }): Promise<readonly SuiteRow[]>;
  /** Deletes the paths of an ended suite up to `through`, and the suite itself when no path is left. */
  removeSuite(input: SuiteKey & { readonly through: number }): Promise<Removal>;
}
