/** A run is a job and its row: both are created in one transaction, and what still runs ends with the job. */
import { describe, expect, test } from 'vitest';
import {
  type ComparisonStore,
  comparisonIdOf,
  pairKeyOf,
  RUN_CANCELED,
  RUN_INTERRUPTED,
  type SuiteStore,
  suitePlan,
} from '../../src/compare/index.js';
import { type JobStore, type TenantStore, uniqueKey } from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';

export interface RunRowBench {
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
}

const SIDES = { leftUrl: 'https://staging.example.com/', rightUrl: 'https://www.example.com/' };
const ROW = { ...SIDES, leftSealed: new Uint8Array([1]), rightSealed: null, optionsJson: '{}' };
const RESULT = JSON.stringify({ diff: {}, timestamp: 1 });

export function runRowContract(bench: () => RunRowBench): void {
  async function newTenant(): Promise<string> {
    const id = uuidV7(Date.now());
    await bench().tenants.create({ id, slug: `t-${id.slice(-12)}`, name: 'T', quotas: {} });
    return id;
  }

  const jobOf = <Kind extends 'compare' | 'suite'>(tenantId: string, kind: Kind, jobId: string) => {
    const job = { jobId, tenantId, kind, payload: { tenantId, of: jobId }, maxAttempts: 1 };
    return { ...job, idempotencyKey: uniqueKey(jobId) };
  };

  async function compare(tenantId: string, { explain = true, suiteId = '' } = {}) {
    const pairKey = pairKeyOf({ tenantId, ...SIDES });
    const jobId = uuidV7(Date.now());
    const key = { tenantId, comparisonId: comparisonIdOf(pairKey, jobId) };
    const own = { jobId, job: jobOf(tenantId, 'compare', jobId) };
    const input = { ...key, ...ROW, pairKey, explain, ...(suiteId ? { suiteId, jobId: suiteId } : own) };
    const outcome = await bench().comparisons.createComparison(input);
    return { key, jobId, input, outcome, row: () => bench().comparisons.getComparison(key) };
  }

  async function suite(tenantId: string) {
    const suiteId = uuidV7(Date.now());
    const key = { tenantId, suiteId };
    const bases = { left: SIDES.leftUrl, right: SIDES.rightUrl };
    const plan = suitePlan(key, { bases, paths: ['/a', '/b'], findings: [] }, () => uuidV7(Date.now()));
    const outcome = await bench().suites.createSuite({
      ...key,
      ...ROW,
      plan,
      job: jobOf(tenantId, 'suite', suiteId),
    });
    return { key, jobId: suiteId, outcome, row: () => bench().suites.getSuite(key) };
  }

  const job = (tenantId: string, jobId: string) => bench().jobs.get(tenantId, jobId);

  async function claim(kind: 'compare' | 'suite', jobId: string) {
    const request = {
      workerId: 'w',
      kinds: [kind],
      limit: 100,
      leaseMs: 60_000,
      runningMax: 100,
      after: null,
    };
    const { jobs } = await bench().jobs.claim(request);
    const held = jobs.find((each) => each.jobId === jobId);
    if (!held) throw new Error('not claimed');
    return { jobId, leaseToken: held.leaseToken };
  }

  const settle = async (
    kind: 'compare' | 'suite',
    jobId: string,
    outcome: 'done' | 'failed' | 'canceled',
  ) => {
    const lease = await claim(kind, jobId);
    expect(await bench().jobs.settle([{ ...lease, outcome, events: [], hadSteps: false }])).toEqual([true]);
  };

  test('are created together, once', async () => {
    const tenantId = await newTenant();
    const one = await compare(tenantId);
    expect(one.outcome).toMatchObject({ kind: 'created', status: 'running' });
    expect(await job(tenantId, one.jobId)).toMatchObject({
      ...{ status: 'queued', kind: 'compare', attempt: 0, maxAttempts: 1, priority: 0 },
      payload: { tenantId, of: one.jobId },
    });
    expect(await bench().comparisons.createComparison(one.input)).toMatchObject({ kind: 'exists' });
    const other = await suite(tenantId);
    expect(await other.row()).toMatchObject({ status: 'running', paths: 2 });
    expect(await job(tenantId, other.jobId)).toMatchObject({ status: 'queued', kind: 'suite' });
    expect(await bench().jobs.counts(tenantId)).toEqual({ queued: 2, running: 0 });
  });

  test('are not created if one of them cannot be', async () => {
    const nobody = uuidV7(Date.now());
    await expect(compare(nobody)).rejects.toThrow();
    const pairKey = pairKeyOf({ tenantId: nobody, ...SIDES });
    const query = { tenantId: nobody, pairKey, limit: 10, completedOnly: false };
    expect(await bench().comparisons.getComparisonsForHistory(query)).toEqual([]);
    await expect(suite(nobody)).rejects.toThrow();
    expect(await bench().suites.listSuites({ tenantId: nobody, limit: 10 })).toEqual([]);
    const tenantId = await newTenant();
    let last = await compare(tenantId);
    while (last.outcome.kind === 'created') last = await compare(tenantId);
    expect(last.outcome.kind).toBe('too_many_running');
    expect(await job(tenantId, last.jobId)).toBeUndefined();
  });

  describe.each(['done', 'failed', 'canceled'] as const)('when the job ends as %s', (status) => {
    const error = status === 'canceled' ? RUN_CANCELED : RUN_INTERRUPTED;

    test('a comparison that still runs ends, and its requests are erased', async () => {
      const tenantId = await newTenant();
      const { key, jobId, row } = await compare(tenantId);
      await settle('compare', jobId, status);
      expect(await row()).toMatchObject({ status: 'failed', error, explanation: { state: 'off' } });
      expect(await bench().comparisons.getSealed(key)).toBeUndefined();
    });

    test('a comparison keeps its result, and only its explanation ends', async () => {
      const tenantId = await newTenant();
      const { key, jobId, row } = await compare(tenantId);
      await bench().comparisons.saveResult({ ...key, resultJson: RESULT });
      await settle('compare', jobId, status);
      const explanation = { state: 'failed', textJson: `{"error":${error}}` };
      expect(await row()).toMatchObject({ status: 'completed', resultJson: RESULT, explanation });
    });

    test('a suite ends with its comparisons, and with no other', async () => {
      const tenantId = await newTenant();
      const { key, jobId, row } = await suite(tenantId);
      const own = [await compare(tenantId, { suiteId: jobId }), await compare(tenantId, { suiteId: jobId })];
      const [other, ended] = [
        await compare(tenantId),
        await compare(tenantId, { suiteId: jobId, explain: false }),
      ];
      await bench().comparisons.failComparison({ ...ended.key, error: 'earlier' });
      await settle('suite', jobId, status);
      expect(await row()).toMatchObject({ status: 'failed', error });
      expect(await bench().suites.getSuiteSealed(key)).toBeUndefined();
      for (const one of own) expect(await one.row()).toMatchObject({ status: 'failed', error });
      expect(await ended.row()).toMatchObject({ status: 'failed', error: 'earlier' });
      expect(await other.row()).toMatchObject({ status: 'running' });
      expect((await compare(tenantId, { suiteId: jobId })).outcome).toEqual({ kind: 'ended' });
    });

    test('what has ended before stays as it is', async () => {
      const tenantId = await newTenant();
      const one = await compare(tenantId, { explain: false });
      await bench().comparisons.saveResult({ ...one.key, resultJson: RESULT });
      const other = await suite(tenantId);
      await bench().suites.endSuite({ ...other.key, error: null });
      const before = [await one.row(), await other.row()];
      await settle('compare', one.jobId, status);
      await settle('suite', other.jobId, status);
      expect([await one.row(), await other.row()]).toEqual(before);
    });
  });

  test('a row ends as soon as the cancelation of its job is requested', async () => {
    const tenantId = await newTenant();
    const [queued, running] = [await compare(tenantId), await suite(tenantId)];
    const path = await compare(tenantId, { suiteId: running.jobId });
    await claim('suite', running.jobId);
    for (const { jobId } of [queued, running]) await bench().jobs.cancel(tenantId, jobId);
    expect(await job(tenantId, running.jobId)).toMatchObject({ status: 'running', cancelRequested: true });
    for (const { row } of [queued, running, path])
      expect(await row()).toMatchObject({ status: 'failed', error: RUN_CANCELED });
  });

  test('a row continues when its job is queued again', async () => {
    const tenantId = await newTenant();
    const { jobId, row } = await compare(tenantId);
    const lease = await claim('compare', jobId);
    await bench().jobs.settle([{ ...lease, outcome: 'release', events: [], hadSteps: false }]);
    expect(await row()).toMatchObject({ status: 'running' });
  });

  test('a row ends with a job whose workers died until no attempt was left', async () => {
    const tenantId = await newTenant();
    const { jobId, row } = await compare(tenantId);
    const request = {
      workerId: 'w',
      kinds: ['compare' as const],
      limit: 100,
      leaseMs: 0,
      runningMax: 100,
      after: null,
    };
    await bench().jobs.claim(request);
    while ((await job(tenantId, jobId))?.status === 'running')
      await bench().jobs.reap({
        limit: 100,
        backoffFirstMs: 0,
        backoffMaxMs: 0,
        fractions: Array(100).fill(0),
      });
    while ((await job(tenantId, jobId))?.status === 'queued') {
      await bench().jobs.claim({ ...request, which: 'alone' });
      await bench().jobs.reap({
        limit: 100,
        backoffFirstMs: 0,
        backoffMaxMs: 0,
        fractions: Array(100).fill(0),
      });
    }
    expect(await job(tenantId, jobId)).toMatchObject({ status: 'failed' });
    expect(await row()).toMatchObject({ status: 'failed', error: RUN_INTERRUPTED });
  });

  test('a row without a job is left alone', async () => {
    const tenantId = await newTenant();
    const pairKey = pairKeyOf({ tenantId, ...SIDES });
    const key = { tenantId, comparisonId: comparisonIdOf(pairKey, uuidV7(Date.now())) };
    await bench().comparisons.createComparison({ ...key, ...ROW, pairKey, explain: false });
    const { jobId } = await compare(tenantId);
    await settle('compare', jobId, 'failed');
    expect(await bench().comparisons.getComparison(key)).toMatchObject({ status: 'running' });
  });
}
