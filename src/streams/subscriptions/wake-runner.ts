/**
 * Carries out what a subscription's state requires: it checks streams that have changed, delivers a wake that is due,
 * and checks again when a lease or a retry delay is over. It makes no decisions and has no state that a restart would
 * lose: the store holds what is due, and a wake whose delivery was interrupted is still due.
 *
 * Checks of one subscription run one after another; changes in the meantime are combined into the next check. A wake
 * has at most one delivery in progress. A stream that many subscriptions follow is read once for all of them, and the
 * results go to the store in one call. While a subscription is awake, streams that it already knows to have changed
 * are checked again only when it is claimed or acknowledged. So appends to a stream with many followers do not cost
 * one write per follower. All deadlines share one ticker.
 */

import { BatchCalls } from '../../batch-calls.js';
import { LogLimit } from '../../log-limit.js';
import { toBase64Url } from '../../net/index.js';
import { TenantTurns } from '../../tenant-turns.js';
import type { StreamState } from '../stream-store.js';
import { Ticker } from '../ticker.js';
import { dueAtOf } from './decide-wake.js';
import { announceWake, type DueWake, deliverWake } from './deliver-wake.js';
import { seenOf } from './follow-streams.js';
import { streamIdOf } from './stream-path.js';
import type { SubscriptionBase } from './subscription-deps.js';
import type { IndexEntry } from './subscription-index.js';
import type {
  Noticed,
  StepOutcome,
  StreamCheck,
  SubscriptionEvent,
  SubscriptionKey,
  SubscriptionRecord,
} from './subscription-store.js';

/** The work in progress for one subscription. */
interface Desk {
  readonly key: SubscriptionKey;
  readonly changed: Set<string>;
  checking: Promise<void>;
  scheduled: boolean;
  awake: boolean;
  /** Streams that were checked during this wake; further appends to them do not change it. */
  readonly seen: Set<string>;
  readonly delivering: Set<number>;
  readonly ended: AbortController;
  disarm: () => void;
  overflowLogged: boolean;
}

const CHECKS_PER_STEP = 256;
/** Subscriptions per store call, which takes a few milliseconds; appends wait for it. */
const NOTICES_PER_CALL = 64;
/** Wakes of one tenant that are written to their streams concurrently. */
const ANNOUNCED_AT_ONCE = 32;
/** The limit of `Desk.seen`. */
const SEEN_MAX = 256;
const AFTER_FAULT_MS = 1_000;
const FAULT_LOG_MS = 10_000;

type Notice = Omit<Noticed, 'newWakeId'>;

export class WakeRunner {
  readonly #deps: SubscriptionBase;
  readonly #desks = new Map<string, Desk>();
  readonly #ticker = new Ticker();
  readonly #turns: TenantTurns;
  readonly #announcing = new TenantTurns(ANNOUNCED_AT_ONCE + 1, ANNOUNCED_AT_ONCE);
  readonly #notices = new BatchCalls<Notice, NoticeOutcome>(NOTICES_PER_CALL, (all) => this.#notice(all));
  /** Stream reads that began in this turn. */
  readonly #finding = new Map<string, Promise<StreamState | undefined>>();
  readonly #jobs = new Set<Promise<void>>();
  readonly #faultLog = new LogLimit({ everyMs: FAULT_LOG_MS });
  /** Names of the subscriptions whose last delivery failed. */
  readonly #failing = new Set<string>();
  readonly #ended = { delivered: 0, failed: 0 };
  #stopping = false;

  constructor(deps: SubscriptionBase) {
    this.#deps = deps;
    this.#turns = new TenantTurns(deps.limits.deliveries, deps.limits.deliveriesPerTenant);
  }

