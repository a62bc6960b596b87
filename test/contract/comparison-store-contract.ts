/**
 * What every engine of the comparison store must do. The engine's test supplies `open`, which receives a clock that the
 * suite advances; `stop` removes everything that the suite leaves behind.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  COMPARISON_LIMITS,
  type ComparisonStore,
  comparisonIdOf,
  createPairComparison,
  type NewComparison,
  pairKeyOf,
  probeInput,
} from '../../src/compare/index.js';
import { makeEnvelope } from '../support/make-envelope.js';
import { acceptedFindingsContract } from './accepted-findings-contract.js';
import { comparisonRemovalContract } from './comparison-removal-contract.js';

export interface ComparisonStoreHarness {
  readonly store: ComparisonStore;
  stop(): Promise<void>;
}

type Bounds = Partial<Record<'kept' | 'running' | 'leaseMs', number>>;
export type OpenComparisonStore = (
  options: Bounds & { clock: () => number },
) => Promise<ComparisonStoreHarness>;

const LEFT = 'https://staging.example.com/a';
const RIGHT = 'https://www.example.com/a';
const PAIR = { tenantId: 'acme', leftUrl: LEFT, rightUrl: RIGHT };
const RESULT = JSON.stringify({ diff: { verdict: 'pass' }, timestamp: 5 });

let uuids = 0;
const newUuid = () => `00000000-0000-4000-8000-${String(uuids++).padStart(12, '0')}`;

const comparison = (more: Partial<NewComparison> = {}): NewComparison => {
  const pairKey = pairKeyOf({ ...PAIR, tenantId: more.tenantId ?? 'acme' });
  return {
    tenantId: 'acme',
    comparisonId: comparisonIdOf(pairKey, newUuid()),
    pairKey,
    leftUrl: LEFT,
    rightUrl: RIGHT,
    optionsJson: '{"samples":3}',
    explain: true,
    leftSealed: new Uint8Array([1, 2, 3]),
    rightSealed: null,
    ...more,
  };
};

export function comparisonStoreContract(open: OpenComparisonStore): void {
  let now: number;
  let harness: ComparisonStoreHarness;
  let store: ComparisonStore;

  beforeEach(async () => {
    now = 1_000_000;
    harness = await open({ clock: () => now });
    store = harness.store;
  });
  afterEach(() => harness.stop());

  const reopen = async (options: Bounds) => {
    await harness.stop();
    harness = await open({ clock: () => now, ...options });
    store = harness.store;
  };
  const probe = (key: NewComparison, side: 'left' | 'right', sample = 1, text = '{"n":1}') =>
    store.saveProbe({ ...key, side, url: side === 'left' ? LEFT : RIGHT, envelopeJson: text, sample });
  const history = (completedOnly: boolean, limit = 100) =>
    store.getComparisonsForHistory({ tenantId: 'acme', pairKey: pairKeyOf(PAIR), limit, completedOnly });
  const finish = async (more: Partial<NewComparison> = {}) => {
    const one = comparison(more);
    await store.createComparison(one);
    await probe(one, 'left');
    await store.saveResult({ ...one, resultJson: RESULT });
    return one;
  };

  describe('a comparison', () => {
    test('runs from its creation to its result, and only its tenant finds it', async () => {
      const one = comparison();
      expect(await store.createComparison(one)).toEqual({
        kind: 'created',
        comparisonId: one.comparisonId,
        status: 'running',
      });
      expect(await store.getComparison(one)).toMatchObject({
        status: 'running',
        ts: now,
        leftUrl: LEFT,
        resultJson: null,
        error: null,
        explanation: { state: 'pending' },
      });
      expect(await store.saveResult({ ...one, resultJson: RESULT })).toBe(true);
      expect(await store.getComparison(one)).toMatchObject({
        status: 'completed',
        resultJson: RESULT,
        error: null,
      });
      expect(await store.getComparison({ ...one, tenantId: 'other' })).toBeUndefined();
      expect(await store.getProbes({ ...one, tenantId: 'other' })).toEqual([]);
      expect(await store.getSealed({ ...one, tenantId: 'other' })).toBeUndefined();
    });

    test('an unknown id is not found, never running', async () => {
      expect(await store.getComparison(comparison())).toBeUndefined();
    });

    test('creating it again changes nothing: time, status, result and probes stay', async () => {
      const one = await finish();
      now += 1000;
      expect(await store.createComparison(one)).toMatchObject({ kind: 'exists', status: 'completed' });
      expect(await store.getComparison(one)).toMatchObject({ ts: 1_000_000, resultJson: RESULT });
      expect(await store.getProbes(one)).toHaveLength(1);
    });

    test('ends once: later writes are refused', async () => {
      const done = await finish();
      expect(await store.failComparison({ ...done, error: 'late' })).toBe(false);
      expect(await store.saveResult({ ...done, resultJson: '{}' })).toBe(false);
      expect(await probe(done, 'right')).toBe(false);
      expect(await store.getComparison(done)).toMatchObject({
        status: 'completed',
        resultJson: RESULT,
        error: null,
      });
      const failed = comparison();
      await store.createComparison(failed);
      expect(await store.failComparison({ ...failed, error: 'boom' })).toBe(true);
      expect(await store.saveResult({ ...failed, resultJson: RESULT })).toBe(false);
      expect(await store.getComparison(failed)).toMatchObject({
        status: 'failed',
        resultJson: null,
        error: 'boom',
        explanation: { state: 'off' },
      });
    });

    test('another tenant can neither end it nor write to it', async () => {
      const one = comparison();
      await store.createComparison(one);
      const stranger = { ...one, tenantId: 'other' };
      expect(await store.saveResult({ ...stranger, resultJson: RESULT })).toBe(false);
      expect(await store.failComparison({ ...stranger, error: 'x' })).toBe(false);
      expect(
        await store.saveProbe({ ...stranger, side: 'left', url: LEFT, envelopeJson: '{}', sample: 1 }),
      ).toBe(false);
      expect(await store.getComparison(one)).toMatchObject({ status: 'running' });
    });

    test('its sealed sides can be read while it runs and are erased when it ends', async () => {
      const [one, two] = [comparison(), comparison()];
      await store.createComparison(one);
      await store.createComparison(two);
      expect(await store.getSealed(one)).toEqual({ left: new Uint8Array([1, 2, 3]), right: null });
      await store.saveResult({ ...one, resultJson: RESULT });
      await store.failComparison({ ...two, error: 'x' });
      expect(await store.getSealed(one)).toBeUndefined();
      expect(await store.getSealed(two)).toBeUndefined();
    });
  });

  describe('probes', () => {
    test('each side has one probe; a later save replaces it and keeps the requested URL', async () => {
      const one = comparison();
      await store.createComparison(one);
      await probe(one, 'right');
      await probe(one, 'left');
      await probe(one, 'left', 1, '{"n":2}');
      const probes = await store.getProbes(one);
      expect(
        probes.map(({ probeId, side, url, envelopeJson }) => [probeId, side, url, envelopeJson]),
      ).toEqual([
        [`${one.comparisonId}:left`, 'left', LEFT, '{"n":2}'],
        [`${one.comparisonId}:right`, 'right', RIGHT, '{"n":1}'],
      ]);
    });

    test('samples are stored with their probe, in order and once each', async () => {
      const one = comparison();
      await store.createComparison(one);
      await probe(one, 'left');
      await probe(one, 'left', 3, '3');
      await probe(one, 'left', 2, '2');
      await probe(one, 'left', 2, '2');
      const [left] = await store.getProbes(one);
      expect(left?.samples).toEqual([
        { sample: 2, envelopeJson: '2' },
        { sample: 3, envelopeJson: '3' },
      ]);
    });
  });

  describe('the ring buffer', () => {
    test('60 finished comparisons leave the newest 50', async () => {
      const all: NewComparison[] = [];
      for (let count = 0; count < 60; count++) {
        now++;
        all.push(await finish());
      }
      const kept = await history(false);
      expect(kept.map(({ comparisonId }) => comparisonId)).toEqual(
        all
          .slice(10)
          .reverse()
          .map(({ comparisonId }) => comparisonId),
      );
      expect(await store.getProbes(all[0] ?? comparison())).toEqual([]);
    });

    test('60 comparisons with equal timestamps leave 50, chosen by id', async () => {
      const all: string[] = [];
      for (let count = 0; count < 60; count++) all.push((await finish()).comparisonId);
      const kept = (await history(false)).map(({ comparisonId }) => comparisonId);
      expect(kept).toEqual(all.toSorted().slice(10).reverse());
    });

    test('never drops a running comparison or the one that has just ended', async () => {
      const old = comparison();
      await store.createComparison(old);
      for (let count = 0; count < 55; count++) {
        now++;
        await finish();
      }
      expect(await store.getComparison(old)).toMatchObject({ status: 'running' });
      await probe(old, 'left');
      await store.saveResult({ ...old, resultJson: RESULT });
      expect(await store.getComparison(old)).toMatchObject({ status: 'completed', resultJson: RESULT });
    });

    test('exists once per pair and tenant, and its size can change without a migration', async () => {
      await reopen({ kept: 3 });
      for (let count = 0; count < 5; count++) {
        now++;
        await finish();
        await finish({ tenantId: 'other' });
      }
      expect(await history(false)).toHaveLength(3);
      const other = pairKeyOf({ ...PAIR, tenantId: 'other' });
      const query = { tenantId: 'other', pairKey: other, limit: 10, completedOnly: false };
      expect(await store.getComparisonsForHistory(query)).toHaveLength(3);
    });
  });

  test('a pair has a limit of running comparisons; a repeated create is not counted', async () => {
    await reopen({ running: 2 });
    const [one, two, three] = [comparison(), comparison(), comparison()];
    await store.createComparison(one);
    await store.createComparison(two);
    expect(await store.createComparison(three)).toEqual({ kind: 'too_many_running', limit: 2 });
    expect(await store.createComparison(two)).toMatchObject({ kind: 'exists' });
    expect(await store.getComparison(three)).toBeUndefined();
    await store.failComparison({ ...one, error: 'x' });
    expect(await store.createComparison(three)).toMatchObject({ kind: 'created' });
  });

  test('the limit is 20 by default', async () => {
    for (let n = 0; n < COMPARISON_LIMITS.running; n++) await store.createComparison(comparison());
    expect(await store.createComparison(comparison())).toEqual({ kind: 'too_many_running', limit: 20 });
  });

  test('history is newest first and bounded, and only completed comparisons reach the explanation', async () => {
    const first = await finish();
    now++;
    const failed = comparison();
    await store.createComparison(failed);
    await store.failComparison({ ...failed, error: 'x' });
    now++;
    const last = await finish();
    expect((await history(true)).map((row) => row.comparisonId)).toEqual([
      last.comparisonId,
      first.comparisonId,
    ]);
    expect((await history(false)).map((row) => row.status)).toEqual(['completed', 'failed', 'completed']);
    expect(await history(true, 1)).toHaveLength(1);
    expect(await history(true, -5)).toEqual([]);
  });

  test('an explanation is written once, after the result, and never changes it', async () => {
    const one = comparison();
    await store.createComparison(one);
    const words = {
      ...one,
      state: 'ready' as const,
      textJson: '{"summary":"a"}',
      model: 'm',
      promptVersion: 1,
    };
    expect(await store.saveExplanation(words)).toBe(false);
    await store.saveResult({ ...one, resultJson: RESULT });
    expect(await store.saveExplanation({ ...words, tenantId: 'other' })).toBe(false);
    expect(await store.saveExplanation(words)).toBe(true);
    expect(await store.saveExplanation({ ...words, state: 'failed', textJson: 'null' })).toBe(false);
    expect(await store.getComparison(one)).toMatchObject({
      resultJson: RESULT,
      explanation: { state: 'ready', textJson: '{"summary":"a"}', model: 'm', promptVersion: 1 },
    });
    const off = comparison({ explain: false });
    await store.createComparison(off);
    await store.saveResult({ ...off, resultJson: RESULT });
    expect(await store.saveExplanation({ ...words, ...off })).toBe(false);
  });

  test('pairs of a tenant are listed by their last comparison, newest first', async () => {
    await finish();
    now++;
    const other = { ...PAIR, leftUrl: 'https://staging.example.com/b' };
    const pairKey = pairKeyOf(other);
    const last = await finish({
      pairKey,
      comparisonId: comparisonIdOf(pairKey, newUuid()),
      leftUrl: other.leftUrl,
    });
    await finish({ tenantId: 'other' });
    expect(await store.listPairs({ tenantId: 'acme', limit: 10 })).toMatchObject([
      {
        pairKey,
        leftUrl: other.leftUrl,
        comparisons: 1,
        lastComparisonId: last.comparisonId,
        lastStatus: 'completed',
      },
      { pairKey: pairKeyOf(PAIR), comparisons: 1 },
    ]);
    expect(await store.listPairs({ tenantId: 'acme', limit: 1 })).toHaveLength(1);
    const after = { ts: now, comparisonId: last.comparisonId };
    expect(await store.listPairs({ tenantId: 'acme', limit: 10, after })).toMatchObject([
      { pairKey: pairKeyOf(PAIR) },
    ]);
  });

  test('a pair is listed by its last comparison outside suites, whatever suites ran before and after', async () => {
    const own = () => store.listPairs({ tenantId: 'acme', limit: 10, own: true });
    await finish({ suiteId: 's1' });
    expect(await own()).toEqual([]);
    now++;
    const first = await finish();
    now++;
    const second = await finish();
    now++;
    const last = await finish({ suiteId: 's2' });
    expect(await own()).toMatchObject([
      { comparisons: 4, lastComparisonId: second.comparisonId, lastTs: now - 1 },
    ]);
    expect(await store.listPairs({ tenantId: 'acme', limit: 10 })).toMatchObject([
      { comparisons: 4, lastComparisonId: last.comparisonId, lastTs: now },
    ]);
    expect(await store.removeComparison(second)).toBe('removed');
    expect(await own()).toMatchObject([{ comparisons: 3, lastComparisonId: first.comparisonId }]);
    expect(await store.removeComparison(first)).toBe('removed');
    expect(await own()).toEqual([]);
    expect(await store.listPairs({ tenantId: 'acme', limit: 10 })).toMatchObject([{ comparisons: 2 }]);
  });

  acceptedFindingsContract(() => ({ store, comparison: comparison() }));
  comparisonRemovalContract({ store: () => store, finish, comparison });

  describe('a comparison of a pair', () => {
    const create = (comparisonId = comparisonIdOf(pairKeyOf(PAIR), newUuid())) =>
      createPairComparison(store, PAIR, { comparisonId, redactUrl: (url) => url });

    test('keeps its id when it is created again; an id of another pair is refused', async () => {
      const { comparisonId, status } = await create();
      expect(status).toBe('running');
      expect(await create(comparisonId)).toEqual({ comparisonId, status: 'running' });
      await expect(create('x:1')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    });

    test('is refused with a code if too many are running or its envelope is too large', async () => {
      for (let count = 0; count < COMPARISON_LIMITS.running; count++) await create();
      await expect(create()).rejects.toMatchObject({ code: 'too_many_running' });
      const huge = makeEnvelope('left', { headers: { link: 'x'.repeat(COMPARISON_LIMITS.envelopeChars) } });
      expect(() => probeInput(comparison(), 'left', huge)).toThrow(
        expect.objectContaining({ code: 'ENVELOPE_TOO_LARGE' }),
      );
    });
  });
}
