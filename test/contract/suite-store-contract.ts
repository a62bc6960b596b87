/** What every engine of the suite store must do. The suite supplies its own clock. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type NewSuite, SUITE_LIMITS, type SuiteStore } from '../../src/compare/index.js';

export interface SuiteStoreHarness {
  readonly store: SuiteStore;
  stop(): Promise<void>;
}

let count = 0;
const suite = (more: Partial<NewSuite> = {}): NewSuite => ({
  tenantId: 'acme',
  suiteId: `suite-${String(count++).padStart(6, '0')}`,
  leftUrl: 'https://staging.example.com/',
  rightUrl: 'https://www.example.com/',
  optionsJson: '{"samples":1}',
  leftSealed: new Uint8Array([1, 2, 3]),
  rightSealed: null,
  ...more,
});
const PATHS = ['/a', '/b', '/c'].map((path, n) => ({ path, comparisonId: `k:${n}` }));
const ALL = { after: -1, limit: 100, openOnly: false } as const;

export function suiteStoreContract(
  open: (options: { clock: () => number }) => Promise<SuiteStoreHarness>,
): void {
  let now: number;
  let harness: SuiteStoreHarness;
  let store: SuiteStore;
  beforeEach(async () => {
    now = 1_000_000;
    harness = await open({ clock: () => now });
    store = harness.store;
  });
  afterEach(() => harness.stop());

  const planned = async (more: Partial<NewSuite> = {}) => {
    const made = suite(more);
    const key = { tenantId: made.tenantId, suiteId: made.suiteId };
    await store.createSuite(made);
    await store.planSuite({ ...key, paths: PATHS, findingsJson: '[]', notesJson: '["x"]' });
    return key;
  };

  test('is created once and planned once, and a repeat changes nothing', async () => {
    const made = suite();
    const key = { tenantId: made.tenantId, suiteId: made.suiteId };
    expect(await store.createSuite(made)).toEqual({ kind: 'created', status: 'running' });
    expect(await store.createSuite({ ...made, leftUrl: 'https://other' })).toMatchObject({ kind: 'exists' });
    expect(await store.getSuite(key)).toMatchObject({ leftUrl: made.leftUrl, findingsJson: null, paths: 0 });
    const plan = { ...key, paths: PATHS, findingsJson: '[]', notesJson: '[]' };
    expect(await store.planSuite(plan)).toBe(true);
    expect(await store.planSuite({ ...plan, paths: [] })).toBe(false);
    expect(await store.getSuite(key)).toMatchObject({ paths: 3, done: 0, verdicts: {}, ts: now });
  });

  test('stores the outcome of each path once, and returns paths in pages', async () => {
    const key = await planned();
    const outcome = { ...key, n: 1, verdict: 'warn' as const, findings: 4 };
    expect(await store.savePathOutcome(outcome)).toBe(true);
    expect(await store.savePathOutcome({ ...outcome, verdict: 'pass' })).toBe(false);
    expect(await store.savePathOutcome({ ...outcome, n: 77 })).toBe(false);
    expect(await store.getSuite(key)).toMatchObject({ paths: 3, done: 1, verdicts: { warn: 1 } });
    const rows = await store.getSuitePaths({ ...key, ...ALL });
    expect(rows.map(({ path, outcome: one }) => [path, one?.verdict ?? null, one?.findings])).toEqual([
      ['/a', null, undefined],
      ['/b', 'warn', 4],
      ['/c', null, undefined],
    ]);
    const open = await store.getSuitePaths({ ...key, ...ALL, openOnly: true });
    expect(open.map(({ n }) => n)).toEqual([0, 2]);
    expect((await store.getSuitePaths({ ...key, after: 0, limit: 1, openOnly: false }))[0]?.n).toBe(1);
  });

  test('ends once; its end erases the sealed sides, and nothing changes afterwards', async () => {
    const key = await planned();
    expect(await store.getSuiteSealed(key)).toEqual({ left: new Uint8Array([1, 2, 3]), right: null });
    expect(await store.endSuite({ ...key, error: '{"code":"canceled"}' })).toBe(true);
    expect(await store.endSuite({ ...key, error: null })).toBe(false);
    expect(await store.getSuiteSealed(key)).toBeUndefined();
    expect(await store.savePathOutcome({ ...key, n: 0, verdict: 'pass', findings: 0 })).toBe(false);
    expect(await store.getSuite(key)).toMatchObject({ status: 'failed', error: '{"code":"canceled"}' });
  });

  test("another tenant's suite is not visible", async () => {
    const key = { ...(await planned()), tenantId: 'other' };
    expect(await store.getSuite(key)).toBeUndefined();
    expect(await store.getSuiteSealed(key)).toBeUndefined();
    expect(await store.getSuitePaths({ ...key, ...ALL })).toEqual([]);
    expect(await store.endSuite({ ...key, error: null })).toBe(false);
    expect(await store.listSuites({ tenantId: 'other', limit: 10 })).toEqual([]);
  });

  test('a tenant has a limit of running suites', async () => {
    for (let n = 0; n < SUITE_LIMITS.running; n++) await planned();
    const refused = await store.createSuite(suite());
    expect(refused).toEqual({ kind: 'too_many_running', limit: SUITE_LIMITS.running });
    expect(await store.createSuite(suite({ tenantId: 'other' }))).toMatchObject({ kind: 'created' });
  });

  test('the newest are kept, also with equal times, and a running suite is never dropped', async () => {
    const first = await planned();
    for (let n = 0; n < SUITE_LIMITS.kept + 10; n++)
      await store.endSuite({ ...(await planned()), error: null });
    const kept = await store.listSuites({ tenantId: 'acme', limit: 100 });
    expect(kept).toHaveLength(SUITE_LIMITS.kept);
    expect(kept.map(({ suiteId }) => suiteId)).toEqual(
      kept
        .map(({ suiteId }) => suiteId)
        .toSorted()
        .reverse(),
    );
    expect(await store.getSuite(first)).toMatchObject({ status: 'running' });
  });

  test('is deleted after it has ended, a few paths at a time', async () => {
    const key = await planned();
    expect(await store.removeSuite({ ...key, through: 100 })).toBe('running');
    await store.endSuite({ ...key, error: null });
    expect(await store.removeSuite({ ...key, tenantId: 'other', through: 100 })).toBe('missing');
    expect(await store.removeSuite({ ...key, through: 1 })).toBe('more');
    expect(await store.getSuitePaths({ ...key, ...ALL })).toMatchObject([{ n: 2, path: '/c' }]);
    expect(await store.removeSuite({ ...key, through: 2 })).toBe('removed');
    expect(await store.getSuite(key)).toBeUndefined();
    expect(await store.removeSuite({ ...key, through: 2 })).toBe('missing');
  });
}
