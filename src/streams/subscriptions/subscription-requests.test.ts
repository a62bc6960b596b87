import { describe, expect, test } from 'vitest';
import {
  readAcks,
  readCreate,
  readFields,
  readStreams,
  readWakeName,
  readWorker,
} from './subscription-requests.js';

const webhook = { type: 'webhook', pattern: 'a/*', webhook: { url: 'https://example.com/hook' } };
const coded = (code: string) => expect.objectContaining({ code });

describe('create', () => {
  test('applies defaults, and sorts and deduplicates streams', () => {
    expect(readCreate({ ...webhook, streams: ['b', '/a', 'b'], more: 1 }, 9)).toEqual({
      mode: 'webhook',
      pattern: 'a/*',
      streams: ['a', 'b'],
      webhookUrl: 'https://example.com/hook',
      wakeStream: null,
      leaseMs: 30_000,
      description: null,
    });
    expect(
      readCreate({ type: 'pull-wake', streams: ['a'], wake_stream: '/w/', lease_ttl_ms: 1000 }, 9),
    ).toMatchObject({ mode: 'pull-wake', pattern: null, wakeStream: 'w', leaseMs: 1000 });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no type', { ...webhook, type: undefined }],
    ['another type', { ...webhook, type: 'push' }],
    ['nothing followed', { ...webhook, pattern: undefined }],
    ['no URL', { ...webhook, webhook: {} }],
    ['a long URL', { ...webhook, webhook: { url: `https://example.com/${'x'.repeat(2048)}` } }],
    ['no wake stream', { type: 'pull-wake', pattern: 'a' }],
    ['a short lease', { ...webhook, lease_ttl_ms: 999 }],
    ['a long lease', { ...webhook, lease_ttl_ms: 600_001 }],
    ['a broken lease', { ...webhook, lease_ttl_ms: 1000.5 }],
    ['a long description', { ...webhook, description: 'x'.repeat(1025) }],
    ['a stream list that is not an array', { ...webhook, streams: 'a' }],
    ['a stream of the control routes', { ...webhook, streams: ['__ds/x'] }],
  ])('%s is refused', (_name, fields) => {
    expect(() => readCreate(fields, 9)).toThrow(coded('INVALID_REQUEST'));
  });

  test('refuses more streams or acks than the limit', () => {
    expect(() => readCreate({ ...webhook, streams: ['a', 'b'] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
    expect(() => readStreams({ streams: ['a', 'b'] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
    expect(() => readAcks({ acks: [{}, {}] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
  });
});

test('accepts only an empty body or a JSON object of limited size', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(readFields(bytes(''))).toEqual({});
  expect(readFields(bytes('{"a":1}'))).toEqual({ a: 1 });
  for (const text of ['[]', '1', 'null', '{', '"x"']) {
    expect(() => readFields(bytes(text))).toThrow(coded('INVALID_REQUEST'));
  }
  expect(() => readFields(new Uint8Array(1024 * 1024 + 1))).toThrow(coded('BODY_TOO_LARGE'));
});

test('parses acks, wake names and workers', () => {
  expect(
    readAcks(
      {
        wake_id: 'w',
        generation: 2,
        acks: [
          { path: 'b', offset: 'o' },
          { stream: 'a', offset: 'p' },
        ],
      },
      9,
    ),
  ).toEqual({
    wakeId: 'w',
    generation: 2,
    acks: [
      { path: 'b', offset: 'o' },
      { path: 'a', offset: 'p' },
    ],
    done: false,
  });
  expect(readWakeName({})).toEqual({ wakeId: '', generation: -1 });
  expect(() => readAcks({ acks: [{ stream: 'a' }] }, 9)).toThrow(coded('INVALID_REQUEST'));
  expect(readWorker({ worker: 'me' })).toBe('me');
  for (const worker of ['', undefined, 7, 'x'.repeat(257)]) {
    expect(() => readWorker({ worker })).toThrow(coded('INVALID_REQUEST'));
  }
});
