import { afterEach, beforeEach, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { refuseForged } from './refuse-forged.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const MESSAGE = JSON.stringify('x'.repeat(97));
let streams: InlineStreams;

/** A full chunk of 102 bytes in two records, then records of 2, 4 and 2 bytes. */
beforeEach(async () => {
  streams = new InlineStreams({ limits: { sealPauseMs: 3_600_000 } });
  await streams.create('s', '7', JSON_TYPE);
  await streams.append('s', MESSAGE, JSON_TYPE);
});
afterEach(() => streams.close());

async function accepted(id: string, chunk: number, until: number): Promise<number[]> {
  const state = await streams.state(id);
  const found: number[] = [];
  for (let position = 0; position <= until; position++) {
    const isAccepted = await refuseForged(streams.deps, state, { chunk, position }).then(
      () => true,
      (error: { code: string }) => {
        expect(error.code).toBe('OFFSET_INVALID');
        return false;
      },
    );
    if (isAccepted) found.push(position);
  }
  return found;
}

test.each(['hot', 'cold'])('in a %s chunk, offsets are at the ends of records', async (kind) => {
  if (kind === 'cold') await streams.deps.sealer.idle();
  expect(await accepted('s', 0, 110)).toEqual([0, 2, 102]);
  for (const body of ['1', '[2,3]', '4']) await streams.append('s', body, JSON_TYPE);
  expect(await accepted('s', 0, 110)).toEqual([0, 2, 102]);
  expect(await accepted('s', 1, 8)).toEqual([0, 2, 6, 8]);
});

test('a fork point between two messages is an offset of the fork and of its forks, not of the source', async () => {
  for (const body of ['1', '[2,3,5]', '4']) await streams.append('s', body, JSON_TYPE);
  const { hash } = await streams.state('s');
  await streams.fork('f', 's', {
    'stream-fork-offset': `${hash}:00000001:0000000002`,
    'stream-fork-sub-offset': '2',
  });
  await streams.append('f', '6', JSON_TYPE);
  await streams.fork('g', 'f');
  await streams.append('g', '7', JSON_TYPE);
  expect(await accepted('s', 1, 10)).toEqual([0, 2, 8, 10]);
  expect(await accepted('f', 1, 8)).toEqual([0, 2, 6, 8]);
  expect(await accepted('g', 1, 10)).toEqual([0, 2, 6, 8, 10]);
});

test('in a stream of another type every position up to the end of its chunk is an offset', async () => {
  await streams.create('t', 'abc');
  expect(await accepted('t', 0, 3)).toEqual([0, 1, 2, 3]);
  await streams.append('t', 'x'.repeat(97));
  expect(await accepted('t', 0, 101)).toEqual(Array.from({ length: 101 }, (_, n) => n));
});

test('the start, the tail and fork points are known without asking the store', async () => {
  await streams.append('s', '1', JSON_TYPE);
  await streams.fork('f', 's');
  await streams.append('f', '2', JSON_TYPE);
  const state = await streams.state('f');
  streams.calls.length = 0;
  for (const at of [
    { chunk: 0, position: 0 },
    { chunk: 1, position: 0 },
    state.tail,
    { chunk: 1, position: 2 },
  ])
    await refuseForged(streams.deps, state, at);
  expect(streams.calls).toEqual([]);
});

test('gives back the bytes that it has read around the position', async () => {
  const released: string[] = [];
  const release = (bytes: Uint8Array) => void released.push(new TextDecoder().decode(bytes));
  const deps = { ...streams.deps, objects: { ...streams.deps.objects, release } };
  await refuseForged(deps, await streams.state('s'), { chunk: 0, position: 2 });
  expect(released).toEqual([',"']);
});
