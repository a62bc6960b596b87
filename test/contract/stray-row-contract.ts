/** Every engine finds the same running comparisons and suites that have no job. */
import { expect, test } from 'vitest';
import { type ComparisonStore, comparisonIdOf, pairKeyOf, type SuiteStore } from '../../src/compare/index.js';
import { type JobStore, type TenantStore, uniqueKey } from '../../src/jobs/index.js';
import type { StrayQuery, StrayRows } from '../../src/stores/portable/stray-rows.js';
import { uuidV7 } from '../../src/uuid.js';

export interface StrayRowBench {
  readonly strayRows: { find(query: StrayQuery): Promise<StrayRows> };
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
}

const SIDES = { leftUrl: 'https://staging.example.com/', rightUrl: 'https://www.example.com/' };
const ROW = { ...SIDES, leftSealed: null, rightSealed: null, optionsJson: '{}' };
const HOUR_MS = 3_600_000;

export function strayRowContract(bench: () => StrayRowBench): void {
  const find = (olderThanMs = -HOUR_MS, limit = 100) => bench().strayRows.find({ olderThanMs, limit });

  async function newTenant(): Promise<string> {
    const id = uuidV7(Date.now());
    await bench().tenants.create({ id, slug: `t-${id.slice(-12)}`, name: 'T', quotas: {} });
    return id;
  }

  async function compare(tenantId: string, id: string = crypto.randomUUID()) {
    const pairKey = pairKeyOf({ tenantId, ...SIDES });
    const key = { tenantId, comparisonId: comparisonIdOf(pairKey, id) };
    await bench().comparisons.createComparison({ ...key, ...ROW, pairKey, explain: false });
    return key;
  }

  async function suite(tenantId: string, suiteId: string = crypto.randomUUID()) {
    await bench().suites.createSuite({ tenantId, suiteId, ...ROW });
    return { tenantId, suiteId };
  }

  const enqueue = (tenantId: string, jobId: string) =>
    bench().jobs.enqueue([
      { jobId, tenantId, kind: 'hello', payload: {}, idempotencyKey: uniqueKey(), maxAttempts: 3 },
    ]);

  test('finds exactly the running rows that have no job', async () => {
    const tenantId = await newTenant();
    const [comparisonJob, suiteJob] = [crypto.randomUUID(), crypto.randomUUID()];
    await enqueue(tenantId, comparisonJob);
    await enqueue(tenantId, suiteJob);
    await compare(tenantId, comparisonJob);
    await suite(tenantId, suiteJob);
    expect(await find()).toEqual({ comparisons: [], suites: [] });

    const [ended, stray] = [await compare(tenantId), await compare(tenantId)];
    await bench().comparisons.failComparison({ ...ended, error: 'over' });
    const [endedSuite, straySuite] = [await suite(tenantId), await suite(tenantId)];
    await bench().suites.endSuite({ ...endedSuite, error: 'over' });
    expect(await find()).toEqual({ comparisons: [stray], suites: [straySuite] });
    expect(await find(HOUR_MS)).toEqual({ comparisons: [], suites: [] });

    await bench().comparisons.failComparison({ ...stray, error: 'over' });
    await bench().suites.endSuite({ ...straySuite, error: 'over' });
    expect(await find()).toEqual({ comparisons: [], suites: [] });
  });

  test("a path of a suite runs under the suite's job, and is stray once the suite has ended", async () => {
    const tenantId = await newTenant();
    const suiteJob = crypto.randomUUID();
    await enqueue(tenantId, suiteJob);
    const key = await suite(tenantId, suiteJob);
    const path = await compare(tenantId);
    const paths = [{ path: '/a', comparisonId: path.comparisonId }];
    await bench().suites.planSuite({ ...key, paths, findingsJson: '[]', notesJson: '[]' });
    const other = await compare(tenantId);
    expect(await find()).toEqual({ comparisons: [other], suites: [] });
    await bench().suites.endSuite({ ...key, error: 'over' });
    const found = await find();
    expect(found.suites).toEqual([]);
    expect(found.comparisons).toHaveLength(2);
    expect(found.comparisons).toEqual(expect.arrayContaining([other, path]));
    expect((await find(-HOUR_MS, 1)).comparisons).toHaveLength(1);
  });
}
