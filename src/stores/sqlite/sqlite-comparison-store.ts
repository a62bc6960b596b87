/**
 * The history of comparisons over SQLite: plain synchronous code, to be hosted where it may block. Every method
 * is one transaction. Rows that hang on a comparison are deleted by hand with it, since not every host of this
 * code enforces foreign keys.
 */
import {
  type AcceptedFinding,
  COMPARISON_EXPIRED,
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStore,
  type ComparisonStoreOptions,
  type CreateComparisonOutcome,
  type ExplanationInput,
  type HistoryQuery,
  type NewComparison,
  type PairName,
  type PairRemoval,
  type PairSummary,
  type ProbeInput,
  type SealedSides,
  type StoredProbe,
} from '../../compare/index.js';
import { COMPARISON_COLUMNS, comparisonOf, pairOf, statusOf, text } from './comparison-row.js';
import { COMPARISON_SCHEMA } from './comparison-schema.js';
import { deleteComparison } from './delete-comparison.js';
import { PairBaselines } from './pair-baselines.js';
import { prepareSchema } from './prepare-schema.js';
import type { SqlDatabase, SqlValue } from './sql-database.js';
import type { SyncPort } from './sync-port.js';

export class SqliteComparisonStore implements SyncPort<ComparisonStore> {
  readonly #database: SqlDatabase;
  readonly #clock: () => number;
  readonly #kept: number;
  readonly #running: number;
  readonly #leaseMs: number;
  readonly #baselines: PairBaselines;

  constructor(database: SqlDatabase, options: ComparisonStoreOptions) {
    this.#database = database;
    this.#clock = options.clock;
    this.#kept = options.kept ?? COMPARISON_LIMITS.kept;
    this.#running = options.running ?? COMPARISON_LIMITS.running;
    this.#leaseMs = options.leaseMs ?? COMPARISON_LIMITS.leaseMs;
    this.#baselines = new PairBaselines(database);
    prepareSchema(database, COMPARISON_SCHEMA);
  }

