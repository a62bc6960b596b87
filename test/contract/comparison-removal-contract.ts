/** What every engine of the comparison store does when comparisons and pairs are deleted. */
import { expect, test } from 'vitest';
import { COMPARISON_LIMITS, type ComparisonStore, type NewComparison } from '../../src/compare/index.js';

export interface RemovalBench {
  readonly store: () => ComparisonStore;
  /** Creates a comparison of the pair that has ended and has a probe. */
  finish(): Promise<NewComparison>;
  comparison(): NewComparison;
}

const ENTRY = {
  fingerprint: 'f'.repeat(32),
  routeFingerprint: 'f'.repeat(32),
  code: 'STATUS_MISMATCH',
  severity: 'warn',
  path: '/a',
  message: 'The status differs',
} as const;

export function comparisonRemovalContract({ store, finish, comparison }: RemovalBench): void {
  const pairs = () => store().listPairs({ tenantId: 'acme', limit: 10 });

  test('a comparison that has ended is deleted with its probes, and its pair with the last one', async () => {
    const first = await finish();
    const second = await finish();
    expect(await store().removeComparison({ ...second, tenantId: 'other' })).toBe('missing');
    expect(await store().removeComparison(second)).toBe('removed');
    expect(await store().removeComparison(second)).toBe('missing');
    expect(await store().getComparison(second)).toBeUndefined();
    expect(await store().getProbes(second)).toEqual([]);
    expect(await pairs()).toMatchObject([{ comparisons: 1, lastComparisonId: first.comparisonId }]);
    expect(await store().removeComparison(first)).toBe('removed');
    expect(await pairs()).toEqual([]);
  });

  test('a running comparison stays, and keeps its pair', async () => {
    const ended = await finish();
    const running = comparison();
    await store().createComparison(running);
    expect(await store().removeComparison(running)).toBe('running');
    expect(await store().removePair(running)).toEqual({
      kind: 'running',
      comparisonId: running.comparisonId,
    });
    expect(await store().getComparison(ended)).toBeDefined();
    expect(await store().getComparison(running)).toMatchObject({ status: 'running' });
  });

  test('a pair is deleted a few comparisons at a time, with its baseline at the end', async () => {
    const made: string[] = [];
    for (let n = 0; n <= COMPARISON_LIMITS.removedAtOnce; n++) made.push((await finish()).comparisonId);
    const { comparisonId, pairKey } = await finish();
    const pair = { tenantId: 'acme', pairKey };
    await store().acceptFindings({ ...pair, accepted: [{ entry: ENTRY, comparisonId, acceptedAt: 1 }] });
    expect(await store().removePair({ ...pair, tenantId: 'other' })).toEqual({ kind: 'missing' });
    const more = await store().removePair(pair);
    expect(more).toMatchObject({ kind: 'more' });
    expect(await store().getAccepted(pair)).toHaveLength(1);
    const rest = await store().removePair(pair);
    expect(rest).toMatchObject({ kind: 'removed' });
    const gone = [more, rest].flatMap((each) => ('comparisonIds' in each ? each.comparisonIds : []));
    expect(gone.toSorted()).toEqual([...made, comparisonId].toSorted());
    expect(await store().getAccepted(pair)).toEqual([]);
    expect(await pairs()).toEqual([]);
    expect(await store().removePair(pair)).toEqual({ kind: 'missing' });
  });
}
