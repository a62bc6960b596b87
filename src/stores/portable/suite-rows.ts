/** The store of suites, for every SQL engine. Every method that writes is one transaction. */
import {
  type ComparisonStatus,
  type ComparisonStoreOptions,
  type CreateSuiteOutcome,
  type NewSuite,
  type PathOutcome,
  type PathPage,
  type SealedSides,
  SUITE_LIMITS,
  type SuiteKey,
  type SuitePathRow,
  type SuitePlan,
  type SuiteRow,
  type SuiteStore,
} from '../../compare/index.js';
import type { Removal } from '../../removal.js';
import { sealedOf, statusOf } from './comparison-rows.js';
import { insertRunJob } from './run-jobs.js';
import { type PortableRow, query, type SqlWork, textOrNull, transaction, type WorkPort } from './sql-work.js';
import * as sql from './suite-sql.js';

interface FoundSuite {
  readonly row: PortableRow;
  readonly mayHaveCommitted: boolean;
}

/** Paths per statement. Even the longest paths stay below the size limit of a value in a Durable Object. */
const PATHS_AT_ONCE = 100;

export class SuiteRows implements WorkPort<SuiteStore> {
  readonly #clock: () => number;
  readonly #jobClock: () => number;

  constructor({ clock, jobClock = clock }: Pick<ComparisonStoreOptions, 'clock' | 'jobClock'>) {
    this.#clock = clock;
    this.#jobClock = jobClock;
  }

