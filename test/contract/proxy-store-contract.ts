import { describe, expect, test } from 'vitest';
import type { CreateResult, ProxyStore } from '../../src/proxy/index.js';

/**
 * What every engine's proxy store does. `store` starts empty; `reopen` opens the same data again, as after a restart.
 */
export interface ProxyStoreUnderTest {
  readonly store: ProxyStore;
  reopen(): Promise<ProxyStore>;
}

const NOW = Date.UTC(2026, 0, 1);
const create = (key: string, fingerprint = 'f', now = NOW) => ({
  key,
  fingerprint,
  now,
  expiresAt: now + 1_000,
});
const STREAM: CreateResult = { kind: 'stream', id: 'an-id' };
const REFUSED: CreateResult = {
  kind: 'refused',
  status: 502,
  headers: { 'Upstream-Status': '429', 'Content-Type': 'application/json' },
  body: Uint8Array.from({ length: 256 }, (_, i) => i),
};

const pump = (life: string) => ({ id: 'proxy/1', life });

export function describeProxyStore(name: string, current: () => ProxyStoreUnderTest): void {
  describe(`the proxy store: ${name}`, () => {
    test('lists the pumps that were started and not ended, in order, page by page', async () => {
      const { store } = current();
      expect(await store.pumps('', 10)).toEqual([]);
      for (const life of ['c', 'a', 'b', 'd']) await store.pumpStarted(pump(life));
      await store.pumpStarted(pump('a'));
      await store.pumpEnded(pump('b'));
      await store.pumpEnded(pump('never started'));
      expect(await store.pumps('', 10)).toEqual(['a', 'c', 'd'].map(pump));
      expect(await store.pumps('', 2)).toEqual(['a', 'c'].map(pump));
      expect(await store.pumps('c', 2)).toEqual(['d'].map(pump));
      expect(await store.pumps('d', 2)).toEqual([]);
    });

    test('gives a key to the first caller, and shows the others its state', async () => {
      const { store } = current();
      expect(await store.beginCreate(create('k', 'one'))).toBeUndefined();
      expect(await store.beginCreate(create('k', 'two'))).toMatchObject({ fingerprint: 'one', result: null });
      expect(await store.beginCreate(create('other', 'two'))).toBeUndefined();
    });

    test.each([STREAM, REFUSED, { ...REFUSED, body: new Uint8Array(0), headers: {} }])(
      'stores the result of a create: %#',
      async (result) => {
        const { store } = current();
        await store.beginCreate(create('k'));
        await store.endCreate('k', { result });
        expect(await store.beginCreate(create('k'))).toEqual({
          ...{ fingerprint: 'f', digest: null, response: null, attempt: 1 },
          result,
        });
      },
    );

    test('a dropped key can be taken again', async () => {
      const { store } = current();
      await store.beginCreate(create('k', 'one'));
      await store.dropCreate('k');
      await store.dropCreate('k');
      expect(await store.beginCreate(create('k', 'two'))).toBeUndefined();
      expect((await store.beginCreate(create('k')))?.fingerprint).toBe('two');
    });

    test('an expired record counts as absent, swept or not', async () => {
      const { store } = current();
      await store.beginCreate(create('k', 'one'));
      await store.endCreate('k', { result: STREAM });
      expect(await store.beginCreate(create('k', 'two', NOW + 999))).toMatchObject({ fingerprint: 'one' });
      expect(await store.beginCreate(create('k', 'three', NOW + 1_000))).toBeUndefined();
      expect(await store.beginCreate(create('k', 'x', NOW + 1_001))).toMatchObject({
        fingerprint: 'three',
        result: null,
      });
    });

    test('sweeps expired records only', async () => {
      const { store } = current();
      await store.beginCreate(create('old', 'o', NOW));
      await store.beginCreate(create('new', 'n', NOW + 1));
      await store.beginCreate(create('older', 'o', NOW - 1));
      expect(await store.sweepCreates(NOW + 1_000, 1)).toBe(1);
      expect(await store.sweepCreates(NOW + 1_000, 10)).toBe(1);
      expect(await store.sweepCreates(NOW + 1_000, 10)).toBe(0);
      expect(await store.beginCreate(create('old', 'again', NOW))).toBeUndefined();
      expect(await store.beginCreate(create('new', 'again', NOW))).toMatchObject({ fingerprint: 'n' });
    });

    test('only one of many concurrent callers gets the key', async () => {
      const { store } = current();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.beginCreate(create('k', `${i}`))),
      );
      expect(responses.filter((response) => response === undefined)).toHaveLength(1);
    });

    test('survives a restart', async () => {
      const { store, reopen } = current();
      await store.pumpStarted(pump('p'));
      await store.beginCreate(create('done'));
      await store.endCreate('done', { result: REFUSED });
      await store.beginCreate(create('open'));
      const again = await reopen();
      expect(await again.pumps('', 10)).toEqual([pump('p')]);
      expect(await again.beginCreate(create('done'))).toMatchObject({ fingerprint: 'f', result: REFUSED });
      expect(await again.beginCreate(create('open'))).toMatchObject({ fingerprint: 'f', result: null });
    });
  });
}