  createComparison(input: NewComparison): CreateComparisonOutcome {
    return this.#database.transaction(() => {
      const { tenantId, comparisonId, pairKey } = input;
      const [existing] = this.#database.all('SELECT status FROM comparisons WHERE id = ? AND tenant_id = ?', [
        comparisonId,
        tenantId,
      ]);
      if (existing) return { kind: 'exists', comparisonId, status: statusOf(existing['status']) };
      const [busy] = this.#database.all(COUNT_RUNNING, [tenantId, pairKey]);
      if (Number(busy?.['n']) >= this.#running) return { kind: 'too_many_running', limit: this.#running };
      const now = this.#clock();
      this.#database.run(INSERT_COMPARISON, [
        comparisonId,
        tenantId,
        pairKey,
        now,
        input.leftUrl,
        input.rightUrl,
        input.optionsJson,
        now + this.#leaseMs,
        input.leftSealed,
        input.rightSealed,
      ]);
      this.#database.run('INSERT INTO explanations (comparison_id, state) VALUES (?, ?)', [
        comparisonId,
        input.explain ? 'pending' : 'off',
      ]);
      this.#retain(tenantId, pairKey, comparisonId);
      return { kind: 'created', comparisonId, status: 'running' };
    });
  }

  saveProbe(input: ProbeInput): boolean {
    return this.#database.transaction(() => {
      if (!this.#isRunning(input)) return false;
      const probeId = `${input.comparisonId}:${input.side}`;
      const now = this.#clock();
      if (input.sample === 1) {
        const { comparisonId, side, url, envelopeJson } = input;
        this.#database.run(UPSERT_PROBE, [probeId, comparisonId, now, side, url, envelopeJson]);
      } else {
        this.#database.run(UPSERT_SAMPLE, [probeId, input.sample, input.envelopeJson]);
      }
      this.#database.run('UPDATE comparisons SET lease_until = ? WHERE id = ?', [
        now + this.#leaseMs,
        input.comparisonId,
      ]);
      return true;
    });
  }

  saveResult({ resultJson, ...key }: ComparisonKey & { readonly resultJson: string }): boolean {
    return this.#end(key, ['completed', resultJson, null]);
  }

  failComparison({ error, ...key }: ComparisonKey & { readonly error: string }): boolean {
    return this.#database.transaction(() => {
      const failed = this.#end(key, ['failed', null, error]);
      // Nobody will explain what did not end well.
      if (failed) this.#database.run(EXPLANATION_OFF, [key.comparisonId]);
      return failed;
    });
  }

  getComparison({ tenantId, comparisonId }: ComparisonKey): ComparisonRow | undefined {
    const [row] = this.#database.all(SELECT_COMPARISON, [comparisonId, tenantId]);
    return row && comparisonOf(row);
  }

  getComparisonsForHistory({
    tenantId,
    pairKey,
    limit,
    completedOnly,
  }: HistoryQuery): readonly ComparisonRow[] {
    const rows = this.#database.all(SELECT_HISTORY, [
      tenantId,
      pairKey,
      completedOnly ? 1 : 0,
      bounded(limit, COMPARISON_LIMITS.historyMax),
    ]);
    return rows.map(comparisonOf);
  }

  getProbes({ tenantId, comparisonId }: ComparisonKey): readonly StoredProbe[] {
    return this.#database.all(SELECT_PROBES, [comparisonId, tenantId]).map((row) => ({
      probeId: text(row['id']),
      side: row['side'] === 'left' ? 'left' : 'right',
      ts: Number(row['ts']),
      url: text(row['url']),
      envelopeJson: text(row['envelope_json']),
      samples: this.#database
        .all('SELECT n, envelope_json FROM probe_samples WHERE probe_id = ? ORDER BY n', [row['id'] ?? null])
        .map((sample) => ({ sample: Number(sample['n']), envelopeJson: text(sample['envelope_json']) })),
    }));
  }

  getSealed({ tenantId, comparisonId }: ComparisonKey): SealedSides | undefined {
    const [row] = this.#database.all(SELECT_SEALED, [comparisonId, tenantId]);
    return row && { left: bytesOrNull(row['left_sealed']), right: bytesOrNull(row['right_sealed']) };
  }

  saveExplanation(input: ExplanationInput): boolean {
    return this.#database.transaction(() => {
      const row = this.getComparison(input);
      if (row?.status !== 'completed' || row.explanation.state !== 'pending') return false;
      const { state, textJson, model, promptVersion, comparisonId } = input;
      this.#database.run(UPDATE_EXPLANATION, [state, textJson, model, promptVersion, comparisonId]);
      return true;
    });
  }

  listPairs({
    tenantId,
    limit,
  }: {
    readonly tenantId: string;
    readonly limit: number;
  }): readonly PairSummary[] {
    return this.#database
      .all(SELECT_PAIRS, [tenantId, bounded(limit, COMPARISON_LIMITS.historyMax)])
      .map(pairOf);
  }

  acceptFindings(input: PairName & { readonly accepted: readonly AcceptedFinding[] }): boolean {
    return this.#baselines.accept(input);
  }

  getAccepted(pair: PairName): readonly AcceptedFinding[] {
    return this.#baselines.list(pair);
  }

  removeAccepted(input: PairName & { readonly fingerprint: string }): boolean {
    return this.#baselines.remove(input);
  }

  removeComparison(key: ComparisonKey) {
    return this.#database.transaction(() => {
      const row = this.getComparison(key);
      if (!row) return 'missing';
      if (row.status === 'running') return 'running';
      deleteComparison(this.#database, row.comparisonId);
      return 'removed';
    });
  }

  removePair(pair: PairName): PairRemoval {
    return this.#database.transaction(() => {
      const { tenantId, pairKey } = pair;
      const [running] = this.#database.all(SELECT_RUNNING_OF_PAIR, [tenantId, pairKey]);
      if (running) return { kind: 'running', comparisonId: text(running['id']) };
      const limit = COMPARISON_LIMITS.removedAtOnce;
      const comparisonIds = this.#database
        .all(SELECT_OF_PAIR, [tenantId, pairKey, limit])
        .map(({ id }) => text(id));
      for (const id of comparisonIds) deleteComparison(this.#database, id);
      if (comparisonIds.length === limit) return { kind: 'more', comparisonIds };
      const accepted = this.#baselines.clear(pair);
      return comparisonIds.length > 0 || accepted ? { kind: 'removed', comparisonIds } : { kind: 'missing' };
    });
  }

  endExpired(limit: number): readonly ComparisonKey[] {
    const rows = this.#database.all(SELECT_EXPIRED, [this.#clock(), limit]);
    const keys = rows.map((row) => ({ tenantId: text(row['tenant_id']), comparisonId: text(row['id']) }));
    return keys.filter((key) => this.failComparison({ ...key, error: COMPARISON_EXPIRED }));
  }

  /** Compare and set: only a running comparison ends, and with its end its sealed sides go. */
  #end(
    key: ComparisonKey,
    outcome: readonly [status: string, resultJson: SqlValue, error: SqlValue],
  ): boolean {
    return this.#database.transaction(() => {
      if (!this.#isRunning(key)) return false;
      this.#database.run(END_COMPARISON, [...outcome, key.comparisonId]);
      const row = this.getComparison(key);
      if (row) this.#retain(key.tenantId, row.pairKey, key.comparisonId);
      return true;
    });
  }

  #isRunning({ tenantId, comparisonId }: ComparisonKey): boolean {
    return this.#database.all(SELECT_RUNNING, [comparisonId, tenantId]).length > 0;
  }

  /** Drops ended comparisons beyond the newest, by time and then id; never the one that was just written. */
  #retain(tenantId: string, pairKey: string, except: string): void {
    for (const row of this.#database.all(SELECT_SURPLUS, [tenantId, pairKey, this.#kept])) {
      const id = text(row['id']);
      if (row['status'] === 'running' || id === except) continue;
      deleteComparison(this.#database, id);
    }
  }
}

