/** Suites over SQLite: plain synchronous code, every method one transaction, like the comparisons beside it. */
import {
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
import { statusOf, text } from './comparison-row.js';
import { deleteSuite } from './delete-comparison.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js';
import { textOrNull } from './sql-values.js';
import { SUITE_SCHEMA } from './suite-schema.js';
import type { SyncPort } from './sync-port.js';

export class SqliteSuiteStore implements SyncPort<SuiteStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;

  constructor(database: SqlDatabase, { clock }: { readonly clock: () => number }) {
    this.#database = database;
    this.#clock = clock;
    prepareSchema(database, SUITE_SCHEMA);
  }

  createSuite(input: NewSuite): CreateSuiteOutcome {
    return this.#database.transaction(() => {
      const { tenantId, suiteId } = input;
      const existing = this.#status(input);
      if (existing) return { kind: 'exists', status: existing };
      const [busy] = this.#database.all(COUNT_RUNNING, [tenantId]);
      if (Number(busy?.['n']) >= SUITE_LIMITS.running) {
        return { kind: 'too_many_running', limit: SUITE_LIMITS.running };
      }
      const now = this.#clock();
      const { leftUrl, rightUrl, optionsJson, leftSealed, rightSealed } = input;
      const lease = now + SUITE_LIMITS.leaseMs;
      const sides = [leftUrl, rightUrl, optionsJson, lease, leftSealed, rightSealed];
      this.#database.run(INSERT_SUITE, [suiteId, tenantId, now, ...sides]);
      this.#retain(tenantId, suiteId);
      return { kind: 'created', status: 'running' };
    });
  }

  planSuite({ paths, findingsJson, notesJson, ...key }: SuitePlan): boolean {
    return this.#database.transaction(() => {
      if (this.#status(key) !== 'running' || this.getSuite(key)?.findingsJson !== null) return false;
      this.#database.run('UPDATE suites SET findings_json = ?, notes_json = ? WHERE id = ?', [
        findingsJson,
        notesJson,
        key.suiteId,
      ]);
      paths.forEach(({ path, comparisonId }, n) => {
        this.#database.run(INSERT_PATH, [key.suiteId, n, path, comparisonId]);
      });
      return true;
    });
  }

  savePathOutcome({
    n,
    verdict,
    findings,
    ...key
  }: SuiteKey & PathOutcome & { readonly n: number }): boolean {
    return this.#database.transaction(() => {
      if (this.#status(key) !== 'running') return false;
      const [open] = this.#database.all(SELECT_OPEN_PATH, [key.suiteId, n]);
      if (!open) return false;
      this.#database.run('UPDATE suite_paths SET verdict = ?, findings = ? WHERE suite_id = ? AND n = ?', [
        verdict,
        findings,
        key.suiteId,
        n,
      ]);
      this.#database.run('UPDATE suites SET lease_until = ? WHERE id = ?', [
        this.#clock() + SUITE_LIMITS.leaseMs,
        key.suiteId,
      ]);
      return true;
    });
  }

  endSuite({ error, ...key }: SuiteKey & { readonly error: string | null }): boolean {
    return this.#database.transaction(() => {
      if (this.#status(key) !== 'running') return false;
      this.#database.run(END_SUITE, [error === null ? 'completed' : 'failed', error, key.suiteId]);
      this.#retain(key.tenantId, key.suiteId);
      return true;
    });
  }

  getSuite({ tenantId, suiteId }: SuiteKey): SuiteRow | undefined {
    const [row] = this.#database.all(`${SELECT_SUITE} WHERE s.id = ? AND s.tenant_id = ?`, [
      suiteId,
      tenantId,
    ]);
    return row && this.#rowOf(row);
  }

  getSuitePaths({ tenantId, suiteId, after, limit, openOnly }: SuiteKey & PathPage): readonly SuitePathRow[] {
    const bound = Math.max(0, Math.min(limit, SUITE_LIMITS.pathsPerPage));
    return this.#database
      .all(SELECT_PATHS, [suiteId, tenantId, after, openOnly ? 1 : 0, bound])
      .map((row) => ({
        n: Number(row['n']),
        path: text(row['path']),
        comparisonId: text(row['comparison_id']),
        outcome:
          row['verdict'] === null
            ? null
            : { verdict: text(row['verdict']) as PathOutcome['verdict'], findings: Number(row['findings']) },
      }));
  }

  getSuiteSealed({ tenantId, suiteId }: SuiteKey): SealedSides | undefined {
    const [row] = this.#database.all(SELECT_SEALED, [suiteId, tenantId]);
    return row && { left: bytesOrNull(row['left_sealed']), right: bytesOrNull(row['right_sealed']) };
  }

  listSuites({
    tenantId,
    limit,
  }: {
    readonly tenantId: string;
    readonly limit: number;
  }): readonly SuiteRow[] {
    const bound = Math.max(0, Math.min(limit, SUITE_LIMITS.kept));
    return this.#database
      .all(`${SELECT_SUITE} WHERE s.tenant_id = ? ORDER BY s.ts DESC, s.id DESC LIMIT ?`, [tenantId, bound])
      .map((row) => this.#rowOf(row));
  }

  removeSuite({ through, ...key }: SuiteKey & { readonly through: number }): Removal {
    return this.#database.transaction(() => {
      const status = this.#status(key);
      if (!status) return 'missing';
      if (status === 'running') return 'running';
      this.#database.run('DELETE FROM suite_paths WHERE suite_id = ? AND n <= ?', [key.suiteId, through]);
      const left = this.#database.all('SELECT n FROM suite_paths WHERE suite_id = ? LIMIT 1', [key.suiteId]);
      if (left.length > 0) return 'more';
      deleteSuite(this.#database, key.suiteId);
      return 'removed';
    });
  }

  endExpiredSuites(limit: number): readonly SuiteKey[] {
    const rows = this.#database.all(SELECT_EXPIRED, [this.#clock(), limit]);
    const keys = rows.map((row) => ({ tenantId: text(row['tenant_id']), suiteId: text(row['id']) }));
    return keys.filter((key) => this.endSuite({ ...key, error: SUITE_EXPIRED }));
  }

  #status({ tenantId, suiteId }: SuiteKey) {
    const [row] = this.#database.all('SELECT status FROM suites WHERE id = ? AND tenant_id = ?', [
      suiteId,
      tenantId,
    ]);
    return row && statusOf(row['status']);
  }

  #rowOf(row: SqlRow): SuiteRow {
    const verdicts: Record<string, number> = {};
    let [paths, done] = [0, 0];
    for (const group of this.#database.all(COUNT_PATHS, [row['id'] ?? null])) {
      const count = Number(group['n']);
      paths += count;
      if (group['verdict'] === null) continue;
      done += count;
      verdicts[text(group['verdict'])] = count;
    }
    return {
      tenantId: text(row['tenant_id']),
      suiteId: text(row['id']),
      ts: Number(row['ts']),
      leftUrl: text(row['left_url']),
      rightUrl: text(row['right_url']),
      optionsJson: text(row['options_json']),
      status: statusOf(row['status']),
      findingsJson: textOrNull(row['findings_json']),
      notesJson: textOrNull(row['notes_json']),
      error: textOrNull(row['error']),
      paths,
      done,
      verdicts,
    };
  }

  /** Drops ended suites beyond the newest, by time and then id; never the one that was just written. */
  #retain(tenantId: string, except: string): void {
    for (const row of this.#database.all(SELECT_SURPLUS, [tenantId, SUITE_LIMITS.kept])) {
      const id = text(row['id']);
      if (row['status'] === 'running' || id === except) continue;
      deleteSuite(this.#database, id);
    }
  }
}

