import { expect, test } from 'vitest';
import { ReadBuffers } from './read-buffers.js';

test('reuses a buffer that was given back by any part of it', () => {
  const buffers = new ReadBuffers();
  const first = buffers.take();
  buffers.giveBack(first.subarray(100, 200));
  expect(buffers.take().buffer).toBe(first.buffer);
});

test('a buffer that is given back twice is lent once', () => {
  const buffers = new ReadBuffers();
  const first = buffers.take();
  buffers.giveBack(first);
  buffers.giveBack(first);
  expect(buffers.take().buffer).toBe(first.buffer);
  expect(buffers.take().buffer).not.toBe(first.buffer);
});

test('never lends memory that it did not allocate', () => {
  const buffers = new ReadBuffers();
  const foreign = new Uint8Array(10);
  buffers.giveBack(foreign);
  expect(buffers.take().buffer).not.toBe(foreign.buffer);
});

test('keeps only a limited number of free buffers', () => {
  const buffers = new ReadBuffers();
  const taken = Array.from({ length: 7 }, () => buffers.take());
  for (const buffer of taken) buffers.giveBack(buffer);
  const again = new Set(Array.from({ length: 7 }, () => buffers.take().buffer));
  expect(taken.filter(({ buffer }) => again.has(buffer))).toHaveLength(6);
});
