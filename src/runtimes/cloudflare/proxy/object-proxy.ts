/**
 * The proxy inside the object of one stream. It calls the upstream and runs the pump. While the pump runs, the object
 * stays in memory and its alarm repeats. If the object starts without its pump, it ends the stream as lost before it
 * responds to any call. A create with a key always reaches the same object, which stores the outcome.
 */
import { SondeError } from '../../../errors.js';
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
import { PROXY_READING } from '../../../stores/sqlite/reading-methods.js';
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
import type { WireProxyCall, WireProxyRead } from './proxy-rpc.js';
import { readProxyRules } from './proxy-rules.js';

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
  onQuiet(): void;
}

/** How soon an object that lost its pump is woken to end its stream. */
export const HEARTBEAT_MS = 30_000;

/**
 * Each write is a billed row. Without readers, one row per quarter of a second is enough. A reader gets a token at once
 * after a pause, and with at most this delay within a run of tokens (docs/decisions/edge.md, 0105).
 */
const PACE = { readMs: 70, unreadMs: 250 } as const;

/** Only creates with a key need these tables. */
const PROXY = splitSchema({ ...PROXY_SCHEMA, indexes: [] }, ['proxy_creates', 'proxy_attempts']);
export const PROXY_LATER = PROXY.later;

export class ObjectProxy {
  readonly service: ProxyService;
  readonly #deps: ObjectProxyDeps;
  readonly #lazy: LazyEngine<ProxyStore, SqliteProxyStore>;
  #isHeld = false;
  /** The id of the stream in which the current call records its response. */
  #id = '';

  constructor(deps: ObjectProxyDeps) {
    this.#deps = deps;
    const { env, settings, storage, database, streams, alarm, log } = deps;
    const rules = readProxyRules(env, settings);
    this.#lazy = new LazyEngine<ProxyStore, SqliteProxyStore>({
      database,
      table: 'proxy_schema',
      engine: SqliteProxyStore,
      open: () => new SqliteProxyStore(database, PROXY.schema),
      absent: {
        pumps: () => [],
        pumpEnded: () => undefined,
        sweepCreates: () => 0,
        attempts: () => [],
        openAttempts: () => [],
        attemptProgressed: () => undefined,
        dropAttempts: () => undefined,
        headlessBeyond: () => [],
      },
    });
    const store = hostEngine<ProxyStore>(storage, this.#lazy.port, {
      reading: PROXY_READING,
      forget: () => this.#lazy.reload(),
      onWritten: () => {
        const dueAt = this.dueAt(Date.now());
        if (dueAt !== undefined) alarm.wakeBy(dueAt);
      },
    });
    this.service = new ProxyService({
      ...rules,
      settings: { ...rules.settings, pace: PACE },
      streams,
      store,
      outbound: openUpstreamClients(settings.edge.net, createEdgeClient, rules.privateOrigins).outbound,
      redactor: createRedactor(),
      log,
      // A row per call would be billed; the stream of the response has the same facts.
      notesUnkeyed: false,
      newId: () => this.#id,
    });
  }

  /** When the object must be awake for the proxy; undefined if never. */
  dueAt(now: number): number | undefined {
    if (this.service.running > 0) return now + HEARTBEAT_MS;
    if (!this.#lazy.engine) return undefined;
    if (this.#deps.database.all(SELECT_PUMP, []).length > 0) return now + HEARTBEAT_MS;
    if (this.#deps.database.all(SELECT_OPEN, []).length > 0) return now + HEARTBEAT_MS;
    const expiry = this.#deps.database.all(SELECT_EXPIRY, [])[0]?.['expiry'];
    return typeof expiry === 'number' ? expiry : undefined;
  }

  async onAlarm(): Promise<void> {
    const dueAt = this.dueAt(Date.now());
    if (dueAt !== undefined && dueAt <= Date.now()) await this.service.sweep();
  }

  /** Whether the proxy has no state: no pump runs and no key is stored. */
  isEmpty(): boolean {
    if (this.service.running > 0) return false;
    if (!this.#lazy.engine) return true;
    const { database } = this.#deps;
    return (
      database.all(SELECT_PUMP, []).length === 0 &&
      // An expired key does not count.
      database.all('SELECT 1 FROM proxy_creates WHERE expires_at > ? LIMIT 1', [Date.now()]).length === 0
    );
  }

  reload(): void {
    this.#lazy.reload();
  }

  async send(
    { id, inline, reader: _known, ...wire }: WireProxyCall,
    gone?: AbortSignal,
  ): Promise<StreamResponse> {
    this.#id = id;
    const call = { ...proxyCallOf(wire), ...(gone && { signal: gone }) };
    try {
      if (!inline) return await this.service.create(call);
      const route = this.service.routes.get(inline.route);
      if (!route) throw new SondeError('NOT_FOUND', `There is no route "${inline.route}" any more.`);
      // The Worker has checked the claims of the caller.
      return await this.service.inline({ ...call, ...inline, route, access: 'all' });
    } finally {
      this.#holdWhileRunning();
    }
  }

  #holdWhileRunning(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    const quiet = this.service.quiet().then(() => {
      this.#isHeld = false;
      this.#deps.onQuiet();
    });
    this.#deps.hold(quiet);
  }

  read(read: WireProxyRead, gone?: AbortSignal): Promise<StreamResponse> {
    return this.service.read({ ...proxyReadOf(read), ...(gone && { signal: gone }) });
  }

  head(read: WireProxyRead): Promise<StreamResponse> {
    return this.service.head(proxyReadOf(read));
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
/** An attempt whose object is evicted is ended by the next start, like a pump. */
const SELECT_OPEN = 'SELECT 1 FROM proxy_attempts WHERE outcome IS NULL LIMIT 1';
const SELECT_EXPIRY = 'SELECT min(expires_at) AS expiry FROM proxy_creates';
