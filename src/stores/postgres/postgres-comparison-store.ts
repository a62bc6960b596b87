/** The history of comparisons on PostgreSQL: the same rows as on the embedded engine, every method one transaction. */
import {
  type AcceptedFinding,
  COMPARISON_EXPIRED,
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStatus,
  type ComparisonStore,
  type ComparisonStoreOptions,
  type CreateComparisonOutcome,
  type ExplanationInput,
  type ExplanationState,
  type HistoryQuery,
  type NewComparison,
  type PairName,
  type PairRemoval,
  type PairSummary,
  type ProbeInput,
  type SealedSides,
  type StoredProbe,
} from '../../compare/index.js';
import { asNumberOrNull, asTextOrNull, type PgDatabase, type PgQueries, type PgRow } from './pg-database.js';
import { PostgresPairBaselines } from './postgres-pair-baselines.js';
import * as sql from './sql/comparisons.js';
import { DELETE_ALL_ACCEPTED } from './sql/pair-baselines.js';

type Ending = readonly [status: 'completed' | 'failed', resultJson: string | null, error: string | null];

export class PostgresComparisonStore implements ComparisonStore {
  readonly #database: PgDatabase;
  readonly #clock: () => number;
  readonly #kept: number;
  readonly #running: number;
  readonly #leaseMs: number;
  readonly #baselines: PostgresPairBaselines;

  constructor(database: PgDatabase, options: ComparisonStoreOptions) {
    this.#database = database;
    this.#baselines = new PostgresPairBaselines(database);
    this.#clock = options.clock;
    this.#kept = options.kept ?? COMPARISON_LIMITS.kept;
    this.#running = options.running ?? COMPARISON_LIMITS.running;
    this.#leaseMs = options.leaseMs ?? COMPARISON_LIMITS.leaseMs;
  }

  createComparison(input: NewComparison): Promise<CreateComparisonOutcome> {
    return this.#database.transaction(async (queries, mayHaveCommitted): Promise<CreateComparisonOutcome> => {
      const { tenantId, comparisonId, pairKey } = input;
      await queries.query(sql.LOCK_PAIR, [`${tenantId} ${pairKey}`]);
      const [existing] = await queries.query(sql.LOCK_COMPARISON, [comparisonId, tenantId]);
      if (existing) {
        return { kind: mayHaveCommitted ? 'created' : 'exists', comparisonId, status: statusOf(existing) };
      }
      const [busy] = await queries.query(sql.COUNT_RUNNING, [tenantId, pairKey]);
      if (Number(busy?.['n']) >= this.#running) return { kind: 'too_many_running', limit: this.#running };
      const now = this.#clock();
      const { leftUrl, rightUrl, optionsJson, leftSealed, rightSealed } = input;
      const sides = [leftUrl, rightUrl, optionsJson, now + this.#leaseMs, leftSealed, rightSealed];
      await queries.query(sql.INSERT_COMPARISON, [comparisonId, tenantId, pairKey, now, ...sides]);
      await queries.query(sql.INSERT_EXPLANATION, [comparisonId, input.explain ? 'pending' : 'off']);
      await this.#retain(queries, input);
      return { kind: 'created', comparisonId, status: 'running' };
    });
  }

