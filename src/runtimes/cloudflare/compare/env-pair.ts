/**
 * The object of one pair of environments: its history of comparisons, on the very store that the other engines
 * have. It reports the pair's state to its tenant's object, and by its alarm ends a comparison that is no longer run
 * any more: one that neither a job of its own nor a suite works at, and one whose lease is over. While no comparison
 * runs and the tenant's object has the last state, there is no alarm.
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
  stateOf,
} from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import { JOB_LIMITS, uniqueKey } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createRedactor, type Redactor } from '../../../net/index.js';
import type { Side, SignalEnvelope } from '../../../probe/index.js';
import { sqliteComparisonStore } from '../../../stores/sqlite/run-work.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { INTERRUPTED } from '../../../workflows/index.js';
import { createConsoleLog } from '../console-log.js';
import type { EdgeEnv } from '../edge-env.js';
import { readEdgeSettings } from '../edge-settings.js';
import { ObjectAlarm } from '../object-alarm.js';
import { objectIdOf } from '../placement.js';
import { recordPortsOf, recordsRpcOf } from '../records/records-rpc.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { openObjectDatabase } from '../sqlite/object-database.js';
import { received, sent } from '../wire-faults.js';
import type { EnvPairRpc } from './env-pair-rpc.js';
import { isMade, UNMADE_PAIR } from './unmade-pair.js';

export const COMPARISON_READING: ReadonlySet<keyof ComparisonStore> = new Set([
  'getComparison',
  'getComparisonsForHistory',
  'getProbes',
  'getSealed',
  'getAccepted',
  'listPairs',
] as const);

/** A report to the tenant's object that failed, or was lost with this object, is sent again after this long. */
const REPORT_AGAIN_MS = 30_000;
const EXPIRED_MAX = 100;
/** A create is two calls: the row here, then the job there. So long a row may be without one. */
const JOBLESS_MS = 30_000;

