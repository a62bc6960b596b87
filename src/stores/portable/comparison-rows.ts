/** The store of comparisons, for every SQL engine. Every method that writes is one transaction. */
import {
  type AcceptedFinding,
  type BaselineEntry,
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
  type PairQuery,
  type PairRemoval,
  type PairSummary,
  type ProbeInput,
  type SealedSides,
  type StoredProbe,
} from '../../compare/index.js';
import type { Removal } from '../../removal.js';
import * as sql from './comparison-sql.js';
import { insertRunJob, lockOpenJob } from './run-jobs.js';
import {
  bytesOrNull,
  numberOrNull,
  type PortableRow,
  query,
  type SqlWork,
  textOrNull,
  transaction,
  type WorkPort,
} from './sql-work.js';

type Ending = readonly [status: 'completed' | 'failed', resultJson: string | null, error: string | null];

export class ComparisonRows implements WorkPort<ComparisonStore> {
  readonly #clock: () => number;
  readonly #jobClock: () => number;
  readonly #hasJobs: boolean;
  readonly #kept: number;
  readonly #running: number;

  constructor(options: ComparisonStoreOptions) {
    this.#clock = options.clock;
    this.#jobClock = options.jobClock ?? options.clock;
    this.#hasJobs = options.hasJobs ?? true;
    this.#kept = options.kept ?? COMPARISON_LIMITS.kept;
    this.#running = options.running ?? COMPARISON_LIMITS.running;
  }

