/**
 * A running server ends comparisons and suites whose lease has expired. The tests write rows through the stores with a
 * clock that is late, and advance only the server's interval by hand.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  COMPARISON_LIMITS,
  type ComparisonStore,
  comparisonIdOf,
  pairKeyOf,
  SUITE_LIMITS,
  type SuiteStore,
} from '../../src/compare/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import { BatchTransactions } from '../../src/runtimes/node/records/batch-transactions.js';
import type { RecordCall, RecordStoreName } from '../../src/runtimes/node/records/records-messages.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { PostgresTenantStore } from '../../src/stores/postgres/postgres-tenant-store.js';
import { postgresComparisonStore, postgresSuiteStore } from '../../src/stores/postgres/run-work.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';

interface Beside {
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
  readonly tenantId: string;
  close(): Promise<void>;
}

interface Engine {
  serve(): Promise<ServedForTest>;
  /** Opens the stores of the running server's rows with another clock. */
  open(server: ServedForTest, clock: () => number): Promise<Beside>;
}

/** No worker runs here, so that only the sweep can end anything. */
const IDLE = { ...JOB_OPTIONS, concurrency: 0 };
const SWEEP_MS = 60_000;
const SIDES = { leftUrl: 'https://staging.example.com/', rightUrl: 'https://www.example.com/' };
const SEALED = { leftSealed: new Uint8Array([1, 2, 3]), rightSealed: null };

const sqlite: Engine = {
  serve: () => serveForTest({ jobs: IDLE }),
  async open({ dataDir }, clock) {
    const database = openDatabase(join(dataDir, 'records.db'), { shared: true });
    const stores = createRecordStores(database, clock);
    const batches = new BatchTransactions({
      database,
      stores,
      files: { check: () => undefined },
      clock: { takeStep: () => 0, save: () => undefined },
    });
    // Writes concurrently with the server's own thread, and neither fails because of the other.
    const port = <Port>(store: RecordStoreName) =>
      new Proxy({} as Port & object, {
        get:
          (_target, method) =>
          async (...args: unknown[]) => {
            const [result] = batches.run([{ store, method: String(method), args } as RecordCall]);
            if (result && 'value' in result) return result.value;
            throw new Error(`${store}.${String(method)}: ${result?.fault.message}`);
          },
      });
    return {
      comparisons: port<ComparisonStore>('comparisons'),
      suites: port<SuiteStore>('suites'),
      tenantId: stores.tenants.bySlug('default')?.id ?? '',
      close: async () => database.close(),
    };
  },
};

function postgres(): Engine {
  let databaseUrl: string;
  return {
    async serve() {
      databaseUrl = await newDatabase();
      return serveForTest({ jobs: { ...IDLE, databaseUrl } });
    },
    async open(_server, clock) {
      const database = openPostgres({ url: databaseUrl, log: keepingLog() });
      return {
        comparisons: postgresComparisonStore(database, { clock }),
        suites: postgresSuiteStore(database, { clock }),
        tenantId: (await new PostgresTenantStore(database).bySlug('default'))?.id ?? '',
        close: () => database.close(),
      };
    },
  };
}

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres()],
])('the sweep of a server on %s', (_name, engine) => {
  let server: ServedForTest;
  let beside: Beside;
  let now: number;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    server = await engine.serve();
    now = Date.now();
    beside = await engine.open(server, () => now);
  });
  afterEach(async () => {
    await beside.close();
    await server.stop();
    vi.useRealTimers();
  });

  const compare = async (): Promise<string> => {
    const pairKey = pairKeyOf({ tenantId: beside.tenantId, ...SIDES });
    const comparisonId = comparisonIdOf(pairKey, crypto.randomUUID());
    const key = { tenantId: beside.tenantId, comparisonId };
    const row = { ...key, pairKey, ...SIDES, ...SEALED, optionsJson: '{}', explain: false };
    expect(await beside.comparisons.createComparison(row)).toMatchObject({ kind: 'created' });
    return comparisonId;
  };
  const suite = async (): Promise<string> => {
    const suiteId = crypto.randomUUID();
    const row = { tenantId: beside.tenantId, suiteId, ...SIDES, ...SEALED, optionsJson: '{}' };
    expect(await beside.suites.createSuite(row)).toMatchObject({ kind: 'created' });
    return suiteId;
  };
  const show = async (path: string) =>
    (await (await fetch(`${server.url}/api/${path}`)).json()) as { status: string };
  const ofComparison = (comparisonId: string) => ({ tenantId: beside.tenantId, comparisonId });
  const ofSuite = (suiteId: string) => ({ tenantId: beside.tenantId, suiteId });
  const ended = (path: string) =>
    vi.waitUntil(async () => (await show(path)).status !== 'running', { timeout: 10_000 });

  test('ends expired rows once its interval has passed, and nothing else', async () => {
    const started = now;
    now = started - COMPARISON_LIMITS.leaseMs - 1;
    const [stale, finished] = [await compare(), await compare()];
    const resultJson = JSON.stringify({ diff: { verdict: 'pass', findings: [] }, timestamp: 5 });
    await beside.comparisons.saveResult({ ...ofComparison(finished), resultJson });
    const kept = await beside.comparisons.getComparison(ofComparison(finished));
    now = started - SUITE_LIMITS.leaseMs - 1;
    const [staleSuite, canceledSuite] = [await suite(), await suite()];
    await beside.suites.endSuite({ ...ofSuite(canceledSuite), error: '{"code":"canceled","message":"x"}' });
    const keptSuite = await beside.suites.getSuite(ofSuite(canceledSuite));
    now = started;
    const [alive, aliveSuite] = [await compare(), await suite()];

    await vi.advanceTimersByTimeAsync(SWEEP_MS - 1);
    expect(await show(`compare/${stale}`)).toMatchObject({ status: 'running' });
    expect(await show(`suites/${staleSuite}`)).toMatchObject({ status: 'running' });

    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([ended(`compare/${stale}`), ended(`suites/${staleSuite}`)]);
    expect(await show(`compare/${stale}`)).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(await show(`suites/${staleSuite}`)).toMatchObject({
      status: 'failed',
      error: { code: 'timeout' },
    });
    expect(await beside.comparisons.getSealed(ofComparison(stale))).toBeUndefined();
    expect(await beside.suites.getSuiteSealed(ofSuite(staleSuite))).toBeUndefined();
    expect(await show(`compare/${alive}`)).toMatchObject({ status: 'running' });
    expect(await show(`suites/${aliveSuite}`)).toMatchObject({ status: 'running' });
    expect(await beside.comparisons.getComparison(ofComparison(finished))).toEqual(kept);
    expect(await beside.suites.getSuite(ofSuite(canceledSuite))).toEqual(keptSuite);
  });

  test('repeats, but not after the server has stopped', async () => {
    await vi.advanceTimersByTimeAsync(SWEEP_MS);
    now -= COMPARISON_LIMITS.leaseMs + 1;
    const later = await compare();
    await vi.advanceTimersByTimeAsync(SWEEP_MS);
    await ended(`compare/${later}`);
    await server.stop();
    // The test's own pool may still be waiting to close an idle connection. A leaked sweep would set its timer again.
    await vi.advanceTimersByTimeAsync(2 * SWEEP_MS);
    expect(vi.getTimerCount()).toBe(0);
  });
});
