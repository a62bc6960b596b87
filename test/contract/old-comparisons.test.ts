/** Retention of comparisons on every engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ComparisonStore, SuiteStore } from '../../src/compare/index.js';
import { openPostgres } from '../../src/runtimes/node/postgres/open-postgres.js';
import type { OldComparisons } from '../../src/runtimes/node/server/retention-sweeps.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { PostgresOldComparisons } from '../../src/stores/postgres/postgres-old-comparisons.js';
import { postgresComparisonStore, postgresSuiteStore } from '../../src/stores/postgres/run-work.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { asyncPort } from '../support/async-port.js';
import { keepingLog } from '../support/keeping-log.js';
import { newDatabase } from '../support/postgres-database.js';

interface Bench {
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
  readonly old: OldComparisons;
  stop(): Promise<void>;
}

const sqlite = async (clock: () => number): Promise<Bench> => {
  const database = openDatabase(':memory:');
  const stores = createRecordStores(database, clock);
  return {
    comparisons: asyncPort<ComparisonStore>(stores.comparisons),
    suites: asyncPort<SuiteStore>(stores.suites),
    old: asyncPort<OldComparisons>(stores.oldComparisons),
    stop: async () => database.close(),
  };
};

const postgres = async (clock: () => number): Promise<Bench> => {
  const database = openPostgres({ url: await newDatabase(), log: keepingLog() });
  const time = { now: clock, wall: clock, isTrusted: () => true, mayDestroy: async () => clock() };
  return {
    comparisons: postgresComparisonStore(database, { clock }),
    suites: postgresSuiteStore(database, { clock }),
    old: new PostgresOldComparisons({ ...database, time }),
    stop: () => database.close(),
  };
};

const TENANT = { tenantId: 'acme' };
const SIDES = { leftUrl: 'https://a/', rightUrl: 'https://b/', leftSealed: null, rightSealed: null };
const DAY_MS = 86_400_000;

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('retention of comparisons on %s', (_name, open) => {
  let now: number;
  let bench: Bench;
  beforeEach(async () => {
    now = 1_000 * DAY_MS;
    bench = await open(() => now);
  });
  afterEach(() => bench.stop());

  const compare = async (pairKey: string, id: string, ends = true) => {
    const key = { ...TENANT, comparisonId: `${pairKey}:${id}` };
    await bench.comparisons.createComparison({
      ...key,
      ...SIDES,
      pairKey,
      optionsJson: '{}',
      explain: false,
    });
    const probe = { ...key, side: 'left' as const, url: 'https://a/', envelopeJson: '{}' };
    for (const sample of [1, 2]) await bench.comparisons.saveProbe({ ...probe, sample });
    if (ends) await bench.comparisons.saveResult({ ...key, resultJson: '{}' });
    return key;
  };
  const suite = async (suiteId: string) => {
    const key = { ...TENANT, suiteId };
    await bench.suites.createSuite({ ...key, ...SIDES, optionsJson: '{}' });
    const paths = [{ path: '/', comparisonId: 'one:1' }];
    await bench.suites.planSuite({ ...key, paths, findingsJson: '[]', notesJson: '[]' });
    await bench.suites.endSuite({ ...key, error: null });
    return key;
  };

  test('removes old comparisons, oldest first, a few at a time, and each pair with its last', async () => {
    const first = await compare('one', '1');
    const oldSuite = await suite('11111111-1111-7111-8111-111111111111');
    now += 1;
    const second = await compare('two', '1');
    const running = await compare('two', '2', false);
    now += 10 * DAY_MS;
    const young = await compare('two', '3');
    const youngSuite = await suite('22222222-2222-7222-8222-222222222222');
    const prune = () => bench.old.prune({ olderThanMs: 5 * DAY_MS, limit: 1 });
    const steps: number[] = [];
    do steps.push(await prune());
    while (steps.at(-1) !== 0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
    expect(steps.reduce((sum, step) => sum + step)).toBe(3);
    for (const key of [first, second]) {
      expect(await bench.comparisons.getComparison(key)).toBeUndefined();
      expect(await bench.comparisons.getProbes(key)).toEqual([]);
    }
    for (const key of [running, young]) expect(await bench.comparisons.getComparison(key)).toBeDefined();
    expect(await bench.suites.getSuite(oldSuite)).toBeUndefined();
    expect(await bench.suites.getSuite(youngSuite)).toBeDefined();
    expect(await bench.comparisons.listPairs({ ...TENANT, limit: 10 })).toMatchObject([
      { pairKey: 'two', comparisons: 2, lastComparisonId: young.comparisonId },
    ]);
  });

  test('the newest remaining comparison represents its pair', async () => {
    const kept = await compare('one', '1', false);
    now += 1;
    await compare('one', '2');
    now += 10 * DAY_MS;
    expect(await bench.old.prune({ olderThanMs: 5 * DAY_MS, limit: 10 })).toBe(1);
    expect(await bench.comparisons.listPairs({ ...TENANT, limit: 10 })).toMatchObject([
      { comparisons: 1, lastComparisonId: kept.comparisonId, lastStatus: 'running' },
    ]);
  });
});
