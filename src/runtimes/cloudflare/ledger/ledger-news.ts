/**
 * How the object of a stream tells its tenant's ledger that the stream has changed. Tellings go one after another
 * and changes that gather meanwhile are told together. An alarm that is part of the write's own commit tells again
 * what a crash kept from being told; telling twice changes nothing. While subscriptions follow the stream, an
 * append is answered only when the ledger has heard of it.
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
  #telling: Promise<void> | undefined;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  /** Something is being written; if this object does not live to tell it, its alarm does. */
  due(): void {
    this.#deps.alarm.wakeBy(Date.now() + RETELL_MS);
  }

  changed(id: string): void {
    if (!splitStreamId(id)) return;
    this.#id = id;
    this.#changed = true;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
    });
  }

  /** Somebody follows the stream from now on. */
  follow(): void {
    this.#followed = true;
  }

  /** Whether something is still to be told. */
  get untold(): boolean {
    return this.#changed || this.#telling !== undefined;
  }

  /** Resolves when whoever follows the stream has heard of its last change. */
  async heard(id: string): Promise<void> {
    if (this.#id === id && this.#followed) await this.#telling;
  }

  /** After an alarm, which may be the first thing in this object's life. */
  async retell(id: string): Promise<void> {
    this.changed(id);
    await this.#telling;
  }

  async #tell(): Promise<void> {
    const { env, log, exists } = this.#deps;
    const id = this.#id ?? '';
    const tenant = splitStreamId(id)?.tenant ?? '';
    while (this.#changed) {
      this.#changed = false;
      try {
        const told = ledgerOf(env, tenant).streamChanged(id, await exists(id));
        this.#followed = (await received(told)).followed;
      } catch (error) {
        log.warn('the tenant object was not notified of a change; retrying', { stream: id, err: error });
        this.#changed = true;
        this.due();
        return;
      }
    }
  }
}
