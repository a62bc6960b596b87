import { afterEach, beforeEach, expect, test } from 'vitest';
import { InlineStreams } from '../../test/support/inline-streams.js';
import { beginRead, planReadable } from './catch-up.js';

let streams: InlineStreams;

beforeEach(async () => {
  streams = new InlineStreams({ limits: { readBytes: 150 } });
  await streams.create('s', 'abc');
  await streams.append('s', 'd'.repeat(97));
  await streams.append('s', 'e'.repeat(60));
  await streams.append('s', 'f'.repeat(20));
});
afterEach(() => streams.close());

const at = (chunk: number, position: number) => ({ chunk, position });

test('a plan has at most the bytes of a response', async () => {
  const state = await streams.state('s');
  expect(await planReadable(streams.deps, state, at(0, 0))).toMatchObject({
    end: at(1, 0),
    bytes: 100,
    complete: false,
  });
  expect(await planReadable(streams.deps, state, at(0, 90))).toMatchObject({
    end: at(1, 80),
    bytes: 90,
    complete: true,
  });
});

test('a plan for a damaged stream ends at the damage, and never begins there', async () => {
  await streams.fork('f', 's');
  for (const id of ['s', 'f']) {
    const state = { ...(await streams.state(id)), corruptFrom: at(1, 60) };
    expect(await planReadable(streams.deps, state, at(1, 10))).toMatchObject({
      end: at(1, 60),
      bytes: 50,
      complete: false,
    });
    expect(await planReadable(streams.deps, state, at(0, 0))).toMatchObject({ bytes: 100, complete: false });
    for (const from of [at(1, 60), at(1, 70), at(1, 80)]) {
      await expect(planReadable(streams.deps, state, from)).rejects.toMatchObject({ code: 'STREAM_CORRUPT' });
    }
  }
});

test('the first piece is read at once, and a read of nothing has none', async () => {
  const state = await streams.state('s');
  streams.calls.length = 0;
  const { pieces } = await beginRead(streams.deps, state, at(1, 0));
  expect(streams.calls).toEqual(['chunks', 'readHot']);
  const lengths: number[] = [];
  for await (const { bytes } of pieces) lengths.push(bytes.length);
  expect(lengths).toEqual([80]);
  const nothing = await beginRead(streams.deps, state, at(1, 80));
  expect(await nothing.pieces.next()).toEqual({ value: undefined, done: true });
});
