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
  /** Opened on first use: creating the tables of every store takes longer than most tests. */
  readonly #ports = new Map<string, Port>();
  readonly #database = openObjectDatabase(this.ctx.storage);
  #records: ReturnType<typeof createRecordStores> | undefined;
  /** Given by the test with each call to a store that has a clock. */
  #now = 0;

  call(port: string, method: string, args: readonly unknown[]): Promise<WireResult<unknown>> {
    return this.#run(port, method, args, () => this.#open(port));
  }

  /** The comparison store with limits and a time given by the test. */
  compare(settings: ComparisonSettings, method: string, args: readonly unknown[]) {
    const { now, ...limits } = settings;
    this.#now = now;
    return this.#run(`comparisons ${JSON.stringify(limits)}`, method, args, () => {
      const store = sqliteComparisonStore(this.#database, { ...limits, clock: () => this.#now });
      return this.#host(store, COMPARISON_READING);
    });
  }

  /** The suite store with a time given by the test. */
  suites(now: number, method: string, args: readonly unknown[]) {
    this.#now = now;
    return this.#run('suites', method, args, () => {
      const store = sqliteSuiteStore(this.#database, { clock: () => this.#now });
      return this.#host(store, RECORD_READING.suites);
    });
  }

  forget(): void {
    this.ctx.abort('the test takes its memory away');
  }

  #run(port: string, method: string, args: readonly unknown[], open: () => Port | undefined) {
    return wrap(createConsoleLog('error'), async () => {
      const opened = this.#ports.get(port) ?? open();
      const run = opened?.[method];
      if (!opened || !run) throw new Error(`there is no ${port}.${method}`);
      this.#ports.set(port, opened);
      return run(...args);
    });
  }

  #open(port: string): Port | undefined {
    switch (port) {
      case 'jobs':
        return this.#host(this.#recordStores().jobs, RECORD_READING.jobs);
      case 'tenants':
        return this.#host(this.#recordStores().tenants, ['bySlug', 'list']);
      case 'audits':
        return this.#host(this.#recordStores().audits, RECORD_READING.audits);
      case 'streams':
        return this.#openStreams();
      case 'proxy':
        return this.#host(new SqliteProxyStore(this.#database), ['pumps']);
      case 'database':
        return this.#host(this.#database, ['all']);
      default:
        return undefined;
    }
  }

  #recordStores() {
    this.#records ??= createRecordStores(this.#database, Date.now);
    return this.#records;
  }

  #openStreams(): Port {
    const streams = new SqliteStreamStore(this.#database, { chunkBytes: 16 });
    return hostEngine<Port>(this.ctx.storage, streams as never, {
      reading: new Set(['get', 'chunks', 'readHot', 'unsealed', 'forks', 'expired', 'list']),
      flush: () => streams.flush(),
      forget: () => streams.forget(),
    });
  }

  #host(store: object, reading: Iterable<string>): Port {
    return hostEngine<Port>(this.ctx.storage, store as never, { reading: new Set(reading) });
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
