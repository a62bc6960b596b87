/**
 * The proxy inside the object of one stream: the upstream is called from here, and its pump runs here. While it
 * runs, the alarm keeps coming; an object that comes to life without its pump ends the stream as lost before it
 * answers anybody. A create with a key always comes to the same object, which so knows what became of it.
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
import type { SqlDatabase } from '../../../stores/sqlite/sql-database.js';
import { SqliteProxyStore } from '../../../stores/sqlite/sqlite-proxy-store.js';
import type { StreamResponse, StreamService } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeClient } from '../egress/edge-client.js';
import type { ObjectAlarm } from '../object-alarm.js';
import { hostEngine } from '../sqlite/host-engine.js';
import { LazyEngine } from '../sqlite/lazy-engine.js';
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
}

/** How soon an object that lost its pump comes back to say so. */
const PUMP_CHECK_MS = 10_000;

export class ObjectProxy {
  readonly #alarm: ObjectAlarm;
  readonly #rules: ProxyRules;
  readonly #service: ProxyService;
  readonly #database: SqlDatabase;
  readonly #lazy: LazyEngine<ProxyStore, SqliteProxyStore>;
  /** The id under which the call that is being made records its answer. */
  #id = '';

  constructor({ env, settings, storage, database, streams, alarm, log }: ObjectProxyDeps) {
    this.#alarm = alarm;
    this.#database = database;
    this.#rules = readProxyRules(env, settings);
    this.#lazy = new LazyEngine<ProxyStore, SqliteProxyStore>({
      database,
      table: 'proxy_schema',
      open: () => new SqliteProxyStore(database),
      absent: { pumps: () => [], pumpEnded: () => undefined, sweepCreates: () => 0 },
    });
    const store = hostEngine<ProxyStore>(storage, this.#lazy.port, {
      reading: new Set(['pumps'] as const),
      forget: () => this.#lazy.lookAgain(),
      onWritten: () => {
        if (this.#lazy.engine) alarm.wakeBy(Date.now() + PUMP_CHECK_MS);
      },
    });
    const net = { ...settings.net, dohUrl: settings.edge.dohUrl };
    this.#service = new ProxyService({
      ...this.#rules,
      streams,
      store,
      outbound: openUpstreamClients(net, createEdgeClient, this.#rules.privateOrigins).outbound,
      redactor: createRedactor(),
      log,
      newId: () => this.#id,
    });
  }

  /** Before anybody is answered. */
  recover(): Promise<void> {
    return this.#service.recover();
  }

  async onAlarm(): Promise<void> {
    await this.#service.sweep();
    if (this.#service.running > 0) this.#alarm.wakeBy(Date.now() + PUMP_CHECK_MS);
    else this.#alarm.wakeBy(Date.now() + this.#rules.settings.keepMs);
  }

  /** Whether nothing is kept besides streams: no pump runs and no key is remembered. */
  isBare(): boolean {
    if (this.#service.running > 0) return false;
    if (!this.#lazy.engine) return true;
    const [row] = this.#database.all(
      'SELECT 1 FROM proxy_pumps UNION ALL SELECT 1 FROM proxy_creates LIMIT 1',
      [],
    );
    return row === undefined;
  }

  lookAgain(): void {
    this.#lazy.lookAgain();
  }

  send({ id, inline, reader: _known, ...wire }: WireProxyCall, gone?: AbortSignal): Promise<StreamResponse> {
    this.#id = id;
    const call = { ...proxyCallOf(wire), ...(gone && { signal: gone }) };
    const route = inline && this.#rules.routes.get(inline.route);
    if (!inline || !route) return this.#service.create(call);
    return this.#service.inline({ ...call, ...inline, route });
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
