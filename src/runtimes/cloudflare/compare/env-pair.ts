/**
 * The object of one pair of environments. It stores the pair's comparisons, with the same store as the other engines,
 * and reports the pair's state to its tenant's object. Its alarm ends comparisons whose job has ended. There is no alarm while no comparison runs and the tenant's object has the last state.
 */
import { DurableObject } from 'cloudflare:workers';
import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import { readError } from '../../../api/views/comparison.js';
import {
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonState,
  type ComparisonStore,
  comparisonIdOf,
  createPairComparison,
  jobIdIn,
  type NewComparison,
  type PairName,
  pairKeyIn,
  pairKeyOf,
  probeInput,
  RUN_INTERRUPTED,
  stateOf,
} from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import { isEnded, JOB_LIMITS, uniqueKey } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createRedactor, type Redactor } from '../../../net/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';
import { sqliteComparisonStore } from '../../../stores/sqlite/run-work.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { createConsoleLog } from '../console-log.js';
import type { EdgeEnv } from '../edge-env.js';
import { readEdgeSettings } from '../edge-settings.js';
import { ObjectAlarm } from '../object-alarm.js';
import { objectIdOf } from '../placement.js';
import { recordPortsOf, recordsRpcOf } from '../records/records-rpc.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { openObjectDatabase } from '../sqlite/object-database.js';
import { unwrap, wrap } from '../wire-faults.js';
import type { EnvPairRpc } from './env-pair-rpc.js';
import { hasTables, UNMADE_PAIR } from './unmade-pair.js';

export const COMPARISON_READING: ReadonlySet<keyof ComparisonStore> = new Set([
  'getComparison',
  'getComparisonsForHistory',
  'getProbes',
  'getSealed',
  'getAccepted',
  'listPairs',
] as const);

/** A report to the tenant's object that failed or was lost is repeated after this long. */
const REPORT_AGAIN_MS = 30_000;
/** A create is two calls: first the row here, then the job in the tenant's object. A row may lack a job this long. */
const JOBLESS_MS = 30_000;

export class EnvPairDO extends DurableObject<EdgeEnv> implements EnvPairRpc {
  readonly #log: Log;
  readonly #database: SqlDatabase;
  readonly #alarm: ObjectAlarm;
  #created: ComparisonStore | undefined;
  readonly #quietMs: number;
  readonly #kept: number;
  #notifying: Promise<void> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env);
    const settings = readEdgeSettings(env);
    this.#log = createConsoleLog(settings.log.level);
    this.#quietMs = settings.edge.quietMs;
    this.#kept = settings.compare.kept;
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#database = openObjectDatabase(ctx.storage);
    if (hasTables(this.#database)) this.#createStore();
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      if (this.#created) this.#planWatch();
    });
  }

