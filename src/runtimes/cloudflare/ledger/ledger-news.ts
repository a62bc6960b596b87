/**
 * Notifies the tenant's object (AuditLedger) that a stream has changed. Notifications are sent one at a time,
 * and changes that accumulate meanwhile are sent together. An alarm in the same commit as the write repeats
 * a notification lost in a crash; repeating one changes nothing. While subscriptions follow the stream, an
 * append is acknowledged only after the notification. Nobody subscribes to proxied streams: for them only what lists
 * show is sent, which an append does not change.
 */
import type { Log } from '../../../log.js';
import { type ProxyMetadata, proxiedOf } from '../../../proxy/index.js';
import { type StreamState, splitStreamId, streamsOf } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { received } from '../wire-faults.js';
import { ledgerOf } from './ledger-rpc.js';
import type { ReportedStream } from './listed-streams.js';

const RETELL_MS = 10_000;

export interface NewsDeps {
  readonly env: EdgeEnv;
  readonly alarm: ObjectAlarm;
  readonly log: Log;
  state(id: string): Promise<StreamState | undefined>;
}

export class LedgerNews {
  readonly #deps: NewsDeps;
  #id: string | undefined;
  #changed = false;
  /** Not known before the ledger has answered once; until then an append waits to be sure. */
  #followed = true;
  #sending: Promise<void> | undefined;
  /** Of a proxied stream, by its metadata: its id names none. */
  #tenant: string | undefined;
  /** The last state of a proxied stream that was sent. */
  #lastReported: string | undefined;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  /** Called before a write; if this object dies before it can notify, its alarm does. */
  due(): void {
    this.#deps.alarm.wakeBy(Date.now() + RETELL_MS);
  }

  changed(id: string): void {
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

  /** The stream as lists show it, if it is there for callers. */
  async #look(id: string): Promise<ReportedStream | undefined> {
    const state = await this.#deps.state(id);
    this.learn(state);
    if (!state || state.deleted) return undefined;
    const { hash, contentType, tail, totalBytes, createdAt, accessedAt, appendedAt, ...rest } = state;
    const { ttlSeconds, expiresAt, closed, corruptFrom, metadata } = rest;
    const tenant = splitStreamId(id)?.tenant;
    const collection = tenant === undefined ? proxiedOf(this.#tenant ?? '') : streamsOf(tenant);
    const written = { id, hash, contentType, tail, totalBytes, createdAt, accessedAt, appendedAt };
    return { ...written, ttlSeconds, expiresAt, closed, corruptFrom, metadata, collection };
  }

  /** While the stream is there, so that it is known whose it was when it has gone. */
  learn(state: StreamState | undefined): void {
    if (!state?.metadata || splitStreamId(state.id)) return;
    this.#tenant = (JSON.parse(state.metadata) as ProxyMetadata).tenant;
  }

  async #send(): Promise<void> {
    const { env, log } = this.#deps;
    const id = this.#id ?? '';
    while (this.#changed) {
      this.#changed = false;
      try {
        const stream = await this.#look(id);
        const shown = stream ? `${stream.createdAt} ${stream.closed}` : 'gone';
        const tenant = splitStreamId(id)?.tenant ?? this.#tenant;
        if (tenant === undefined || (this.#tenant !== undefined && shown === this.#lastReported)) continue;
        const sent = ledgerOf(env, tenant).streamChanged(id, stream);
        this.#followed = (await received(sent)).followed;
        this.#lastReported = shown;
      } catch (error) {
        log.warn('the tenant object was not notified of a change; retrying', { stream: id, err: error });
        this.#changed = true;
        this.due();
        return;
      }
    }
  }
}