  /** Deliveries since the start, and how many subscriptions wait for a receiver that fails. */
  get figures(): DeliveryFigures {
    return { ...this.#ended, failing: this.#failing.size };
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Call it when a stream that the subscription follows was created, appended to or removed. */
  note(entry: IndexEntry, path: string): void {
    if (this.#deps.index.find(entry.key) !== entry) return;
    const desk = this.#desk(entry.key);
    desk.changed.add(path);
    if (!desk.seen.has(path)) this.#schedule(entry, desk);
  }

  #schedule(entry: IndexEntry, desk: Desk): void {
    if (desk.scheduled) return;
    desk.scheduled = true;
    desk.checking = desk.checking.then(() => this.#check(entry, desk));
  }

  /** Resolves when all changes noted before this call are in the store, for one subscription or for all. */
  async catchUp(key?: SubscriptionKey): Promise<void> {
    const desks = key ? [this.#desks.get(nameOf(key))] : [...this.#desks.values()];
    await Promise.all(
      desks.map((desk) => {
        const entry = desk && this.#deps.index.find(desk.key);
        if (entry) this.#schedule(entry, desk);
        return desk?.checking;
      }),
    );
  }

  async step(key: SubscriptionKey, event: SubscriptionEvent): Promise<StepOutcome> {
    const outcome = await this.#deps.store.step(key, event, { ...this.#context(), newWakeId: newWakeId() });
    this.#after(key, outcome);
    return outcome;
  }

  #context() {
    const { steady, limits } = this.#deps;
    return { now: steady(), linksMax: limits.links };
  }

  #after(key: SubscriptionKey, outcome: StepOutcome): void {
    if (outcome.kind !== 'accepted') return;
    for (const path of outcome.dropped) this.#deps.index.unlink(key, path);
    if (outcome.overflow > 0) this.#logOverflow(key);
    this.follow(outcome.record);
  }

  /** If the batch fails, each notice is repeated alone, so that a damaged row affects only its own subscription. */
  async #notice(notices: readonly Notice[]): Promise<readonly NoticeOutcome[]> {
    const { store } = this.#deps;
    const send = (some: readonly Notice[]) =>
      store.notice(
        some.map((notice) => ({ ...notice, newWakeId: newWakeId() })),
        this.#context(),
      );
    try {
      return (await send(notices)).map((outcome) => ({ outcome }));
    } catch (error) {
      if (notices.length === 1) return [{ error }];
      return (await Promise.all(notices.map((notice) => this.#notice([notice])))).flat();
    }
  }

  /** Does what the state requires, now or when it is due. */
  follow(record: SubscriptionRecord): void {
    const entry = this.#deps.index.find(record);
    if (this.#stopping || !entry) return;
    if (record.wake.failing) this.#failing.add(nameOf(record));
    else this.#failing.delete(nameOf(record));
    const desk = this.#desk(record);
    desk.awake = record.wake.phase !== 'idle';
    if (!desk.awake) {
      desk.seen.clear();
      this.#schedule(entry, desk);
    }
    desk.disarm();
    const dueAt = dueAtOf(record.wake);
    if (dueAt === null) return;
    const waitMs = dueAt - this.#deps.steady();
    if (waitMs > 0) this.#arm(desk, record, waitMs);
    else if (record.wake.phase === 'woken') this.#deliver(desk, record, record.wake);
    else this.#run(() => this.#checkAgain(record));
  }

  forget(key: SubscriptionKey): void {
    this.#failing.delete(nameOf(key));
    const desk = this.#desks.get(nameOf(key));
    if (!desk) return;
    desk.disarm();
    desk.ended.abort();
    this.#desks.delete(nameOf(key));
  }

  /** Aborts deliveries; their wakes are due again after the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ticker.stop();
    for (const desk of this.#desks.values()) desk.ended.abort();
    await Promise.allSettled([...this.#jobs, this.catchUp()]);
  }

  #desk(key: SubscriptionKey): Desk {
    const name = nameOf(key);
    const known = this.#desks.get(name);
    if (known) return known;
    const desk: Desk = {
      key: { tenant: key.tenant, id: key.id },
      changed: new Set(),
      checking: Promise.resolve(),
      scheduled: false,
      awake: false,
      seen: new Set(),
      delivering: new Set(),
      ended: new AbortController(),
      disarm: () => {},
      overflowLogged: false,
    };
    this.#desks.set(name, desk);
    return desk;
  }

  #arm(desk: Desk, { tenant, id }: SubscriptionKey, waitMs: number): void {
    desk.disarm();
    desk.disarm = this.#later(waitMs, () => this.#run(() => this.#checkAgain({ tenant, id })));
  }

  async #check(entry: IndexEntry, desk: Desk): Promise<void> {
    desk.scheduled = false;
    const paths = [...desk.changed];
    desk.changed.clear();
    for (let at = 0; at < paths.length && !this.#stopping; at += CHECKS_PER_STEP) {
      const some = paths.slice(at, at + CHECKS_PER_STEP);
      try {
        const checks = await Promise.all(some.map((path) => this.#inspect(entry.key, path)));
        await this.#save(entry, desk, checks);
      } catch (error) {
        this.#logFault('changed streams could not be processed; retrying', entry.key, error);
        this.#later(AFTER_FAULT_MS, () => {
          for (const path of some) this.note(entry, path);
        });
      }
    }
  }

  async #inspect({ tenant }: SubscriptionKey, path: string): Promise<StreamCheck> {
    const state = await this.#find(streamIdOf(tenant, path));
    return { path, stream: state ? seenOf(state) : null };
  }

  /** Callers in the same turn share one read. That is safe, because changes are committed before they are noted. */
  #find(id: string): Promise<StreamState | undefined> {
    const known = this.#finding.get(id);
    if (known !== undefined) return known;
    const found = this.#deps.streams.find(id);
    this.#finding.set(id, found);
    queueMicrotask(() => this.#finding.delete(id));
    return found;
  }

  async #save(entry: IndexEntry, desk: Desk, checks: readonly StreamCheck[]): Promise<void> {
    const { index, lateLinks } = this.#deps;
    await lateLinks.linkFirst(
      entry.key,
      checks.map(({ path }) => path),
    );
    if (index.find(entry.key) !== entry) return;
    // Checked again right before the step: a stream that was unlinked in the meantime must not be linked as a match.
    const followed = checks.filter(({ path }) => index.follows(entry, path));
    if (followed.length === 0) return;
    const { outcome, error } = await this.#notices.call({ key: entry.key, checks: followed });
    if (error !== undefined) throw error;
    if (outcome) this.#after(entry.key, outcome);
    for (const { path } of followed) if (desk.awake && desk.seen.size < SEEN_MAX) desk.seen.add(path);
  }

  async #checkAgain(key: SubscriptionKey): Promise<void> {
    try {
      await this.step(key, { wake: { kind: 'noticed' } });
    } catch (error) {
      this.#logFault('a subscription could not be processed; retrying', nameFields(key), error);
      this.#arm(this.#desk(key), key, AFTER_FAULT_MS);
    }
  }

  #deliver(desk: Desk, record: SubscriptionRecord, wake: DueWake): void {
    if (desk.delivering.has(wake.generation)) return;
    desk.delivering.add(wake.generation);
    this.#run(async () => {
      const outcome = await this.#afterDelivery(desk, record, wake).catch((error: unknown) => {
        this.#logFault('a wake could not be delivered; retrying', nameFields(record), error);
        return undefined;
      });
      desk.delivering.delete(wake.generation);
      if (desk.ended.signal.aborted) return;
      if (outcome) this.follow(outcome);
      else this.#arm(desk, record, AFTER_FAULT_MS);
    });
  }

  /** Returns the subscription after the delivery of its wake, or unchanged if that wake has ended. */
  async #afterDelivery(
    desk: Desk,
    record: SubscriptionRecord,
    wake: DueWake,
  ): Promise<SubscriptionRecord | undefined> {
    const deps = this.#deps;
    const { signal } = desk.ended;
    const event =
      record.mode === 'pull-wake'
        ? await this.#announcing.run(record.tenant, () => announceWake(deps, record, wake))
        : await this.#turns.run(record.tenant, async () => {
            await this.catchUp(record);
            const now = signal.aborted ? undefined : await deps.store.get(record);
            if (now?.wake.phase !== 'woken' || now.wake.generation !== wake.generation) return undefined;
            return deliverWake(deps, now, { wake: now.wake, signal });
          });
    // An interrupted delivery counts neither as delivered nor as failed.
    if (!event || signal.aborted) return deps.store.get(record);
    if (event.wake.kind === 'delivered' || event.wake.kind === 'failed') this.#ended[event.wake.kind]++;
    const outcome = await this.step(record, event);
    return outcome.kind === 'accepted' ? outcome.record : deps.store.get(record);
  }

  /** While the store fails, every subscription is retried each second. */
  #logFault(message: string, fields: object, err: unknown): void {
    const repeated = this.#faultLog.pass(message);
    if (repeated) this.#deps.log.warn(message, { ...fields, err, ...repeated });
  }

  #logOverflow(key: SubscriptionKey): void {
    const desk = this.#desk(key);
    if (desk.overflowLogged) return;
    desk.overflowLogged = true;
    this.#deps.log.warn('a subscription reached its limit of followed streams; more are not followed', {
      ...nameFields(key),
      code: 'SUBSCRIPTION_TOO_LARGE',
      max: this.#deps.limits.links,
    });
  }

  /** A stopped ticker must not be started again. */
  #later(ms: number, act: () => void): () => void {
    return this.#stopping ? () => {} : this.#ticker.after(ms, act);
  }

  #run(job: () => Promise<void>): void {
    const running = job().finally(() => this.#jobs.delete(running));
    this.#jobs.add(running);
  }
}

export interface DeliveryFigures {
  readonly delivered: number;
  readonly failed: number;
  readonly failing: number;
}

interface NoticeOutcome {
  readonly outcome?: StepOutcome | null;
  readonly error?: unknown;
}

function nameOf({ tenant, id }: SubscriptionKey): string {
  return `${tenant}/${id}`;
}

function nameFields({ tenant, id }: SubscriptionKey): { tenant: string; subscription: string } {
  return { tenant, subscription: id };
}

function newWakeId(): string {
  return `w_${toBase64Url(crypto.getRandomValues(new Uint8Array(15)))}`;
}
