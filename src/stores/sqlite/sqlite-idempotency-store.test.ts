/** Tests exact times, which the contract suite on real clocks cannot. */
import { expect, test } from 'vitest';
import { openInlineRecords } from '../../../test/support/inline-records.js';

const START_MS = Date.UTC(2026, 0, 1);

async function open() {
  const clock = { ms: START_MS };
  const { idempotency, tenantId } = await openInlineRecords({ clock: () => clock.ms });
  const begin = (owner: string, key = 'key') =>
    idempotency.begin({
      ...{ tenantId, key, fingerprint: 'f'.repeat(64), owner, newId: `id of ${owner}` },
      ...{ inFlightMs: 1_000, keepMs: 5_000, keysMax: 2 },
    });
  return { clock, begin, idempotency, tenantId };
}

test('an attempt is in flight until its timeout, and can then be taken over', async () => {
  const { clock, begin } = await open();
  await begin('first');
  clock.ms += 999;
  expect(await begin('second')).toEqual({ kind: 'in_flight' });
  clock.ms += 1;
  expect(await begin('second')).toEqual({ kind: 'begun', id: 'id of first' });
  clock.ms += 999;
  expect(await begin('third')).toEqual({ kind: 'in_flight' });
});

test('a key is free again exactly when it expires', async () => {
  const { clock, begin } = await open();
  await begin('first');
  clock.ms += 4_999;
  expect(await begin('second')).toEqual({ kind: 'begun', id: 'id of first' });
  clock.ms += 1;
  expect(await begin('third')).toEqual({ kind: 'begun', id: 'id of third' });
});

test('refuses keys beyond the limit, and accepts new ones once some have expired', async () => {
  const { clock, begin, idempotency } = await open();
  await begin('a', 'one');
  clock.ms += 1;
  await begin('b', 'two');
  expect(await begin('c', 'three')).toEqual({ kind: 'full' });
  clock.ms = START_MS + 5_000;
  expect(await idempotency.prune(10)).toBe(1);
  expect(await begin('c', 'three')).toEqual({ kind: 'begun', id: 'id of c' });
});

test('only the owner of an unanswered key can finish or abandon it', async () => {
  const { begin, idempotency, tenantId } = await open();
  await begin('first');
  const response = { status: 201, location: '/x', body: 'made' };
  const own = { tenantId, key: 'key', owner: 'first' };
  for (const wrong of [{ owner: 'second' }, { key: 'other' }, { tenantId: 'other' }]) {
    await idempotency.finish({ ...own, ...wrong }, response);
    await idempotency.abandon({ ...own, ...wrong });
  }
  expect(await begin('second')).toEqual({ kind: 'in_flight' });
  await idempotency.finish(own, response);
  await idempotency.finish(own, { ...response, status: 500 });
  await idempotency.abandon(own);
  expect(await begin('second')).toEqual({ kind: 'replayed', response });
});

test('another key stays in flight while one is taken over, and expired keys are pruned oldest first', async () => {
  const { clock, begin, idempotency } = await open();
  await begin('a', 'one');
  clock.ms += 500;
  await begin('b', 'two');
  clock.ms += 500;
  expect(await begin('c', 'one')).toEqual({ kind: 'begun', id: 'id of a' });
  expect(await begin('c', 'two')).toEqual({ kind: 'in_flight' });
  clock.ms = START_MS + 5_500;
  expect(await idempotency.prune(1)).toBe(1);
  expect(await begin('d', 'two')).toEqual({ kind: 'begun', id: 'id of d' });
  expect(await idempotency.prune(9)).toBe(0);
});
