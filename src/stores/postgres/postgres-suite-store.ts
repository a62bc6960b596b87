/** Suites on PostgreSQL: the same rows as on the embedded engine, every method one transaction. */
import {
  type ComparisonStatus,
  type CreateSuiteOutcome,
  type NewSuite,
  type PathOutcome,
  type PathPage,
  type SealedSides,
  SUITE_EXPIRED,
  SUITE_LIMITS,
  type SuiteKey,
  type SuitePathRow,
  type SuitePlan,
  type SuiteRow,
  type SuiteStore,
} from '../../compare/index.js';
import type { Removal } from '../../removal.js';
import { asTextOrNull, type PgDatabase, type PgQueries, type PgRow } from './pg-database.js';
import { sealedOf } from './postgres-comparison-store.js';
import * as sql from './sql/suites.js';

interface FoundSuite {
  readonly row: PgRow;
  readonly mayHaveCommitted: boolean;
}

export class PostgresSuiteStore implements SuiteStore {
  readonly #database: PgDatabase;
  readonly #clock: () => number;

  constructor(database: PgDatabase, { clock }: { readonly clock: () => number }) {
    this.#database = database;
    this.#clock = clock;
  }

  createSuite(input: NewSuite): Promise<CreateSuiteOutcome> {
    return this.#database.transaction(async (queries, mayHaveCommitted): Promise<CreateSuiteOutcome> => {
      const { tenantId, suiteId, leftUrl, rightUrl, optionsJson, leftSealed, rightSealed } = input;
      await queries.query(sql.LOCK_SUITES, [tenantId]);
      const [existing] = await queries.query(sql.LOCK_SUITE, [suiteId, tenantId]);
      if (existing) return { kind: mayHaveCommitted ? 'created' : 'exists', status: statusOf(existing) };
      const [busy] = await queries.query(sql.COUNT_RUNNING, [tenantId]);
      if (Number(busy?.['n']) >= SUITE_LIMITS.running) {
        return { kind: 'too_many_running', limit: SUITE_LIMITS.running };
      }
      const now = this.#clock();
      const lease = now + SUITE_LIMITS.leaseMs;
      const sides = [leftUrl, rightUrl, optionsJson, lease, leftSealed, rightSealed];
      await queries.query(sql.INSERT_SUITE, [suiteId, tenantId, now, ...sides]);
      await queries.query(sql.DELETE_SURPLUS, [tenantId, SUITE_LIMITS.kept, suiteId]);
      return { kind: 'created', status: 'running' };
    });
  }

  planSuite({ paths, findingsJson, notesJson, ...key }: SuitePlan): Promise<boolean> {
    return this.#whileRunning(key, async (queries, { row, mayHaveCommitted }) => {
      if (row['findings_json'] !== null) return mayHaveCommitted && row['findings_json'] === findingsJson;
      await queries.query(sql.PLAN_SUITE, [key.suiteId, findingsJson, notesJson]);
      const names = paths.map(({ path }) => path);
      const ids = paths.map(({ comparisonId }) => comparisonId);
      await queries.query(sql.INSERT_PATHS, [key.suiteId, names, ids]);
      return true;
    });
  }

  savePathOutcome({ n, verdict, findings, ...key }: SuiteKey & PathOutcome & { readonly n: number }) {
    return this.#whileRunning(key, async (queries, { mayHaveCommitted }) => {
      const saved = await queries.query(sql.SAVE_PATH, [key.suiteId, n, verdict, findings, mayHaveCommitted]);
      if (saved.length === 0) return false;
      await queries.query(sql.RENEW_SUITE, [key.suiteId, this.#clock() + SUITE_LIMITS.leaseMs]);
      return true;
    });
  }

  endSuite({ error, ...key }: SuiteKey & { readonly error: string | null }): Promise<boolean> {
    const status = error === null ? 'completed' : 'failed';
    const end = async (queries: PgQueries) => {
      await queries.query(sql.END_SUITE, [key.suiteId, status, error]);
      await queries.query(sql.DELETE_SURPLUS, [key.tenantId, SUITE_LIMITS.kept, key.suiteId]);
      return true;
    };
    return this.#whileRunning(key, end, status);
  }

  async getSuite({ tenantId, suiteId }: SuiteKey): Promise<SuiteRow | undefined> {
    const [row] = await this.#database.query(sql.SELECT_SUITE, [suiteId, tenantId]);
    return row && suiteOf(row);
  }

  async getSuitePaths(query: SuiteKey & PathPage): Promise<readonly SuitePathRow[]> {
    const { tenantId, suiteId, after, limit, openOnly } = query;
    const bound = Math.max(0, Math.min(limit, SUITE_LIMITS.pathsPerPage));
    const params = [suiteId, tenantId, after, openOnly, bound];
    return (await this.#database.query(sql.SELECT_PATHS, params)).map(pathOf);
  }

  async getSuiteSealed({ tenantId, suiteId }: SuiteKey): Promise<SealedSides | undefined> {
    const [row] = await this.#database.query(sql.SELECT_SEALED, [suiteId, tenantId]);
    return row && sealedOf(row);
  }

  async listSuites({ tenantId, limit }: { readonly tenantId: string; readonly limit: number }) {
    const bound = Math.max(0, Math.min(limit, SUITE_LIMITS.kept));
    return (await this.#database.query(sql.SELECT_SUITES, [tenantId, bound])).map(suiteOf);
  }

  removeSuite({ tenantId, suiteId, through }: SuiteKey & { readonly through: number }): Promise<Removal> {
    return this.#database.transaction(async (queries, mayHaveCommitted): Promise<Removal> => {
      const [row] = await queries.query(sql.LOCK_SUITE, [suiteId, tenantId]);
      if (!row) return mayHaveCommitted ? 'removed' : 'missing';
      if (statusOf(row) === 'running') return 'running';
      await queries.query(sql.DELETE_PATHS, [suiteId, through]);
      if ((await queries.query(sql.SELECT_ANY_PATH, [suiteId])).length > 0) return 'more';
      await queries.query(sql.DELETE_SUITE, [suiteId]);
      return 'removed';
    });
  }

  async endExpiredSuites(limit: number): Promise<readonly SuiteKey[]> {
    const rows = await this.#database.query(sql.SELECT_EXPIRED, [this.#clock(), limit]);
    const ended: SuiteKey[] = [];
    for (const row of rows) {
      const key = { tenantId: String(row['tenant_id']), suiteId: String(row['id']) };
      if (await this.endSuite({ ...key, error: SUITE_EXPIRED })) ended.push(key);
    }
    return ended;
  }

  /**
   * The row stays locked to the end of `act`, so that a suite ends once. `after`: the status that shows that an
   * earlier run of this very call, whose COMMIT went unanswered, was done.
   */
  #whileRunning(
    { tenantId, suiteId }: SuiteKey,
    act: (queries: PgQueries, found: FoundSuite) => Promise<boolean>,
    after?: ComparisonStatus,
  ): Promise<boolean> {
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const [row] = await queries.query(sql.LOCK_SUITE, [suiteId, tenantId]);
      if (row && statusOf(row) === 'running') return act(queries, { row, mayHaveCommitted });
      return row !== undefined && mayHaveCommitted && statusOf(row) === after;
    });
  }
}

function statusOf(row: PgRow): ComparisonStatus {
  return String(row['status']) as ComparisonStatus;
}

function suiteOf(row: PgRow): SuiteRow {
  const { open = 0, ...verdicts } = row['counts'] as Record<string, number>;
  const done = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return {
    tenantId: String(row['tenant_id']),
    suiteId: String(row['id']),
    ts: Number(row['ts']),
    leftUrl: String(row['left_url']),
    rightUrl: String(row['right_url']),
    optionsJson: String(row['options_json']),
    status: statusOf(row),
    findingsJson: asTextOrNull(row['findings_json']),
    notesJson: asTextOrNull(row['notes_json']),
    error: asTextOrNull(row['error']),
    paths: open + done,
    done,
    verdicts,
  };
}

function pathOf(row: PgRow): SuitePathRow {
  const verdict = asTextOrNull(row['verdict']);
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
