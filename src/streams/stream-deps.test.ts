import { expect, test } from 'vitest';
import { CHUNK_BYTES, writeUnitsOf } from './chunk-rules.js';
import { segmentKey } from './object-store.js';
import { DEFAULT_STREAM_LIMITS } from './stream-deps.js';

test('the default limits are as documented', () => {
  expect(DEFAULT_STREAM_LIMITS).toEqual({
    streamBytesMax: 68_719_476_736,
    openStreams: 1_000_000,
    readersPerStream: 20_000,
    liveReaders: 20_000,
    storedBytes: 1_099_511_627_776,
    readBytes: 67_108_864,
    bufferedBytes: 4_194_304,
    longPollMs: 20_000,
    sseMs: 60_000,
    sealPauseMs: 0,
    unsealedChunks: 64,
  });
});

test('a chunk is sealed at 4 MiB, and every started 4 KiB of an append is a write unit', () => {
  expect(CHUNK_BYTES).toBe(4_194_304);
  expect([0, 1, 4_096, 4_097, 8_192].map(writeUnitsOf)).toEqual([0, 1, 1, 2, 2]);
});

test('segments are spread over folders by the first two digits of their digest', () => {
  expect(segmentKey('abcdef', 12)).toBe('ab/abcdef/00000012');
});
