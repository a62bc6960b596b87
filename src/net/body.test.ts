import { expect, test } from 'vitest';
import { bodyStream, concatBytes, discardBody, readBody } from './body.js';
import type { HopBody } from './egress.js';

/** A body that yields chunks of these lengths and then, if `fails` is given, throws it. */
function bodyOf(lengths: readonly number[], fails?: Error) {
  const left = [...lengths];
  const state = { reads: 0, canceled: 0 };
  const body: HopBody = {
    async read() {
      state.reads += 1;
      const length = left.shift();
      if (length === undefined && fails) throw fails;
      return length === undefined ? undefined : new Uint8Array(length).fill(state.reads);
    },
    cancel: () => {
      state.canceled += 1;
    },
  };
  return { body, state };
}

test.each([
  [[], 0, false, 0],
  [[3, 4], 7, false, 0],
  [[3, 4], 6, true, 1],
  [[10], 4, true, 1],
  [[3, 4, 5], 0, true, 1],
])(
  'reads chunks of %j bytes within a limit of %i, truncated: %s',
  async (lengths, max, truncated, canceled) => {
    const { body, state } = bodyOf(lengths);
    const read = await readBody(body, max);
    const total = lengths.reduce((sum, each) => sum + each, 0);
    expect([read.bytes.length, read.truncated, state.canceled]).toEqual([
      Math.min(total, max),
      truncated,
      canceled,
    ]);
  },
);

test('readBody stops reading at the limit', async () => {
  const { body, state } = bodyOf([3, 4, 5]);
  await readBody(body, 4);
  expect(state.reads).toBe(2);
});

test('discardBody reads to the end or cancels, and never rejects', async () => {
  for (const [lengths, fails, canceled] of [
    [[2, 2], undefined, 0],
    [[2, 3], undefined, 1],
    [[2], new Error('reset'), 1],
  ] as const) {
    const { body, state } = bodyOf(lengths, fails);
    await discardBody(body, 4);
    expect([lengths, state.canceled]).toEqual([lengths, canceled]);
  }
});

test('bodyStream reads only on demand and forwards cancel', async () => {
  const { body, state } = bodyOf([1, 1, 1]);
  const reader = bodyStream(body).getReader();
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.reads).toBe(0);
  expect((await reader.read()).value).toEqual(new Uint8Array([1]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.reads).toBe(1);
  await reader.cancel();
  expect(state.canceled).toBe(1);
  const whole = bodyOf([1, 2]);
  const bytes = new Uint8Array(await new Response(bodyStream(whole.body)).arrayBuffer());
  expect(bytes).toEqual(new Uint8Array([1, 2, 2]));
});

test('concatBytes joins chunks in order and does not copy a single one', () => {
  const one = new Uint8Array([1, 2]);
  expect(concatBytes([one])).toBe(one);
  expect(concatBytes([])).toEqual(new Uint8Array(0));
  expect(concatBytes([one, new Uint8Array([3]), new Uint8Array([4, 5])])).toEqual(
    new Uint8Array([1, 2, 3, 4, 5]),
  );
});