  get #store(): ComparisonStore {
    return (
      this.#created ?? {
        ...UNMADE_PAIR,
        createComparison: (input) => this.#createStore().createComparison(input),
      }
    );
  }

  #createStore(): ComparisonStore {
    const engine = sqliteComparisonStore(this.#database, {
      clock: Date.now,
      kept: this.#kept,
      hasJobs: false,
    });
    this.#created ??= hostEngine<ComparisonStore>(this.ctx.storage, engine, {
      reading: COMPARISON_READING,
      onWritten: (_result, method) => {
        if (ENDS.has(method)) this.#alarm.wakeBy(Date.now() + REPORT_AGAIN_MS);
      },
    });
    return this.#created;
  }

  createComparison(leftUrl: string, rightUrl: string, comparisonId?: string) {
    return throwPlainErrors(() => this.#createComparison(leftUrl, rightUrl, comparisonId));
  }

  async #createComparison(leftUrl: string, rightUrl: string, comparisonId?: string) {
    const tenantId = this.#tenantId ?? DEFAULT_TENANT;
    const redactor = createRedactor();
    refuseCredentials(redactor, leftUrl, rightUrl);
    const pair = { tenantId, leftUrl, rightUrl };
    const pairKey = pairKeyOf(pair);
    this.#refuseOthers(pairKey);
    const id = comparisonId ?? comparisonIdOf(pairKey, crypto.randomUUID());
    const created = await createPairComparison(this.#store, pair, {
      comparisonId: id,
      jobId: jobIdIn(id),
      redactUrl: (url) => redactor.text(url),
    });
    if (created.status === 'running') await this.#enqueue({ tenantId, comparisonId: created.comparisonId });
    await this.#notifyLedger();
    return created;
  }

  /** A comparison has one job, even if it is created repeatedly. */
  async #enqueue(payload: ComparisonKey): Promise<void> {
    const { tenantId, comparisonId } = payload;
    const jobId = jobIdIn(comparisonId);
    await unwrap(recordsRpcOf(this.env, tenantId).tenant(tenantId));
    const { maxAttempts } = JOB_LIMITS;
    await recordPortsOf(this.env, tenantId).jobs.enqueue([
      { jobId, tenantId, kind: 'compare', maxAttempts, payload, idempotencyKey: uniqueKey(jobId) },
    ]);
  }

  saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<void> {
    return throwPlainErrors(async () => {
      const key = this.#key(comparisonId);
      if (await this.#store.saveProbe(probeInput(key, side, envelope))) return;
      // An ended comparison stays unchanged. A probe without a comparison is an error of the caller.
      if (await this.#store.getComparison(key)) return;
      throw new SondeError('NOT_FOUND', `there is no comparison ${comparisonId}`);
    });
  }

  saveResult(comparisonId: string, result: unknown): Promise<void> {
    return throwPlainErrors(async () => {
      await this.#store.saveResult({ ...this.#key(comparisonId), resultJson: JSON.stringify(result) });
      await this.#notifyLedger();
    });
  }

  failComparison(comparisonId: string, error: string): Promise<void> {
    return throwPlainErrors(async () => {
      await this.#store.failComparison({ ...this.#key(comparisonId), error });
      await this.#notifyLedger();
    });
  }

  getComparison(comparisonId: string): Promise<ComparisonState> {
    return throwPlainErrors(async () => {
      const row = await this.#store.getComparison(this.#key(comparisonId));
      return row ? shownState(row) : { status: 'running' };
    });
  }

  getComparisonsForHistory(limit: number = COMPARISON_LIMITS.historyDefault): Promise<ComparisonState[]> {
    return throwPlainErrors(async () => {
      const [known] = this.#all('SELECT tenant_id, pair_key FROM comparisons LIMIT 1');
      if (!known) return [];
      const rows = await this.#store.getComparisonsForHistory({
        tenantId: String(known['tenant_id']),
        pairKey: String(known['pair_key']),
        limit,
        completedOnly: true,
      });
      return rows.map(shownState);
    });
  }

  store(method: string, args: readonly unknown[]) {
    return wrap(this.#log, async () => {
      if (method === 'createComparison') this.#refuseOthers((args[0] as NewComparison).pairKey);
      const call = this.#store[method as keyof ComparisonStore] as (...given: unknown[]) => Promise<unknown>;
      const response = await call(...args);
      if (ENDS.has(method)) await this.#notifyLedger();
      if (REMOVES.has(method)) await this.#reportRemoval(args[0] as RemovedKey);
      return response;
    });
  }

  override async alarm(): Promise<void> {
    this.#alarm.markFired();
    const running = this.#running().length;
    if (running > 0) {
      await this.#endLost().catch((error: unknown) => {
        this.#log.warn('running comparisons could not be checked', { err: error });
      });
    }
    // If no comparison runs, the alarm was set because a report may have been lost.
    if (running === 0 || this.#running().length < running) await this.#notifyLedger();
    else this.#replan();
  }

  /** Also called on construction, because the platform drops an alarm that failed several times. */
  #planWatch(): void {
    if (this.#running().length > 0) this.#alarm.wakeBy(Date.now() + this.#quietMs);
  }

  /** Called when everything is reported, so that only running comparisons need the alarm. */
  #replan(): void {
    this.#alarm.replan(this.#running().length > 0 ? Date.now() + this.#quietMs : null);
  }

  /** Ends comparisons whose job has ended, or was never created. */
  async #endLost(): Promise<void> {
    const before = Date.now() - JOBLESS_MS;
    for (const { tenantId, comparisonId, jobId, ts } of this.#running()) {
      if (ts > before) continue;
      const job = await recordPortsOf(this.env, tenantId).jobs.get(tenantId, jobId);
      if (job && !isEnded(job.status)) continue;
      await this.#store.failComparison({ tenantId, comparisonId, error: RUN_INTERRUPTED });
    }
  }

  /** Without those that were inserted by hand. */
  #running() {
    const sql = `SELECT id, tenant_id, job_id, ts FROM comparisons WHERE status = 'running' AND job_id IS NOT NULL`;
    return this.#all(sql).map((row) => ({
      tenantId: String(row['tenant_id']),
      comparisonId: String(row['id']),
      jobId: String(row['job_id']),
      ts: Number(row['ts']),
    }));
  }

  /** Sends reports one after another, each with the current state. The alarm repeats a failed one. */
  #notifyLedger(): Promise<void> {
    this.#notifying = this.#notifying
      .then(async () => {
        const tenantId = this.#tenantId;
        if (tenantId === undefined) return;
        const [pair] = await this.#store.listPairs({ tenantId, limit: 1 });
        const [own] = await this.#store.listPairs({ tenantId, limit: 1, own: true });
        if (pair) await unwrap(recordsRpcOf(this.env, tenantId).pairChanged(pair, own ?? null));
        this.#replan();
      })
      .catch((error: unknown) => {
        this.#log.warn('the tenant object was not notified of a pair; retrying', { err: error });
        this.#alarm.wakeBy(Date.now() + REPORT_AGAIN_MS);
      });
    return this.#notifying;
  }

  /**
   * Also called if there was nothing to remove, so that a repeated request replaces a lost report. Without a comparison
   * this object no longer knows its tenant, so the caller waits for the report instead of relying on the alarm.
   */
  async #reportRemoval({ tenantId, ...named }: RemovedKey): Promise<void> {
    const pairKey = 'pairKey' in named ? named.pairKey : pairKeyIn(named.comparisonId);
    if (this.#tenantId !== undefined || pairKey === undefined) return this.#notifyLedger();
    const reported = this.#notifying.then(() => unwrap(recordsRpcOf(this.env, tenantId).pairGone(pairKey)));
    this.#notifying = reported.catch(() => undefined);
    await reported;
    this.#replan();
  }

  /** A pair has one tenant, because its key is derived from the tenant too. */
  get #tenantId(): string | undefined {
    const [row] = this.#all('SELECT tenant_id FROM comparisons LIMIT 1');
    return row && String(row['tenant_id']);
  }

  #all(sql: string) {
    return this.#created ? this.#database.all(sql, []) : [];
  }

  #key(comparisonId: string): ComparisonKey {
    return { tenantId: this.#tenantId ?? DEFAULT_TENANT, comparisonId };
  }

  #refuseOthers(pairKey: string): void {
    if (this.ctx.id.equals(objectIdOf(this.env, 'ENVPAIR_DO', pairKey))) return;
    throw new SondeError('INVALID_REQUEST', 'the comparison belongs to a different pair', {
      details: { field: 'comparisonId' },
    });
  }
}

const ENDS: ReadonlySet<string> = new Set(['createComparison', 'saveResult', 'failComparison']);

const REMOVES: ReadonlySet<string> = new Set(['removeComparison', 'removePair']);

type RemovedKey = ComparisonKey | PairName;

/** An error from our own job is JSON with a code and a message; callers of the object get only the message. */
function shownState(row: ComparisonRow): ComparisonState {
  const state = stateOf(row);
  if (!state.error?.startsWith('{')) return state;
  const { message } = readError(state.error);
  return { ...state, error: message };
}

/** RPC transfers only the message of an error, so the code is made part of it. */
async function throwPlainErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SondeError ? new Error(`${error.code}: ${error.message}`) : error;
  }
}

/** Only the API encrypts credentials in URLs. Here they would be stored in plaintext, or be missing from the probe. */
function refuseCredentials(redactor: Redactor, ...urls: readonly string[]): void {
  if (urls.every((url) => redactor.text(url) === url)) return;
  throw new SondeError(
    'INVALID_REQUEST',
    'a URL appears to contain a credential; use POST /api/compare for it',
    {
      details: { field: 'leftUrl' },
    },
  );
}
