/** The part of the comparison store contract that covers the baseline of a pair. */
import { expect, test } from 'vitest';
import { COMPARISON_LIMITS, type ComparisonStore, type NewComparison } from '../../src/compare/index.js';

export function acceptedFindingsContract(
  bench: () => { readonly store: ComparisonStore; readonly comparison: NewComparison },
): void {
  test("accepted findings belong to one tenant's pair, replace each other and can be removed", async () => {
    const { store, comparison } = bench();
    const { pairKey } = comparison;
    const pair = { tenantId: 'acme', pairKey };
    // At the edge a pair exists only after its first comparison.
    await store.createComparison(comparison);
    const accepted = (fingerprint: string, message: string, acceptedAt: number) => ({
      entry: {
        fingerprint: fingerprint.repeat(32),
        routeFingerprint: 'f'.repeat(32),
        code: 'STATUS_MISMATCH',
        severity: 'critical' as const,
        path: '/a',
        message,
      },
      comparisonId: `${pairKey}:1`,
      acceptedAt,
    });
    expect(await store.getAccepted(pair)).toEqual([]);
    expect(await store.acceptFindings({ ...pair, accepted: [accepted('b', 'second', 20)] })).toBe(true);
    const first = accepted('a', 'first', 10);
    expect(await store.acceptFindings({ ...pair, accepted: [first, accepted('b', 'again', 30)] })).toBe(true);
    expect(await store.getAccepted(pair)).toEqual([first, accepted('b', 'again', 30)]);
    expect(await store.getAccepted({ ...pair, tenantId: 'other' })).toEqual([]);
    const many = Array.from({ length: COMPARISON_LIMITS.accepted }, (_none, index) => ({
      ...first,
      entry: { ...first.entry, fingerprint: String(index).padStart(32, '0') },
    }));
    expect(await store.acceptFindings({ ...pair, accepted: many })).toBe(false);
    const fingerprint = first.entry.fingerprint;
    expect(await store.removeAccepted({ ...pair, tenantId: 'other', fingerprint })).toBe(false);
    expect(await store.removeAccepted({ ...pair, fingerprint })).toBe(true);
    expect(await store.removeAccepted({ ...pair, fingerprint })).toBe(false);
    expect(await store.getAccepted(pair)).toEqual([accepted('b', 'again', 30)]);
  });
}