  createSuite(input: NewSuite) {
    return transaction((mayHaveCommitted) => this.#create(input, mayHaveCommitted));
  }

  *#create(input: NewSuite, mayHaveCommitted: boolean): SqlWork<CreateSuiteOutcome> {
    const { tenantId, suiteId, leftUrl, rightUrl, optionsJson, leftSealed, rightSealed, plan, job } = input;
    yield* query(sql.LOCK_SUITES, [tenantId]);
    const existing = yield* lockSuite(input);
    if (existing) return { kind: mayHaveCommitted ? 'created' : 'exists', status: statusOf(existing) };
    const [busy] = yield* query(sql.COUNT_RUNNING, [tenantId]);
    if (Number(busy?.['n']) >= SUITE_LIMITS.running) {
      return { kind: 'too_many_running', limit: SUITE_LIMITS.running };
    }
    const sides = [leftUrl, rightUrl, optionsJson, leftSealed, rightSealed];
    yield* query(sql.INSERT_SUITE, [suiteId, tenantId, this.#clock(), ...sides]);
    if (plan) yield* insertPlan({ tenantId, suiteId, ...plan });
    yield* retain(input);
    if (job) yield* insertRunJob(job, this.#jobClock());
    return { kind: 'created', status: 'running' };
  }

  planSuite(plan: SuitePlan) {
    return whileRunning(plan, function* ({ row, mayHaveCommitted }) {
      if (row['findings_json'] !== null) {
        return mayHaveCommitted && row['findings_json'] === plan.findingsJson;
      }
      yield* insertPlan(plan);
      return true;
    });
  }

  savePathOutcome({ n, verdict, findings, ...key }: SuiteKey & PathOutcome & { readonly n: number }) {
    return whileRunning(key, function* ({ mayHaveCommitted }) {
      const again = [mayHaveCommitted ? 1 : 0, verdict, findings];
      return (yield* query(sql.SAVE_PATH, [verdict, findings, key.suiteId, n, ...again])).length > 0;
    });
  }

  endSuite({ error, ...key }: SuiteKey & { readonly error: string | null }) {
    const status = error === null ? 'completed' : 'failed';
    const end = function* () {
      yield* query(sql.END_SUITE, [status, error, key.suiteId]);
      yield* retain(key);
      return true;
    };
    return whileRunning(key, end, status);
  }

  *getSuite({ tenantId, suiteId }: SuiteKey): SqlWork<SuiteRow | undefined> {
    const [row] = yield* query(sql.SELECT_SUITE, [suiteId, tenantId]);
    return row && suiteOf(row);
  }

  *getSuitePaths(page: SuiteKey & PathPage): SqlWork<readonly SuitePathRow[]> {
    const { tenantId, suiteId, after, limit, openOnly } = page;
    const bound = Math.max(0, Math.min(limit, SUITE_LIMITS.pathsPerPage));
    return (yield* query(sql.SELECT_PATHS, [suiteId, tenantId, after, Number(openOnly), bound])).map(pathOf);
  }

  *getSuiteSealed({ tenantId, suiteId }: SuiteKey): SqlWork<SealedSides | undefined> {
    const [row] = yield* query(sql.SELECT_SEALED, [suiteId, tenantId]);
    return row && sealedOf(row);
  }

  *listSuites(input: { readonly tenantId: string; readonly limit: number }): SqlWork<readonly SuiteRow[]> {
    const bound = Math.max(0, Math.min(input.limit, SUITE_LIMITS.kept));
    return (yield* query(sql.SELECT_SUITES, [input.tenantId, bound])).map(suiteOf);
  }

  removeSuite({ through, ...key }: SuiteKey & { readonly through: number }) {
    return transaction(function* (mayHaveCommitted): SqlWork<Removal> {
      const row = yield* lockSuite(key);
      if (!row) return mayHaveCommitted ? 'removed' : 'missing';
      if (statusOf(row) === 'running') return 'running';
      yield* query(sql.DELETE_PATHS, [key.suiteId, through]);
      if ((yield* query(sql.SELECT_ANY_PATH, [key.suiteId])).length > 0) return 'more';
      yield* deleteSuite(key.suiteId);
      return 'removed';
    });
  }
}

/**
 * Runs `act` while the row is locked, so that a suite ends once. `after` is the status that shows that an earlier run
 * of the same call, whose COMMIT got no response, succeeded.
 */
function whileRunning(
  key: SuiteKey,
  act: (found: FoundSuite) => SqlWork<boolean>,
  after?: ComparisonStatus,
): SqlWork<boolean> {
  return transaction(function* (mayHaveCommitted) {
    const row = yield* lockSuite(key);
    if (row && statusOf(row) === 'running') return yield* act({ row, mayHaveCommitted });
    return row !== undefined && mayHaveCommitted && statusOf(row) === after;
  });
}

function* insertPlan({ suiteId, paths, findingsJson, notesJson }: SuitePlan): SqlWork<void> {
  yield* query(sql.PLAN_SUITE, [findingsJson, notesJson, suiteId]);
  for (let n = 0; n < paths.length; n += PATHS_AT_ONCE) {
    const some = JSON.stringify(paths.slice(n, n + PATHS_AT_ONCE));
    yield* query(sql.INSERT_PATHS, [suiteId, n, some]);
  }
}

function* lockSuite({ tenantId, suiteId }: SuiteKey): SqlWork<PortableRow | undefined> {
  return (yield* query(sql.LOCK_SUITE, [suiteId, tenantId]))[0];
}

/** Deletes ended suites beyond the newest, by time and then id; never the one that was just written. */
function* retain({ tenantId, suiteId }: SuiteKey): SqlWork<void> {
  for (const row of yield* query(sql.SELECT_SURPLUS, [tenantId, SUITE_LIMITS.kept])) {
    const id = String(row['id']);
    if (statusOf(row) !== 'running' && id !== suiteId) yield* deleteSuite(id);
  }
}

export function* deleteSuite(suiteId: string): SqlWork<void> {
  for (const statement of sql.DELETE_SUITE) yield* query(statement, [suiteId]);
}

function suiteOf(row: PortableRow): SuiteRow {
  const { open = 0, ...verdicts } = JSON.parse(String(row['counts'])) as Record<string, number>;
  const done = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return {
    tenantId: String(row['tenant_id']),
    suiteId: String(row['id']),
    ts: Number(row['ts']),
    leftUrl: String(row['left_url']),
    rightUrl: String(row['right_url']),
    optionsJson: String(row['options_json']),
    status: statusOf(row),
    findingsJson: textOrNull(row['findings_json']),
    notesJson: textOrNull(row['notes_json']),
    error: textOrNull(row['error']),
    paths: open + done,
    done,
    verdicts,
  };
}

function pathOf(row: PortableRow): SuitePathRow {
  const verdict = textOrNull(row['verdict']);
  return {
    n: Number(row['n']),
    path: String(row['path']),
    comparisonId: String(row['comparison_id']),
    outcome:
      verdict === null
        ? null
        : { verdict: verdict as PathOutcome['verdict'], findings: Number(row['findings']) },
  };
}