export class EnvPairDO extends DurableObject<EdgeEnv> implements EnvPairRpc {
  readonly #log: Log;
  readonly #database: SqlDatabase;
  readonly #alarm: ObjectAlarm;
  #made: ComparisonStore | undefined;
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
    if (isMade(this.#database)) this.#make();
    void ctx.blockConcurrencyWhile(async () => {
      await this.#alarm.load();
      if (this.#made) this.#planWatch();
    });
  }

  get #store(): ComparisonStore {
    return (
      this.#made ?? { ...UNMADE_PAIR, createComparison: (input) => this.#make().createComparison(input) }
    );
  }

  #make(): ComparisonStore {
    const engine = sqliteComparisonStore(this.#database, { clock: Date.now, kept: this.#kept });
    this.#made ??= hostEngine<ComparisonStore>(this.ctx.storage, engine, {
      reading: COMPARISON_READING,
      onWritten: (_result, method) => {
        if (ENDS.has(method)) this.#alarm.wakeBy(Date.now() + REPORT_AGAIN_MS);
      },
    });
    return this.#made;
  }

  createComparison(leftUrl: string, rightUrl: string, comparisonId?: string) {
    return throwing(() => this.#createComparison(leftUrl, rightUrl, comparisonId));
  }

  async #createComparison(leftUrl: string, rightUrl: string, comparisonId?: string) {
    const tenantId = this.#tenantId ?? DEFAULT_TENANT;
    const redactor = createRedactor();
    refuseCredentials(redactor, leftUrl, rightUrl);
    const pair = { tenantId, leftUrl, rightUrl };
    const pairKey = pairKeyOf(pair);
    this.#refuseOthers(pairKey);
    const made = await createPairComparison(this.#store, pair, {
      comparisonId: comparisonId ?? comparisonIdOf(pairKey, crypto.randomUUID()),
      redactUrl: (url) => redactor.text(url),
    });
    if (made.status === 'running') await this.#enqueue({ tenantId, comparisonId: made.comparisonId });
    await this.#notifyLedger();
    return made;
  }

  /** One comparison has one job, however often it is created. */
  async #enqueue(payload: ComparisonKey): Promise<void> {
    const { tenantId, comparisonId } = payload;
    const jobId = jobIdIn(comparisonId);
    await received(recordsRpcOf(this.env, tenantId).tenant(tenantId));
    const { maxAttempts } = JOB_LIMITS;
    await recordPortsOf(this.env, tenantId).jobs.enqueue([
      { jobId, tenantId, kind: 'compare', maxAttempts, payload, idempotencyKey: uniqueKey(jobId) },
    ]);
  }

  saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<void> {
    return throwing(async () => {
      const key = this.#key(comparisonId);
      if (await this.#store.saveProbe(probeInput(key, side, envelope))) return;
      // One that has ended stays as it is; a probe of none is a mistake of the caller.
      if (await this.#store.getComparison(key)) return;
      throw new SondeError('NOT_FOUND', `there is no comparison ${comparisonId}`);
    });
  }

  saveResult(comparisonId: string, result: unknown): Promise<void> {
    return throwing(async () => {
      await this.#store.saveResult({ ...this.#key(comparisonId), resultJson: JSON.stringify(result) });
      await this.#notifyLedger();
    });
  }

  failComparison(comparisonId: string, error: string): Promise<void> {
    return throwing(async () => {
      await this.#store.failComparison({ ...this.#key(comparisonId), error });
      await this.#notifyLedger();
    });
  }

  getComparison(comparisonId: string): Promise<ComparisonState> {
    return throwing(async () => {
      const row = await this.#store.getComparison(this.#key(comparisonId));
      return row ? shownState(row) : { status: 'running' };
    });
  }

  getComparisonsForHistory(limit: number = COMPARISON_LIMITS.historyDefault): Promise<ComparisonState[]> {
    return throwing(async () => {
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
    return sent(this.#log, async () => {
      if (method === 'createComparison') this.#refuseOthers((args[0] as NewComparison).pairKey);
      const call = this.#store[method as keyof ComparisonStore] as (...given: unknown[]) => Promise<unknown>;
      const response = await call(...args);
      if (ENDS.has(method)) await this.#notifyLedger();
      if (REMOVES.has(method)) await this.#reportRemoval(args[0] as RemovedKey);
      return response;
    });
  }

  override async alarm(): Promise<void> {
    this.#alarm.wentOff();
    const running = this.#running().length;
    if (running > 0) {
      await this.#store.endExpired(EXPIRED_MAX);
      await this.#endLost().catch((error: unknown) => {
        this.#log.warn('running comparisons could not be checked', { err: error });
      });
    }
    // With nothing running, the alarm was set for a report that may be lost.
    if (running === 0 || this.#running().length < running) await this.#notifyLedger();
    else this.#replan();
  }

  /** Also when the object is made: the platform gives up an alarm that failed several times. */
  #planWatch(): void {
    if (this.#running().length > 0) this.#alarm.wakeBy(Date.now() + this.#quietMs);
  }

  /** Everything is reported: what is left is to watch over running comparisons. */
  #replan(): void {
    this.#alarm.replan(this.#running().length > 0 ? Date.now() + this.#quietMs : null);
  }

  /** Comparisons without a running job. */
  async #endLost(): Promise<void> {
    const before = Date.now() - JOBLESS_MS;
    for (const { tenantId, comparisonId, ts } of this.#running()) {
      if (ts > before || (await received(recordsRpcOf(this.env, tenantId).isWorkedAt(comparisonId))))
        continue;
      await this.#store.failComparison({ tenantId, comparisonId, error: JSON.stringify(INTERRUPTED) });
    }
  }

  #running() {
    const sql = `SELECT id, tenant_id, ts FROM comparisons WHERE status = 'running'`;
    return this.#all(sql).map((row) => ({
      tenantId: String(row['tenant_id']),
      comparisonId: String(row['id']),
      ts: Number(row['ts']),
    }));
  }

  /** One report after another, each with the state at its time; a failed one is repeated by the alarm. */
  #notifyLedger(): Promise<void> {
    this.#notifying = this.#notifying
      .then(async () => {
        const tenantId = this.#tenantId;
        if (tenantId === undefined) return;
        const [pair] = await this.#store.listPairs({ tenantId, limit: 1 });
        if (pair) await received(recordsRpcOf(this.env, tenantId).pairChanged(pair));
        this.#replan();
      })
      .catch((error: unknown) => {
        this.#log.warn('the tenant object was not notified of a pair; retrying', { err: error });
        this.#alarm.wakeBy(Date.now() + REPORT_AGAIN_MS);
      });
    return this.#notifying;
  }

  /**
   * Also for what was gone before: a repeat of the request makes up for a report that was lost. With no comparison left
   * the tenant is no longer known here, so the caller waits for it instead of the alarm.
   */
  async #reportRemoval({ tenantId, ...named }: RemovedKey): Promise<void> {
    const pairKey = 'pairKey' in named ? named.pairKey : pairKeyIn(named.comparisonId);
    if (this.#tenantId !== undefined || pairKey === undefined) return this.#notifyLedger();
    const reported = this.#notifying.then(() => received(recordsRpcOf(this.env, tenantId).pairGone(pairKey)));
    this.#notifying = reported.catch(() => undefined);
    await reported;
    this.#replan();
  }

  /** A pair is one tenant's: its key is made of the tenant too. */
  get #tenantId(): string | undefined {
    const [row] = this.#all('SELECT tenant_id FROM comparisons LIMIT 1');
    return row && String(row['tenant_id']);
  }

  #all(sql: string) {
    return this.#made ? this.#database.all(sql, []) : [];
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

/** After these the pair looks different. */
const ENDS: ReadonlySet<string> = new Set(['createComparison', 'saveResult', 'failComparison']);

const REMOVES: ReadonlySet<string> = new Set(['removeComparison', 'removePair']);

type RemovedKey = ComparisonKey | PairName;

/** A comparison that our own job failed has a code beside its message; callers of the object get the message. */
function shownState(row: ComparisonRow): ComparisonState {
  const state = stateOf(row);
  if (!state.error?.startsWith('{')) return state;
  const { message } = readError(state.error);
  return { ...state, error: message };
}

/** Over RPC an error keeps its message and nothing else, so it is one that every caller knows. */
async function throwing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SondeError ? new Error(`${error.code}: ${error.message}`) : error;
  }
}

/** Only the API encrypts what a URL may hold; here it would rest in plain text, or be probed without it. */
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
