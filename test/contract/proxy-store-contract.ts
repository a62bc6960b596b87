import { describe, expect, test } from 'vitest';
import type { CreateResult, NewAttempt, ProxyStore } from '../../src/proxy/index.js';

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
const REFUSED: Extract<CreateResult, { kind: 'refused' }> = {
  kind: 'refused',
  status: 502,
  headers: { 'Upstream-Status': '429', 'Content-Type': 'application/json' },
  body: Uint8Array.from({ length: 256 }, (_, i) => i),
};

const attempt = (response: string, n: number): NewAttempt => ({
  ...{ response, n, tenant: 'acme', method: 'POST', target: 'https://a.example/x?k=…', route: null },
  ...{ startedAt: NOW, expiresAt: NOW + 1_000 },
});

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

    test('only one of many concurrent callers gets the next attempt, and only after an outcome', async () => {
      const { store } = current();
      const begin = (n: number) => store.beginCreate({ ...create('k'), attempt: attempt('r', n) });
      expect(await begin(1)).toBeUndefined();
      // The first attempt is in progress.
      expect(await begin(2)).toMatchObject({ result: null, attempt: 1 });
      await store.endCreate('k', { result: { ...REFUSED, repeatable: true } });
      expect(await begin(3)).toMatchObject({ attempt: 1 });
      const responses = await Promise.all(Array.from({ length: 20 }, () => begin(2)));
      expect(responses.filter((response) => response === undefined)).toHaveLength(1);
      expect(await store.findCreate('k', NOW)).toEqual({
        ...{ fingerprint: 'f', digest: null, result: null, response: 'r', attempt: 2 },
      });
      expect((await store.attempts('r')).map(({ n }) => n)).toEqual([1, 2]);
    });

    test('keeps the digest of an upload through its attempts, and whether a refusal can be repeated', async () => {
      const { store } = current();
      await store.beginCreate({ ...create('k'), attempt: attempt('r', 1) });
      await store.endCreate('k', { result: { ...REFUSED, repeatable: true }, digest: 'd' });
      const known = { fingerprint: 'f', digest: 'd', response: 'r' };
      const result = { ...REFUSED, repeatable: true };
      expect(await store.findCreate('k', NOW)).toEqual({ ...known, result, attempt: 1 });
      await store.beginCreate({ ...create('k'), attempt: attempt('r', 2) });
      await store.endCreate('k', { result: STREAM });
      expect(await store.findCreate('k', NOW)).toEqual({ ...known, result: STREAM, attempt: 2 });
    });

    test('a dropped attempt gives the key back the outcome before it', async () => {
      const { store } = current();
      const result = { ...REFUSED, repeatable: true };
      await store.beginCreate({ ...create('k'), attempt: attempt('r', 1) });
      await store.endCreate('k', { result });
      await store.beginCreate({ ...create('k'), attempt: attempt('r', 2) });
      await store.dropCreate('k', attempt('r', 2), result);
      expect(await store.findCreate('k', NOW)).toMatchObject({ result, attempt: 1 });
      expect((await store.attempts('r')).map(({ n }) => n)).toEqual([1]);
      expect(await store.beginCreate({ ...create('k'), attempt: attempt('r', 2) })).toBeUndefined();
      await store.dropCreate('k', attempt('r', 2));
      expect(await store.findCreate('k', NOW)).toBeUndefined();
    });

    test('shows the attempts of a response, and what became known of them', async () => {
      const { store } = current();
      await store.attemptStarted(attempt('r', 1));
      await store.attemptStarted({ ...attempt('r', 2), route: 'chat' });
      await store.attemptStarted(attempt('other', 1));
      const unknown = { headAt: null, status: null, outcome: null, error: null, bytes: 0 };
      expect(await store.attempts('r')).toEqual([
        { ...attempt('r', 1), ...unknown },
        { ...attempt('r', 2), route: 'chat', ...unknown },
      ]);
      await store.attemptProgressed({ response: 'r', n: 1, headAt: NOW + 5, status: 429 });
      await store.attemptProgressed({ response: 'r', n: 1, outcome: 'completed', bytes: 7 });
      await store.attemptProgressed({ response: 'r', n: 2, headAt: NOW + 6, status: 200 });
      await store.pumpEnded(pump('life'), {
        response: 'r',
        n: 2,
        outcome: 'failed',
        error: 'PUMP_LOST',
        bytes: 3,
      });
      await store.attemptProgressed({ response: 'absent', n: 1, outcome: 'failed' });
      await store.attemptStarted(attempt('at once', 1), { response: 'at once', n: 1, status: 204 });
      expect(await store.attempts('at once')).toMatchObject([{ status: 204, outcome: null }]);
      expect(await store.attempts('r')).toMatchObject([
        { headAt: NOW + 5, status: 429, outcome: 'completed', error: null, bytes: 7 },
        { headAt: NOW + 6, status: 200, outcome: 'failed', error: 'PUMP_LOST', bytes: 3 },
      ]);
      await store.dropAttempts('r');
      expect(await store.attempts('r')).toEqual([]);
      expect(await store.attempts('other')).toHaveLength(1);
    });

    test('keeps the newest 100 attempts of a response', async () => {
      const { store } = current();
      for (let n = 1; n <= 102; n++) await store.attemptStarted(attempt('r', n));
      const kept = await store.attempts('r');
      expect([kept.length, kept[0]?.n, kept.at(-1)?.n]).toEqual([100, 3, 102]);
    });

    test('lists the attempts without an outcome, in order, page by page', async () => {
      const { store } = current();
      for (const [response, n] of [
        ['b', 1],
        ['a', 2],
        ['a', 1],
        ['c', 1],
      ] as const)
        await store.attemptStarted(attempt(response, n));
      await store.attemptProgressed({ response: 'b', n: 1, outcome: 'completed' });
      const open = async (after: Pick<NewAttempt, 'response' | 'n'>, limit = 10) =>
        (await store.openAttempts(after, limit)).map(({ response, n }) => `${response}${n}`);
      expect(await open({ response: '', n: 0 })).toEqual(['a1', 'a2', 'c1']);
      expect(await open({ response: '', n: 0 }, 2)).toEqual(['a1', 'a2']);
      expect(await open({ response: 'a', n: 1 })).toEqual(['a2', 'c1']);
    });

    test('finds the oldest calls without a head, beyond a number to keep, per tenant', async () => {
      const { store } = current();
      for (let at = 0; at < 5; at++) {
        const response = `r${at}`;
        await store.attemptStarted({ ...attempt(response, 1), startedAt: NOW + at });
        if (at !== 4) await store.attemptProgressed({ response, n: 1, outcome: 'failed' });
      }
      await store.attemptProgressed({ response: 'r3', n: 1, status: 200 });
      await store.attemptStarted({ ...attempt('theirs', 1), tenant: 'other' });
      await store.attemptProgressed({ response: 'theirs', n: 1, outcome: 'failed' });
      expect(await store.headlessBeyond('acme', 3, 10)).toEqual([]);
      expect(await store.headlessBeyond('acme', 1, 10)).toEqual(['r1', 'r0']);
      expect(await store.headlessBeyond('acme', 0, 1)).toEqual(['r2']);
      expect(await store.headlessBeyond('other', 0, 10)).toEqual(['theirs']);
    });

    test('sweeps expired attempts only', async () => {
      const { store } = current();
      for (const n of [1, 2, 3]) await store.attemptStarted({ ...attempt('r', n), expiresAt: NOW + n });
      expect(await store.sweepCreates(NOW, 10)).toBe(0);
      expect(await store.sweepCreates(NOW + 2, 1)).toBe(1);
      expect(await store.sweepCreates(NOW + 2, 10)).toBe(1);
      expect((await store.attempts('r')).map(({ n }) => n)).toEqual([3]);
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