  saveProbe(input: ProbeInput): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const { tenantId, comparisonId, side, url, envelopeJson, sample } = input;
      const [row] = await queries.query(sql.LOCK_COMPARISON, [comparisonId, tenantId]);
      if (!row || statusOf(row) !== 'running') return false;
      const probeId = `${comparisonId}:${side}`;
      const now = this.#clock();
      if (sample === 1) {
        await queries.query(sql.UPSERT_PROBE, [probeId, comparisonId, now, side, url, envelopeJson]);
      } else {
        await queries.query(sql.UPSERT_SAMPLE, [probeId, sample, envelopeJson]);
      }
      await queries.query(sql.RENEW_COMPARISON, [comparisonId, now + this.#leaseMs]);
      return true;
    });
  }

  saveResult({ resultJson, ...key }: ComparisonKey & { readonly resultJson: string }): Promise<boolean> {
    return this.#end(key, ['completed', resultJson, null]);
  }

  failComparison({ error, ...key }: ComparisonKey & { readonly error: string }): Promise<boolean> {
    return this.#end(key, ['failed', null, error]);
  }

  async getComparison({ tenantId, comparisonId }: ComparisonKey): Promise<ComparisonRow | undefined> {
    const [row] = await this.#database.query(sql.SELECT_COMPARISON, [comparisonId, tenantId]);
    return row && comparisonOf(row);
  }

  async getComparisonsForHistory(query: HistoryQuery): Promise<readonly ComparisonRow[]> {
    const { tenantId, pairKey, limit, completedOnly } = query;
    const params = [tenantId, pairKey, completedOnly, bounded(limit)];
    return (await this.#database.query(sql.SELECT_HISTORY, params)).map(comparisonOf);
  }

  async getProbes({ tenantId, comparisonId }: ComparisonKey): Promise<readonly StoredProbe[]> {
    const probes = await this.#database.query(sql.SELECT_PROBES, [comparisonId, tenantId]);
    const samples = await this.#database.query(sql.SELECT_SAMPLES, [comparisonId, tenantId]);
    return probes.map((row) => ({
      probeId: String(row['id']),
      side: row['side'] === 'left' ? 'left' : 'right',
      ts: Number(row['ts']),
      url: String(row['url']),
      envelopeJson: String(row['envelope_json']),
      samples: samples
        .filter((sample) => sample['probe_id'] === row['id'])
        .map((sample) => ({ sample: Number(sample['n']), envelopeJson: String(sample['envelope_json']) })),
    }));
  }

  async getSealed({ tenantId, comparisonId }: ComparisonKey): Promise<SealedSides | undefined> {
    const [row] = await this.#database.query(sql.SELECT_SEALED, [comparisonId, tenantId]);
    return row && sealedOf(row);
  }

  async saveExplanation(input: ExplanationInput): Promise<boolean> {
    const { comparisonId, tenantId, state, textJson, model, promptVersion } = input;
    const params = [comparisonId, tenantId, state, textJson, model, promptVersion];
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const saved = await queries.query(sql.UPDATE_EXPLANATION, params);
      return saved.length > 0 || mayHaveCommitted;
    });
  }

  async listPairs(query: { readonly tenantId: string; readonly limit: number }) {
    const params = [query.tenantId, bounded(query.limit)];
    return (await this.#database.query(sql.SELECT_PAIRS, params)).map(pairOf);
  }

  acceptFindings(input: PairName & { readonly accepted: readonly AcceptedFinding[] }): Promise<boolean> {
    return this.#baselines.accept(input);
  }

  getAccepted(pair: PairName): Promise<readonly AcceptedFinding[]> {
    return this.#baselines.list(pair);
  }

  removeAccepted(input: PairName & { readonly fingerprint: string }): Promise<boolean> {
    return this.#baselines.remove(input);
  }

  removeComparison({ tenantId, comparisonId }: ComparisonKey) {
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const [row] = await queries.query(sql.LOCK_COMPARISON, [comparisonId, tenantId]);
      if (!row) return mayHaveCommitted ? 'removed' : 'missing';
      if (statusOf(row) === 'running') return 'running';
      await queries.query(sql.DELETE_COMPARISON, [comparisonId]);
      return 'removed';
    });
  }

  removePair({ tenantId, pairKey }: PairName): Promise<PairRemoval> {
    return this.#database.transaction(async (queries, mayHaveCommitted): Promise<PairRemoval> => {
      await queries.query(sql.LOCK_PAIR, [`${tenantId} ${pairKey}`]);
      const [running] = await queries.query(sql.SELECT_RUNNING_OF_PAIR, [tenantId, pairKey]);
      if (running) return { kind: 'running', comparisonId: String(running['id']) };
      const limit = COMPARISON_LIMITS.removedAtOnce;
      const gone = await queries.query(sql.DELETE_OF_PAIR, [tenantId, pairKey, limit]);
      const comparisonIds = gone.map(({ id }) => String(id));
      if (gone.length === limit) return { kind: 'more', comparisonIds };
      const accepted = await queries.query(DELETE_ALL_ACCEPTED, [tenantId, pairKey]);
      const found = gone.length > 0 || accepted.length > 0 || mayHaveCommitted;
      return found ? { kind: 'removed', comparisonIds } : { kind: 'missing' };
    });
  }

  async endExpired(limit: number): Promise<readonly ComparisonKey[]> {
    const rows = await this.#database.query(sql.SELECT_EXPIRED, [this.#clock(), limit]);
    const ended: ComparisonKey[] = [];
    for (const row of rows) {
      const key = { tenantId: String(row['tenant_id']), comparisonId: String(row['id']) };
      if (await this.failComparison({ ...key, error: COMPARISON_EXPIRED })) ended.push(key);
    }
    return ended;
  }

  /** Compare and set: only a running comparison ends, and with its end its sealed sides go. */
  #end({ tenantId, comparisonId }: ComparisonKey, ending: Ending): Promise<boolean> {
    return this.#database.transaction(async (queries, mayHaveCommitted) => {
      const [row] = await queries.query(sql.LOCK_COMPARISON, [comparisonId, tenantId]);
      if (!row) return false;
      // Ended the same way by the run whose COMMIT went unanswered, or by another, which is as good.
      if (statusOf(row) !== 'running') return mayHaveCommitted && statusOf(row) === ending[0];
      await queries.query(sql.END_COMPARISON, [comparisonId, ...ending]);
      // Nobody will explain what did not end well.
      if (ending[0] === 'failed') await queries.query(sql.EXPLANATION_OFF, [comparisonId]);
      await this.#retain(queries, { tenantId, comparisonId, pairKey: String(row['pair_key']) });
      return true;
    });
  }

  async #retain(
    queries: PgQueries,
    { tenantId, comparisonId, pairKey }: ComparisonKey & { readonly pairKey: string },
  ): Promise<void> {
    await queries.query(sql.DELETE_SURPLUS, [tenantId, pairKey, this.#kept, comparisonId]);
  }
}

function bounded(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), COMPARISON_LIMITS.historyMax));
}

