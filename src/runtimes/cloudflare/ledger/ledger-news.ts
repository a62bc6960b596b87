/**
 * How the object of a stream tells its tenant's ledger that the stream has changed. Tellings go one after another
 * and changes that gather meanwhile are told together. An alarm that is part of the write's own commit tells again
 * what a crash kept from being told; telling twice changes nothing. While subscriptions follow the stream, an
 * append is answered only when the ledger has heard of it. Nobody subscribes to proxied streams: of them the ledger is
 * told what its lists show, which an append does not change.
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
  #telling: Promise<void> | undefined;
  /** Of a proxied stream, by its metadata: its id names none. */
  #tenant: string | undefined;
  /** What the ledger last heard of a proxied stream. */
  #told: string | undefined;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  /** Something is being written; if this object does not live to tell it, its alarm does. */
  due(): void {
    this.#deps.alarm.wakeBy(Date.now() + RETELL_MS);
  }

  changed(id: string): void {
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

  async #tell(): Promise<void> {
    const { env, log } = this.#deps;
    const id = this.#id ?? '';
    while (this.#changed) {
      this.#changed = false;
      try {
        const stream = await this.#look(id);
        const shown = stream ? `${stream.createdAt} ${stream.closed}` : 'gone';
        const tenant = splitStreamId(id)?.tenant ?? this.#tenant;
        if (tenant === undefined || (this.#tenant !== undefined && shown === this.#told)) continue;
        const told = ledgerOf(env, tenant).streamChanged(id, stream);
        this.#followed = (await received(told)).followed;
        this.#told = shown;
      } catch (error) {
        log.warn('a change was not told to the ledger; told again', { stream: id, err: error });
        this.#changed = true;
        this.due();
        return;
      }
    }
  }
}