function bytesOrNull(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

const COUNT_RUNNING = `SELECT count(*) AS n FROM suites WHERE tenant_id = ? AND status = 'running'`;
const INSERT_SUITE = `INSERT INTO suites (
  id, tenant_id, ts, left_url, right_url, options_json, lease_until, left_sealed, right_sealed
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_PATH = 'INSERT INTO suite_paths (suite_id, n, path, comparison_id) VALUES (?, ?, ?, ?)';
const SELECT_OPEN_PATH = 'SELECT n FROM suite_paths WHERE suite_id = ? AND n = ? AND verdict IS NULL';
const END_SUITE = `UPDATE suites SET status = ?, error = ?, left_sealed = NULL, right_sealed = NULL WHERE id = ?`;
const SELECT_SUITE = `SELECT s.id, s.tenant_id, s.ts, s.left_url, s.right_url, s.options_json, s.status,
  s.findings_json, s.notes_json, s.error FROM suites s`;
const COUNT_PATHS = 'SELECT verdict, count(*) AS n FROM suite_paths WHERE suite_id = ? GROUP BY verdict';
const SELECT_PATHS = `SELECT p.n, p.path, p.comparison_id, p.verdict, p.findings FROM suite_paths p
  JOIN suites s ON s.id = p.suite_id
  WHERE s.id = ? AND s.tenant_id = ? AND p.n > ? AND (? = 0 OR p.verdict IS NULL) ORDER BY p.n LIMIT ?`;
const SELECT_SEALED = `SELECT left_sealed, right_sealed FROM suites
  WHERE id = ? AND tenant_id = ? AND status = 'running'`;
const SELECT_EXPIRED = `SELECT id, tenant_id FROM suites WHERE status = 'running' AND lease_until <= ?
  ORDER BY lease_until LIMIT ?`;
const SELECT_SURPLUS = `SELECT id, status FROM suites WHERE tenant_id = ?
  ORDER BY ts DESC, id DESC LIMIT -1 OFFSET ?`;
