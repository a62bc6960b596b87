/**
 * The proxy inside the object of one stream: the upstream is called from here, and its pump runs here. While it
 * runs, the object is held in memory and the alarm keeps coming; an object that starts without its pump ends the stream
 * as lost before it responds to anybody. A create with a key always comes to the same object, which stores its outcome.
 */
import type { Log } from '../../../log.js';
import { createRedactor } from '../../../net/index.js';
import {
  openUpstreamClients,
  type ProxyCall,
  type ProxyRead,
  ProxyService,
  type ProxyStore,
} from '../../../proxy/index.js';
import { PROXY_SCHEMA } from '../../../stores/sqlite/proxy-schema.js';
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { SqliteProxyStore } from '../../../stores/sqlite/sqlite-proxy-store.js';
import type { StreamResponse, StreamService } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeClient } from '../egress/edge-client.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { LazyEngine } from '../sqlite/lazy-engine.js';
import { splitSchema } from '../sqlite/tables-on-demand.js';
import type { WireAbort, WireProxyCall, WireProxyRead } from './proxy-rpc.js';
import { type ProxyRules, readProxyRules } from './proxy-rules.js';

export interface ObjectProxyDeps {
  readonly env: EdgeEnv;
  readonly settings: EdgeSettings;
  readonly storage: DurableObjectStorage;
  readonly database: SqlDatabase;
  readonly streams: StreamService;
  readonly alarm: ObjectAlarm;
  readonly log: Log;
  /** Keeps the object in memory until the work is done. */
  hold(work: Promise<void>): void;
  /** No pump runs any more. */
  onQuiet(): void;
}

/** How soon an object that lost its pump comes back and ends its stream. */
export const HEARTBEAT_MS = 30_000;

/**
 * Each write is a billed row. Unread, a row per quarter of a second is enough; a reader gets a token at once after a
 * pause, and at most this much later in a run of them (docs/decisions/0105-edge-costs.md).
 */
const PACE = { readMs: 70, unreadMs: 250 } as const;

/** Only creates with a key need their table. */
const PROXY = splitSchema(PROXY_SCHEMA, ['proxy_creates']);
export const PROXY_LATER = PROXY.later;

export class ObjectProxy {
  readonly #rules: ProxyRules;
  readonly #service: ProxyService;
  readonly #database: SqlDatabase;
  readonly #lazy: LazyEngine<ProxyStore, SqliteProxyStore>;
  readonly #hold: ObjectProxyDeps['hold'];
  readonly #onQuiet: ObjectProxyDeps['onQuiet'];
  #isHeld = false;
  /** The id under which the call that is being made records its response. */
  #id = '';

  constructor({ env, settings, storage, database, streams, alarm, log, ...host }: ObjectProxyDeps) {
    this.#hold = host.hold;
    this.#onQuiet = host.onQuiet;
    this.#database = database;
    this.#rules = readProxyRules(env, settings);
    this.#lazy = new LazyEngine<ProxyStore, SqliteProxyStore>({
      database,
      table: 'proxy_schema',
      open: () => new SqliteProxyStore(database, PROXY.schema),
      absent: { pumps: () => [], pumpEnded: () => undefined, sweepCreates: () => 0 },
    });
    const store = hostEngine<ProxyStore>(storage, this.#lazy.port, {
      reading: new Set(['pumps'] as const),
      forget: () => this.#lazy.lookAgain(),
      onWritten: () => {
        const dueAt = this.dueAt(Date.now());
        if (dueAt !== undefined) alarm.wakeBy(dueAt);
      },
    });
    const net = { ...settings.net, dohUrl: settings.edge.dohUrl };
    this.#service = new ProxyService({
      ...this.#rules,
      settings: { ...this.#rules.settings, pace: PACE },
      streams,
      store,
      outbound: openUpstreamClients(net, createEdgeClient, this.#rules.privateOrigins).outbound,
      redactor: createRedactor(),
      log,
      newId: () => this.#id,
    });
  }

  /** Before anybody gets a response. */
  recover(): Promise<void> {
    return this.#service.recover();
  }

  /** When the object has to be awake for the proxy; undefined if never. */
  dueAt(now: number): number | undefined {
    if (this.#service.running > 0) return now + HEARTBEAT_MS;
    if (!this.#lazy.engine) return undefined;
    if (this.#database.all(SELECT_PUMP, []).length > 0) return now + HEARTBEAT_MS;
    const expiry = this.#database.all(SELECT_EXPIRY, [])[0]?.['expiry'];
    return typeof expiry === 'number' ? expiry : undefined;
  }

  async onAlarm(): Promise<void> {
    const dueAt = this.dueAt(Date.now());
    if (dueAt !== undefined && dueAt <= Date.now()) await this.#service.sweep();
  }

  /** Whether nothing is kept besides streams: no pump runs and no key is remembered. */
  isBare(): boolean {
    if (this.#service.running > 0) return false;
    if (!this.#lazy.engine) return true;
    return (
      [
        ...this.#database.all(SELECT_PUMP, []),
        // A key whose time is over counts as none.
        ...this.#database.all('SELECT 1 FROM proxy_creates WHERE expires_at > ? LIMIT 1', [Date.now()]),
      ].length === 0
    );
  }

  lookAgain(): void {
    this.#lazy.lookAgain();
  }

  async send(
    { id, inline, reader: _known, ...wire }: WireProxyCall,
    gone?: AbortSignal,
  ): Promise<StreamResponse> {
    this.#id = id;
    const call = { ...proxyCallOf(wire), ...(gone && { signal: gone }) };
    const route = inline && this.#rules.routes.get(inline.route);
    try {
      if (!inline || !route) return await this.#service.create(call);
      return await this.#service.inline({ ...call, ...inline, route });
    } finally {
      this.#holdWhileRunning();
    }
  }

  #holdWhileRunning(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const quiet = this.#service.quiet().then(() => {
      this.#isHeld = false;
      this.#onQuiet();
    });
    this.#hold(quiet);
  }

  read(read: WireProxyRead, gone?: AbortSignal): Promise<StreamResponse> {
    return this.#service.read({ ...proxyReadOf(read), ...(gone && { signal: gone }) });
  }

  head(read: WireProxyRead): Promise<StreamResponse> {
    return this.#service.head(proxyReadOf(read));
  }

  abort(id: string, query: string): Promise<StreamResponse> {
    return this.#service.abort(id, new URLSearchParams(query));
  }

  abortByKey({ query, ...rest }: WireAbort): Promise<StreamResponse> {
    return this.#service.abortByKey({ ...rest, query: new URLSearchParams(query) });
  }

  remove(id: string, tenant: string): Promise<StreamResponse> {
    return this.#service.remove(id, tenant);
  }
}

function proxyCallOf({ tenant, headers, body, base }: Omit<WireProxyCall, 'id' | 'inline'>): ProxyCall {
  const joined = new Headers();
  for (const [name, value] of headers) joined.append(name, value);
  return {
    tenant,
    headers,
    header: (name) => joined.get(name),
    body: async () => body,
    absolute: (path) => base + path,
  };
}

function proxyReadOf({ id, tenant, query, url, headers }: WireProxyRead): ProxyRead {
  return { id, tenant, query: new URLSearchParams(query), url, header: (name) => headers[name] ?? null };
}

const SELECT_PUMP = 'SELECT 1 FROM proxy_pumps LIMIT 1';
const SELECT_EXPIRY = 'SELECT min(expires_at) AS expiry FROM proxy_creates';
