/** An object that hosts the stores like the product's objects, and can be made to lose its memory. */
import { DurableObject } from 'cloudflare:workers';
import { COMPARISON_READING } from '../../../src/runtimes/cloudflare/compare/env-pair.js';
import { createConsoleLog } from '../../../src/runtimes/cloudflare/console-log.js';
import { RECORD_READING } from '../../../src/runtimes/cloudflare/records/ledger-records.js';
import { hostEngine } from '../../../src/runtimes/cloudflare/sqlite/host-engine.js';
import { openObjectDatabase } from '../../../src/runtimes/cloudflare/sqlite/object-database.js';
import { type WireResult, wrap } from '../../../src/runtimes/cloudflare/wire-faults.js';
import { createRecordStores } from '../../../src/stores/sqlite/record-stores.js';
import { sqliteComparisonStore, sqliteSuiteStore } from '../../../src/stores/sqlite/run-work.js';
import { SqliteProxyStore } from '../../../src/stores/sqlite/sqlite-proxy-store.js';
import { SqliteStreamStore } from '../../../src/stores/sqlite/sqlite-stream-store.js';
import { type EngineCall, fromText, toText } from '../../support/wire-text.js';

type Port = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

interface ComparisonSettings {
  readonly now: number;
  readonly kept?: number;
  readonly running?: number;
  readonly leaseMs?: number;
}

export class EngineObject extends DurableObject<Record<string, never>> {
  readonly #ports: Readonly<Record<string, Port>>;

  constructor(ctx: DurableObjectState, env: Record<string, never>) {
    super(ctx, env);
    const database = openObjectDatabase(ctx.storage);
    const streams = new SqliteStreamStore(database, { chunkBytes: 16 });
    const proxy = new SqliteProxyStore(database);
    const records = createRecordStores(database, Date.now);
    this.#ports = {
      jobs: hostEngine<Port>(ctx.storage, records.jobs as never, { reading: new Set(RECORD_READING.jobs) }),
      tenants: hostEngine<Port>(ctx.storage, records.tenants as never, {
        reading: new Set(['bySlug', 'list']),
      }),
      audits: hostEngine<Port>(ctx.storage, records.audits as never, {
        reading: new Set(RECORD_READING.audits),
      }),
      streams: hostEngine<Port>(ctx.storage, streams as never, {
        reading: new Set(['get', 'chunks', 'readHot', 'unsealed', 'forks', 'expired', 'list']),
        flush: () => streams.flush(),
        forget: () => streams.forget(),
      }),
      proxy: hostEngine<Port>(ctx.storage, proxy as never, { reading: new Set(['pumps']) }),
      database: hostEngine<Port>(ctx.storage, database as never, { reading: new Set(['all']) }),
    };
  }

  call(port: string, method: string, args: readonly unknown[]): Promise<WireResult<unknown>> {
    return wrap(createConsoleLog('error'), async () => {
      const run = this.#ports[port]?.[method];
      if (!run) throw new Error(`there is no ${port}.${method}`);
      return run(...args);
    });
  }

  /** The comparison store with limits and a time given by the test. */
  compare(settings: ComparisonSettings, method: string, args: readonly unknown[]) {
    return wrap(createConsoleLog('error'), async () => {
      const { now, ...limits } = settings;
      const database = openObjectDatabase(this.ctx.storage);
      const store = sqliteComparisonStore(database, { ...limits, clock: () => now });
      const reading = COMPARISON_READING as ReadonlySet<string>;
      return hostEngine<Port>(this.ctx.storage, store as never, { reading })[method]?.(...args);
    });
  }

  /** The suite store with a time given by the test. */
  suites(now: number, method: string, args: readonly unknown[]) {
    return wrap(createConsoleLog('error'), async () => {
      const store = sqliteSuiteStore(openObjectDatabase(this.ctx.storage), { clock: () => now });
      const reading = new Set<string>(RECORD_READING.suites);
      return hostEngine<Port>(this.ctx.storage, store as never, { reading })[method]?.(...args);
    });
  }

  forget(): void {
    this.ctx.abort('the test takes its memory away');
  }
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default {
  async fetch(request, { ENGINES }) {
    const { object, method, args } = fromText(await request.text()) as EngineCall;
    const stub = ENGINES.get(ENGINES.idFromName(object)) as unknown as Record<
      EngineCall['method'],
      (...args: readonly unknown[]) => Promise<unknown>
    >;
    return new Response(toText(await stub[method](...args)));
  },
} satisfies ExportedHandler<{ ENGINES: DurableObjectNamespace }>;