function bounded(limit: number, max: number): number {
  return Math.max(0, Math.min(Math.floor(limit), max));
}

function bytesOrNull(value: SqlValue | undefined): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}

const COUNT_RUNNING = `SELECT count(*) AS n FROM comparisons
  WHERE tenant_id = ? AND pair_key = ? AND status = 'running'`;
const SELECT_RUNNING_OF_PAIR = `SELECT id FROM comparisons
  WHERE tenant_id = ? AND pair_key = ? AND status = 'running' LIMIT 1`;
const SELECT_OF_PAIR = 'SELECT id FROM comparisons WHERE tenant_id = ? AND pair_key = ? LIMIT ?';
const INSERT_COMPARISON = `INSERT INTO comparisons (
  id, tenant_id, pair_key, ts, left_url, right_url, options_json, lease_until, left_sealed, right_sealed
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPSERT_PROBE = `INSERT INTO probes (id, comparison_id, ts, side, url, envelope_json)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, envelope_json = excluded.envelope_json`;
const UPSERT_SAMPLE = `INSERT INTO probe_samples (probe_id, n, envelope_json) VALUES (?, ?, ?)
  ON CONFLICT (probe_id, n) DO UPDATE SET envelope_json = excluded.envelope_json`;
const SELECT_RUNNING = `SELECT id FROM comparisons WHERE id = ? AND tenant_id = ? AND status = 'running'`;
const SELECT_COMPARISON = `SELECT ${COMPARISON_COLUMNS} FROM comparisons c
  LEFT JOIN explanations e ON e.comparison_id = c.id WHERE c.id = ? AND c.tenant_id = ?`;
const SELECT_HISTORY = `SELECT ${COMPARISON_COLUMNS} FROM comparisons c
  LEFT JOIN explanations e ON e.comparison_id = c.id
  WHERE c.tenant_id = ? AND c.pair_key = ? AND (? = 0 OR c.status = 'completed')
  ORDER BY c.ts DESC, c.id DESC LIMIT ?`;
const SELECT_PROBES = `SELECT p.id, p.side, p.ts, p.url, p.envelope_json FROM probes p
  JOIN comparisons c ON c.id = p.comparison_id WHERE c.id = ? AND c.tenant_id = ? ORDER BY p.side`;
const SELECT_SEALED = `SELECT left_sealed, right_sealed FROM comparisons
  WHERE id = ? AND tenant_id = ? AND status = 'running'`;
const END_COMPARISON = `UPDATE comparisons
  SET status = ?, result_json = ?, error = ?, left_sealed = NULL, right_sealed = NULL
  WHERE id = ? AND status = 'running'`;
const EXPLANATION_OFF = `UPDATE explanations SET state = 'off' WHERE comparison_id = ? AND state = 'pending'`;
const UPDATE_EXPLANATION = `UPDATE explanations SET state = ?, text_json = ?, model = ?, prompt_version = ?
  WHERE comparison_id = ? AND state = 'pending'`;
const SELECT_SURPLUS = `SELECT id, status FROM comparisons WHERE tenant_id = ? AND pair_key = ?
  ORDER BY ts DESC, id DESC LIMIT -1 OFFSET ?`;
const SELECT_EXPIRED = `SELECT id, tenant_id FROM comparisons WHERE status = 'running' AND lease_until <= ?
  ORDER BY lease_until LIMIT ?`;
const SELECT_PAIRS = `SELECT c.id, c.pair_key, c.ts, c.left_url, c.right_url, c.status, p.comparisons
  FROM pairs p JOIN comparisons c ON c.id = p.last_id
  WHERE p.tenant_id = ? ORDER BY p.last_ts DESC, p.last_id DESC LIMIT ?`;
