import { timerTurn } from '../../src/loop-turns.js';
import { type OpenDatabase, openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { SqliteStreamStore } from '../../src/stores/sqlite/sqlite-stream-store.js';
import { appendStream } from '../../src/streams/append-stream.js';
import { createStream } from '../../src/streams/create-stream.js';
import type { ChunkSpan, Position, StreamKey, StreamState, StreamStore } from '../../src/streams/index.js';
import { trustedClock } from '../../src/streams/lifetime-clock.js';
import { LiveTails } from '../../src/streams/live-tails.js';
import { Sealer } from '../../src/streams/sealer.js';
import { DEFAULT_STREAM_LIMITS, type StreamDeps, type StreamLimits } from '../../src/streams/stream-deps.js';
import type { StreamCall, StreamResponse } from '../../src/streams/stream-response.js';
import type { ReadTenantLimits } from '../../src/streams/tenant-limits.js';
import { StoredBytes } from '../../src/streams/tenant-shares.js';
import { ProcessTotals } from '../../src/streams/tenant-totals.js';
import { Ticker } from '../../src/streams/ticker.js';
import { asyncPort } from './async-port.js';
import { keepingLog, type LogLine } from './keeping-log.js';

export interface InlineOptions {
  readonly chunkBytes?: number;
  readonly limits?: Partial<StreamLimits>;
  readonly tenantLimits?: ReadTenantLimits;
}

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/**
 * The dependencies of the stream operations: a real SQLite store in this thread, a bucket in memory and a manual clock.
 * For tests of one operation.
 */
export class InlineStreams {
  now = Date.UTC(2026, 0, 1);
  readonly lines: LogLine[] = [];
  readonly bucket = new Map<string, Uint8Array>();
  /** The store's methods in the order in which they were called. */
  readonly calls: string[] = [];
  /** The spans of stored bytes that were read: `0:10-20`. */
  readonly reads: string[] = [];
  readonly changed: StreamState[] = [];
  readonly removed: StreamKey[] = [];
  readonly corrupted: [id: string, from: Position][] = [];
  readonly deps: StreamDeps;
  readonly engine: SqliteStreamStore;
  readonly database: OpenDatabase = openDatabase(':memory:');
  readonly #before = new Map<string, () => unknown>();

  constructor({ chunkBytes = 100, limits: given, tenantLimits = async () => ({}) }: InlineOptions = {}) {
    const limits = { ...DEFAULT_STREAM_LIMITS, ...given };
    this.engine = new SqliteStreamStore(this.database, { chunkBytes });
    const store = this.#watched(asyncPort<StreamStore>(this.engine));
    const host = {
      store,
      objects: {
        put: async (key: string, bytes: Uint8Array) => void this.bucket.set(key, bytes),
        get: async (key: string) => this.bucket.get(key),
        remove: async (key: string) => void this.bucket.delete(key),
      },
      log: keepingLog(this.lines),
      onCorrupt: async (stream: StreamKey, from: Position) => {
        this.corrupted.push([stream.id, from]);
        await store.markCorrupt(stream, from);
      },
    };
    this.deps = {
      ...host,
      clock: () => this.now,
      lifetime: trustedClock(() => this.now),
      turn: timerTurn,
      limits,
      tenantLimits,
      storedBytes: new StoredBytes({
        totals: new ProcessTotals(),
        limits: tenantLimits,
        fallback: limits.storedBytes,
      }),
      tails: new LiveTails(limits.readersPerStream),
      ticker: new Ticker(),
      sealer: new Sealer({ ...host, limits }),
      touched: new Map(),
      onChanged: (stream) => void this.changed.push(stream),
      onRemoved: (stream) => void this.removed.push(stream),
    };
  }

  /** Runs `act` before the next call of this method of the store, like another request that came in between. */
  before(method: keyof StreamStore, act: () => unknown): void {
    this.#before.set(method, act);
  }

  #watched(store: StreamStore): StreamStore {
    return new Proxy(store, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
        return async (...args: unknown[]) => {
          this.calls.push(String(name));
          if (name === 'readHot') this.#noteRead(args[1] as ChunkSpan);
          const act = this.#before.get(String(name));
          this.#before.delete(String(name));
          await act?.();
          return method(...args);
        };
      },
    });
  }

  #noteRead({ chunk, lo, hi }: ChunkSpan): void {
    this.reads.push(`${chunk}:${lo}-${hi}`);
  }

  async close(): Promise<void> {
    await this.deps.sealer.stop();
    this.deps.ticker.stop();
    this.database.close();
  }

  create(id: string, body = '', headers: Readonly<Record<string, string>> = {}): Promise<StreamResponse> {
    return createStream(
      this.deps,
      callOf(id, { headers: { 'content-type': 'text/plain', ...headers }, body }),
    );
  }

  append(id: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamResponse> {
    return appendStream(
      this.deps,
      callOf(id, { headers: { 'content-type': 'text/plain', ...headers }, body }),
    );
  }

  fork(id: string, source: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamResponse> {
    return createStream(this.deps, callOf(id, { headers: { 'stream-forked-from': source, ...headers } }));
  }

  async state(id: string): Promise<StreamState> {
    const state = await this.deps.store.get(id);
    if (!state) throw new Error(`there is no stream ${id}`);
    return state;
  }
}

/** Header names are in lower case. */
export function callOf(id: string, { headers = {}, query = {}, body = '' }: Ask = {}): StreamCall {
  return {
    id,
    url: `http://test/${id}`,
    query: new URLSearchParams(query),
    header: (name) => headers[name] ?? null,
    body: async () => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
    idOfPath: (path) => (path.startsWith('/') ? undefined : path),
  };
}

export async function piecesOf({ body }: StreamResponse): Promise<string[]> {
  const pieces: string[] = [];
  if (body?.kind === 'bytes') pieces.push(new TextDecoder().decode(body.bytes));
  if (body?.kind === 'pieces')
    for await (const piece of body.pieces()) pieces.push(new TextDecoder().decode(piece));
  return pieces;
}

export async function textOf(response: StreamResponse): Promise<string> {
  return (await piecesOf(response)).join('');
}
