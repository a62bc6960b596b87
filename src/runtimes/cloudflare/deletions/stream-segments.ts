/**
 * The cold segments of one stream, in the bucket. Only the stream's own object writes and deletes them. A queue may
 * deliver a message late or twice, so a consumer must not delete by itself: an old message could delete the bytes of a
 * new stream. Puts and deletions therefore run one after another, and pending deletions run before a put.
 */
import type { Log } from '../../../log.js';
import type { ObjectStore } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { bucketOf } from '../placement.js';
import { type DeletionOutbox, RESEND_MS } from './deletion-outbox.js';

/** A message in the queue: the object whose segments to delete, and the ticket. */
export interface DeletionMessage {
  readonly object: string;
  readonly ticket: string;
}

export interface SegmentDeps {
  readonly env: EdgeEnv;
  readonly outbox: DeletionOutbox;
  readonly alarm: ObjectAlarm;
  readonly storage: DurableObjectStorage;
  readonly log: Log;
  /** Whether this is the segment of a chunk of the stream. */
  holds(key: string): boolean;
  /** Identifies the object without revealing the stream's name. */
  readonly objectId: string;
}

export class StreamSegments implements ObjectStore {
  readonly #deps: SegmentDeps;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: SegmentDeps) {
    this.#deps = deps;
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    const { env, outbox, objectId, holds } = this.#deps;
    return this.#inTurn(async () => {
      for (const ticket of outbox.tickets) await this.#delete(ticket);
      if (!holds(key)) throw new Error('the stream was removed while its chunk was being sealed');
      await bucketOf(env).put(key, bytes, { customMetadata: { object: objectId } });
    });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const found = await bucketOf(this.#deps.env).get(key);
    return found === null ? undefined : new Uint8Array(await found.arrayBuffer());
  }

  /** Not used here: removals name their segments in the outbox. */
  remove(key: string): Promise<void> {
    return this.#inTurn(() => bucketOf(this.#deps.env).delete(key));
  }

  /** Sets the alarm to the time when the next ticket is due. */
  plan(): void {
    const { outbox, alarm } = this.#deps;
    if (outbox.dueAt !== undefined) alarm.wakeBy(outbox.dueAt);
  }

  /**
   * Sends the tickets that are due, or all. Call it in the same turn as a write that may have added some, so that their
   * next due times and the alarm are part of that commit. A ticket that cannot be sent now is sent then.
   */
  async send(which: 'due' | 'all' = 'due'): Promise<void> {
    const { env, outbox, objectId, log } = this.#deps;
    const now = Date.now();
    const tickets = which === 'all' ? outbox.tickets : outbox.dueBy(now);
    if (tickets.length > 0) this.#recordSent(tickets, now);
    else this.plan();
    for (const ticket of tickets) {
      const message: DeletionMessage = { object: objectId, ticket };
      await env.DELETIONS.send(message).catch((error: unknown) =>
        log.warn('a deletion was not sent; retrying', { object: objectId, err: error }),
      );
    }
  }

  /** Called by the consumer of the queue. An unknown ticket is already done. */
  purge(ticket: string): Promise<void> {
    return this.#inTurn(() => this.#delete(ticket));
  }

  /** If the due times cannot be stored, the tickets are sent anyway, and again soon. */
  #recordSent(tickets: readonly string[], now: number): void {
    const { outbox, alarm, storage, log } = this.#deps;
    try {
      storage.transactionSync(() => outbox.sent(tickets, now));
      this.plan();
    } catch (error) {
      outbox.reload();
      alarm.wakeBy(now + RESEND_MS);
      log.warn('the time of sent deletions was not stored', { err: error });
    }
  }

  async #delete(ticket: string): Promise<void> {
    const { env, outbox, storage } = this.#deps;
    const keys = outbox.keysOf(ticket);
    if (keys.length === 0) return;
    await bucketOf(env).delete([...keys]);
    storage.transactionSync(() => outbox.done(ticket));
    await storage.sync();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act);
    // The next call runs even if this one failed.
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
