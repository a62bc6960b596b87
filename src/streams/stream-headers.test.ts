import { expect, test } from 'vitest';
import { asksToClose, closedHeader, entityTag, nextOffset, stateHeaders } from './stream-headers.js';
import type { StreamState } from './stream-store.js';

const STATE = {
  hash: 'abcde',
  contentType: 'text/plain',
  tail: { chunk: 1, position: 2 },
  totalBytes: 300,
  writeUnits: 4,
  accessedAt: 1_000,
  ttlSeconds: null,
  expiresAt: null,
  closed: false,
} as unknown as StreamState;
const SIZES = { 'Content-Type': 'text/plain', 'Stream-Total-Size': '300', 'Stream-Write-Units': '4' };

test.each([
  [{}, {}],
  [{ ttlSeconds: 60 }, { 'Stream-TTL': '60', 'Stream-Expires-At': '1970-01-01T00:01:01.000Z' }],
  [{ ttlSeconds: 0 }, { 'Stream-TTL': '0', 'Stream-Expires-At': '1970-01-01T00:00:01.000Z' }],
  [{ expiresAt: 5_000 }, { 'Stream-Expires-At': '1970-01-01T00:00:05.000Z' }],
])('a stream with %j also sends %j', (change, expected) => {
  expect(stateHeaders({ ...STATE, ...change })).toEqual({ ...SIZES, ...expected });
});

test('the next offset is the tail, unless another position is given', () => {
  expect(nextOffset(STATE)).toEqual({ 'Stream-Next-Offset': 'abcde:00000001:0000000002' });
  expect(nextOffset(STATE, { chunk: 0, position: 9 })).toEqual({
    'Stream-Next-Offset': 'abcde:00000000:0000000009',
  });
});

test('only a closed stream has the header, and a tag that says so', () => {
  expect([closedHeader(true), closedHeader(false)]).toEqual([{ 'Stream-Closed': 'true' }, {}]);
  const tags = [false, true].map((closed) =>
    entityTag({ ...STATE, closed }, { chunk: 0, position: 9 }, STATE.tail),
  );
  expect(tags).toEqual(['"abcde-0.9-1.2"', '"abcde-0.9-1.2-closed"']);
});

test.each([
  ['true', true],
  [' TRUE ', true],
  ['tRue', true],
  ['truee', false],
  ['1', false],
  ['', false],
  [null, false],
])('Stream-Closed %j asks to close: %j', (value, closes) => {
  expect(asksToClose(value)).toBe(closes);
});
