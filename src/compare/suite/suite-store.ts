/**
 * The port of suites: a suite is a row with one comparison a path. Everything is scoped by tenant. A suite is made
 * once, gets its paths once, and ends once; late writes are ignored, and their result shows it. Its end erases what its sides
 * are requested with. Each tenant keeps its newest suites; a running one is never dropped.
 */
import type { Removal } from '../../removal.js';
import type { Changed, ComparisonStatus, SealedSides } from '../comparison-store.js';
import type { Verdict } from '../env-diff.js';

export const SUITE_LIMITS = {
  /** Newest suites kept of a tenant. */
  kept: 50,
  /** Running at once of a tenant. */
  running: 5,
  /** A running suite that makes no progress for this long is ended. */
  leaseMs: 3_600_000,
  /** Paths compared, and probes of one host, at a time. */
  lanes: 16,
  /** Paths of one page. */
  pathsPerPage: 500,
} as const;

/** The error of a suite that stopped making progress. */
export const SUITE_EXPIRED = JSON.stringify({
  code: 'timeout',
  message: 'the suite stopped making progress and was given up',
});

export interface SuiteKey {
  readonly tenantId: string;
  readonly suiteId: string;
}

export interface NewSuite extends SuiteKey {
  /** The base of each side, as shown and stored: redacted by the caller. */
  readonly leftUrl: string;
  readonly rightUrl: string;
  /** Where the paths come from, concurrency, samples, ignore rules and the like, as JSON. */
  readonly optionsJson: string;
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

export interface SuiteRow extends SuiteKey {
  readonly ts: number;
  readonly leftUrl: string;
  readonly rightUrl: string;
  readonly optionsJson: string;
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

/** What became of one path. */
export interface PathOutcome {
  /** `failed` where its comparison did not come to a verdict. */
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
  /** Paths after this place; −1 is from the first on. */
  readonly after: number;
  readonly limit: number;
  /** Only those without an outcome. */
  readonly openOnly: boolean;
}

export interface SuiteStore {
  createSuite(input: NewSuite): Promise<CreateSuiteOutcome>;
  /** Once, while the suite runs. */
  planSuite(plan: SuitePlan): Promise<Changed>;
  savePathOutcome(input: SuiteKey & PathOutcome & { readonly n: number }): Promise<Changed>;
  endSuite(input: SuiteKey & { readonly error: string | null }): Promise<Changed>;
  getSuite(key: SuiteKey): Promise<SuiteRow | undefined>;
  getSuitePaths(query: SuiteKey & PathPage): Promise<readonly SuitePathRow[]>;
  /** Only while the suite runs. */
  getSuiteSealed(key: SuiteKey): Promise<SealedSides | undefined>;
  /** Newest first. */
  listSuites(query: { readonly tenantId: string; readonly limit: number }): Promise<readonly SuiteRow[]>;
  /** Drops the paths of an ended suite up to `through`, and the suite itself when no path is left. */
  removeSuite(input: SuiteKey & { readonly through: number }): Promise<Removal>;
  /** Fails running suites whose lease is over, of all tenants; returns which. */
  endExpiredSuites(limit: number): Promise<readonly SuiteKey[]>;
}
