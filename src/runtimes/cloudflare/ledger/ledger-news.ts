/**
 * Notifies the tenant's object (AuditLedger) that a stream has changed. Notifications are sent one at a time,
 * and changes that accumulate meanwhile are sent together. An alarm in the same commit as the write repeats
 * a notification lost in a crash; repeating one changes nothing. While subscriptions follow the stream, an
 * append is acknowledged only after the notification.
 */
import type { Log } from '../../../log.js';
import { splitStreamId } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { received } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';

const RETELL_MS = 10_000;

export interface NewsDeps {
  readonly env: EdgeEnv;
  readonly alarm: ObjectAlarm;
  readonly log: Log;
  /** Whether the stream is there for callers. */
  exists(id: string): Promise<boolean>;
}

export class LedgerNews {
  readonly #deps: NewsDeps;
  #id: string | undefined;
  #changed = false;
  /** Not known before the ledger has answered once; until then an append waits to be sure. */
  #followed = true;
  #sending: Promise<void> | undefined;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  /** Called before a write; if this object dies before it can notify, its alarm does. */
  due(): void {
    this.#deps.alarm.wakeBy(Date.now() + RETELL_MS);
  }

  changed(id: string): void {
    if (!splitStreamId(id)) return;
    this.#id = id;
    this.#changed = true;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Somebody follows the stream from now on. */
  follow(): void {
    this.#followed = true;
  }

  /** Whether a notification is pending. */
  get untold(): boolean {
    return this.#changed || this.#sending !== undefined;
  }

  /** Resolves when the followers of the stream have been notified of its last change. */
  async delivered(id: string): Promise<void> {
    if (this.#id === id && this.#followed) await this.#sending;
  }

  /** After an alarm, which may be the first thing in this object's life. */
  async retell(id: string): Promise<void> {
    this.changed(id);
    await this.#sending;
  }

  async #send(): Promise<void> {
    const { env, log, exists } = this.#deps;
    const id = this.#id ?? '';
    const tenant = splitStreamId(id)?.tenant ?? '';
    while (this.#changed) {
      this.#changed = false;
      try {
        const sent = ledgerOf(env, tenant).streamChanged(id, await exists(id));
        this.#followed = (await received(sent)).followed;
      } catch (error) {
        log.warn('the tenant object was not notified of a change; retrying', { stream: id, err: error });
        this.#changed = true;
        this.due();
        return;
      }
    }
  }
}