function statusOf(row: PgRow): ComparisonStatus {
  return String(row['status']) as ComparisonStatus;
}

export function sealedOf(row: PgRow): SealedSides {
  return { left: bytesOrNull(row['left_sealed']), right: bytesOrNull(row['right_sealed']) };
}

function bytesOrNull(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array ? new Uint8Array(value) : null;
}

function comparisonOf(row: PgRow): ComparisonRow {
  return {
    tenantId: String(row['tenant_id']),
    comparisonId: String(row['id']),
    pairKey: String(row['pair_key']),
    ts: Number(row['ts']),
    leftUrl: String(row['left_url']),
    rightUrl: String(row['right_url']),
    optionsJson: String(row['options_json']),
    status: statusOf(row),
    resultJson: asTextOrNull(row['result_json']),
    error: asTextOrNull(row['error']),
    explanation: {
      state: (asTextOrNull(row['state']) ?? 'off') as ExplanationState,
      textJson: asTextOrNull(row['text_json']),
      model: asTextOrNull(row['model']),
      promptVersion: asNumberOrNull(row['prompt_version']),
    },
  };
}

function pairOf(row: PgRow): PairSummary {
  return {
    pairKey: String(row['pair_key']),
    leftUrl: String(row['left_url']),
    rightUrl: String(row['right_url']),
    comparisons: Number(row['comparisons']),
    lastTs: Number(row['ts']),
    lastComparisonId: String(row['id']),
    lastStatus: statusOf(row),
  };
}