  createComparison(input: NewComparison) {
    return transaction((mayHaveCommitted) => this.#create(input, mayHaveCommitted));
  }

  *#create(input: NewComparison, mayHaveCommitted: boolean): SqlWork<CreateComparisonOutcome> {
    const { tenantId, comparisonId, pairKey, jobId = null, job } = input;
    yield* lockPair(input);
    const existing = yield* lockComparison(input);
    if (existing) {
      return { kind: mayHaveCommitted ? 'created' : 'exists', comparisonId, status: statusOf(existing) };
    }
    const [busy] = yield* query(sql.COUNT_RUNNING, [tenantId, pairKey]);
    if (Number(busy?.['n']) >= this.#running) return { kind: 'too_many_running', limit: this.#running };
    if (jobId !== null && !job && this.#hasJobs && !(yield* lockOpenJob(jobId))) return { kind: 'ended' };
    const now = this.#clock();
    const { leftUrl, rightUrl, optionsJson, leftSealed, rightSealed, suiteId = null } = input;
    const sides = [leftUrl, rightUrl, optionsJson, leftSealed, rightSealed];
    yield* query(sql.INSERT_COMPARISON, [comparisonId, tenantId, now, ...sides, suiteId, jobId]);
    yield* query(sql.INSERT_EXPLANATION, [comparisonId, input.explain ? 'pending' : 'off']);
    yield* this.#retain(input);
    if (job) yield* insertRunJob(job, this.#jobClock());
    return { kind: 'created', comparisonId, status: 'running' };
  }

  saveProbe(input: ProbeInput) {
    return transaction(() => this.#saveProbe(input));
  }

  *#saveProbe(input: ProbeInput): SqlWork<boolean> {
    const { comparisonId, side, url, envelopeJson, sample } = input;
    const row = yield* lockComparison(input);
    if (!row || statusOf(row) !== 'running') return false;
    const probeId = `${comparisonId}:${side}`;
    const now = this.#clock();
    if (sample === 1) yield* query(sql.UPSERT_PROBE, [probeId, comparisonId, now, side, url, envelopeJson]);
    else yield* query(sql.UPSERT_SAMPLE, [probeId, sample, envelopeJson]);
    return true;
  }

  saveResult({ resultJson, ...key }: ComparisonKey & { readonly resultJson: string }) {
    return this.#end(key, ['completed', resultJson, null]);
  }

  failComparison({ error, ...key }: ComparisonKey & { readonly error: string }) {
    return this.#end(key, ['failed', null, error]);
  }

  *getComparison({ tenantId, comparisonId }: ComparisonKey): SqlWork<ComparisonRow | undefined> {
    const [row] = yield* query(sql.SELECT_COMPARISON, [comparisonId, tenantId]);
    return row && comparisonOf(row);
  }

  *getComparisonsForHistory(input: HistoryQuery): SqlWork<readonly ComparisonRow[]> {
    const { tenantId, pairKey, limit, completedOnly } = input;
    const params = [tenantId, pairKey, Number(completedOnly), bounded(limit, COMPARISON_LIMITS.historyMax)];
    return (yield* query(sql.SELECT_HISTORY, params)).map(comparisonOf);
  }

  *getProbes({ tenantId, comparisonId }: ComparisonKey): SqlWork<readonly StoredProbe[]> {
    const probes = yield* query(sql.SELECT_PROBES, [comparisonId, tenantId]);
    const samples = yield* query(sql.SELECT_SAMPLES, [comparisonId, tenantId]);
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

  *getSealed({ tenantId, comparisonId }: ComparisonKey): SqlWork<SealedSides | undefined> {
    const [row] = yield* query(sql.SELECT_SEALED, [comparisonId, tenantId]);
    return row && sealedOf(row);
  }

  saveExplanation(input: ExplanationInput) {
    const { state, textJson, model, promptVersion, comparisonId } = input;
    return transaction(function* (mayHaveCommitted) {
      const row = yield* lockComparison(input);
      if (!row || statusOf(row) !== 'completed') return false;
      const params = [state, textJson, model, promptVersion, comparisonId];
      return (yield* query(sql.UPDATE_EXPLANATION, params)).length > 0 || mayHaveCommitted;
    });
  }

  *listPairs({ tenantId, limit, own = false, after }: PairQuery): SqlWork<readonly PairSummary[]> {
    const { ts, comparisonId } = after ?? { ts: Number.MAX_SAFE_INTEGER, comparisonId: '' };
    const params = [tenantId, ts, comparisonId, bounded(limit, COMPARISON_LIMITS.pairsAtOnce)];
    return (yield* query(own ? sql.SELECT_OWN_PAIRS : sql.SELECT_PAIRS, params)).map(pairOf);
  }

  acceptFindings({ accepted, ...pair }: PairName & { readonly accepted: readonly AcceptedFinding[] }) {
    const list = () => this.getAccepted(pair);
    return transaction(function* () {
      yield* lockPair(pair);
      const known = (yield* list()).map(({ entry }) => entry.fingerprint);
      const all = new Set([...known, ...accepted.map(({ entry }) => entry.fingerprint)]);
      if (all.size > COMPARISON_LIMITS.accepted) return false;
      for (const { entry, comparisonId, acceptedAt } of accepted) {
        const row = [entry.fingerprint, comparisonId, acceptedAt, JSON.stringify(entry)];
        yield* query(sql.UPSERT_ACCEPTED, [pair.tenantId, pair.pairKey, ...row]);
      }
      return true;
    });
  }

  *getAccepted({ tenantId, pairKey }: PairName): SqlWork<readonly AcceptedFinding[]> {
    return (yield* query(sql.SELECT_ACCEPTED, [tenantId, pairKey])).map(acceptedOf);
  }

  removeAccepted({ tenantId, pairKey, fingerprint }: PairName & { readonly fingerprint: string }) {
    return transaction(function* (mayHaveCommitted) {
      const removed = yield* query(sql.DELETE_ACCEPTED, [tenantId, pairKey, fingerprint]);
      return removed.length > 0 || mayHaveCommitted;
    });
  }

  removeComparison(key: ComparisonKey) {
    return transaction(function* (mayHaveCommitted): SqlWork<Exclude<Removal, 'more'>> {
      const row = yield* lockComparison(key);
      if (!row) return mayHaveCommitted ? 'removed' : 'missing';
      if (statusOf(row) === 'running') return 'running';
      yield* deleteComparison(key.comparisonId);
      return 'removed';
    });
  }

  removePair(pair: PairName) {
    const { tenantId, pairKey } = pair;
    return transaction(function* (mayHaveCommitted): SqlWork<PairRemoval> {
      yield* lockPair(pair);
      const [running] = yield* query(sql.SELECT_RUNNING_OF_PAIR, [tenantId, pairKey]);
      if (running) return { kind: 'running', comparisonId: String(running['id']) };
      const limit = COMPARISON_LIMITS.removedAtOnce;
      const ended = yield* query(sql.SELECT_OF_PAIR, [tenantId, pairKey, limit]);
      const comparisonIds = ended.map(({ id }) => String(id));
      for (const id of comparisonIds) yield* deleteComparison(id);
      if (comparisonIds.length === limit) return { kind: 'more', comparisonIds };
      const accepted = yield* query(sql.DELETE_ALL_ACCEPTED, [tenantId, pairKey]);
      const found = comparisonIds.length > 0 || accepted.length > 0 || mayHaveCommitted;
      return found ? { kind: 'removed', comparisonIds } : { kind: 'missing' };
    });
  }

  /** Only a running comparison can end. Ending it also clears its sealed sides. */
  #end(key: ComparisonKey, ending: Ending): SqlWork<boolean> {
    const retain = (pairKey: string) => this.#retain({ ...key, pairKey });
    return transaction(function* (mayHaveCommitted) {
      const row = yield* lockComparison(key);
      if (!row) return false;
      // The earlier run whose COMMIT got no response ended it the same way, or another caller did, which is equivalent.
      if (statusOf(row) !== 'running') return mayHaveCommitted && statusOf(row) === ending[0];
      yield* query(sql.END_COMPARISON, [...ending, key.comparisonId]);
      // A failed comparison is never explained.
      if (ending[0] === 'failed') yield* query(sql.EXPLANATION_OFF, [key.comparisonId]);
      yield* retain(String(row['pair_key']));
      return true;
    });
  }

  /** Deletes ended comparisons beyond the newest, by time and then id; never the one that was just written. */
  *#retain({ tenantId, comparisonId, pairKey }: ComparisonKey & PairName): SqlWork<void> {
    for (const row of yield* query(sql.SELECT_SURPLUS, [tenantId, pairKey, this.#kept])) {
      const id = String(row['id']);
      if (statusOf(row) !== 'running' && id !== comparisonId) yield* deleteComparison(id);
    }
  }
}

function* lockPair({ tenantId, pairKey }: PairName): SqlWork<void> {
  yield* query(sql.LOCK_PAIR, [`${tenantId} ${pairKey}`]);
}

function* lockComparison({ tenantId, comparisonId }: ComparisonKey): SqlWork<PortableRow | undefined> {
  return (yield* query(sql.LOCK_COMPARISON, [comparisonId, tenantId]))[0];
}

export function* deleteComparison(comparisonId: string): SqlWork<void> {
  for (const statement of sql.DELETE_COMPARISON) yield* query(statement, [comparisonId]);
}

function bounded(limit: number, max: number): number {
  return Math.max(0, Math.min(Math.floor(limit), max));
}

export function statusOf(row: PortableRow): ComparisonStatus {
  return String(row['status']) as ComparisonStatus;
}

export function sealedOf(row: PortableRow): SealedSides {
  return { left: bytesOrNull(row['left_sealed']), right: bytesOrNull(row['right_sealed']) };
}

function comparisonOf(row: PortableRow): ComparisonRow {
  return {
    tenantId: String(row['tenant_id']),
    comparisonId: String(row['id']),
    pairKey: String(row['pair_key']),
    ts: Number(row['ts']),
    leftUrl: String(row['left_url']),
    rightUrl: String(row['right_url']),
    optionsJson: String(row['options_json']),
    status: statusOf(row),
    resultJson: textOrNull(row['result_json']),
    error: textOrNull(row['error']),
    explanation: {
      state: (textOrNull(row['state']) ?? 'off') as ExplanationState,
      textJson: textOrNull(row['text_json']),
      model: textOrNull(row['model']),
      promptVersion: numberOrNull(row['prompt_version']),
    },
  };
}

function pairOf(row: PortableRow): PairSummary {
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

function acceptedOf(row: PortableRow): AcceptedFinding {
  return {
    entry: JSON.parse(String(row['entry_json'])) as BaselineEntry,
    comparisonId: String(row['comparison_id']),
    acceptedAt: Number(row['accepted_at']),
  };
}
