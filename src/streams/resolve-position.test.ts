import { expect, test } from 'vitest';
import { parseOffset } from './offset.js';
import { resolvePosition } from './resolve-position.js';
import type { StreamState } from './stream-store.js';

const at = (chunk: number, position: number) => ({ chunk, position });
const ancestor = (hash: string, until: StreamState['tail']) => ({ id: hash, life: hash, hash, until });
const STATE = {
  hash: 'owner',
  tail: at(2, 7),
  ancestors: [ancestor('first', at(0, 9)), ancestor('other', at(1, 3))],
} as unknown as StreamState;

test.each([
  ['-1', at(0, 0)],
  ['now', at(2, 7)],
  ['owner:00000002:0000000007', at(2, 7)],
  ['owner:00000000:0000000099', at(0, 99)],
  ['first:00000000:0000000009', at(0, 9)],
  ['other:00000001:0000000003', at(1, 3)],
])('%s is a position of the stream', (offset, position) => {
  expect(resolvePosition(STATE, parseOffset(offset))).toEqual(position);
});

test.each([
  ['9999999999999999_9999999999999999', 'beyond the end'],
  ['owner:00000002:0000000008', 'beyond the end'],
  ['owner:00000003:0000000000', 'beyond the end'],
  ['first:00000000:0000000010', 'beyond the end'],
  ['other:00000002:0000000000', 'beyond the end'],
  ['third:00000000:0000000000', 'belongs to another stream'],
])('%s is refused', (offset, message) => {
  expect(() => resolvePosition(STATE, parseOffset(offset))).toThrow(message);
});
