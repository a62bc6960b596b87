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

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the shortest lease', { lease_ttl_ms: 1000 }, { leaseMs: 1000 }],
    ['the longest lease', { lease_ttl_ms: 600_000 }, { leaseMs: 600_000 }],
    ['the longest description', { description: 'x'.repeat(1024) }, { description: 'x'.repeat(1024) }],
    ['an empty description', { description: '' }, { description: '' }],
    ['an empty pattern with streams', { pattern: '', streams: ['a'] }, { pattern: null, streams: ['a'] }],
    ['no pattern but streams', { pattern: null, streams: ['a'] }, { pattern: null }],
    ['a wake stream that is not needed', { wake_stream: '__ds/x' }, { wakeStream: null }],
    [
      'the longest URL',
      { webhook: { url: `https://example.com/${'x'.repeat(2028)}` } },
      { webhookUrl: `https://example.com/${'x'.repeat(2028)}` },
    ],
    [
      'a pull-wake without a URL',
      { type: 'pull-wake', wake_stream: 'w', webhook: 7 },
      { mode: 'pull-wake', wakeStream: 'w', webhookUrl: null },
    ],
  ])('%s is accepted', (_name, fields, expected) => {
    expect(readCreate({ ...webhook, ...fields }, 9)).toMatchObject(expected);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no type', { ...webhook, type: undefined }, 'type must be'],
    ['another type', { ...webhook, type: 'push' }, 'type must be'],
    ['nothing followed', { ...webhook, pattern: undefined }, 'pattern, streams or both'],
    ['an empty pattern', { ...webhook, pattern: '' }, 'pattern, streams or both'],
    ['a pattern that is not a text', { ...webhook, pattern: 7 }, 'pattern must be a string'],
    ['no webhook', { ...webhook, webhook: undefined }, 'needs webhook.url'],
    ['a webhook of null', { ...webhook, webhook: null }, 'needs webhook.url'],
    ['no URL', { ...webhook, webhook: {} }, 'needs webhook.url'],
    ['an empty URL', { ...webhook, webhook: { url: '' } }, 'needs webhook.url'],
    ['a URL that is not a text', { ...webhook, webhook: { url: 7 } }, 'needs webhook.url'],
    [
      'a long URL',
      { ...webhook, webhook: { url: `https://example.com/${'x'.repeat(2029)}` } },
      'at most 2048',
    ],
    ['no wake stream', { type: 'pull-wake', pattern: 'a' }, 'needs wake_stream'],
    ['a wake stream of null', { type: 'pull-wake', pattern: 'a', wake_stream: null }, 'needs wake_stream'],
    ['an empty wake stream', { type: 'pull-wake', pattern: 'a', wake_stream: '' }, 'needs wake_stream'],
    ['a short lease', { ...webhook, lease_ttl_ms: 999 }, 'from 1000 to 600000'],
    ['a long lease', { ...webhook, lease_ttl_ms: 600_001 }, 'from 1000 to 600000'],
    ['a broken lease', { ...webhook, lease_ttl_ms: 1000.5 }, 'from 1000 to 600000'],
    ['a lease of null', { ...webhook, lease_ttl_ms: null }, 'from 1000 to 600000'],
    ['a lease as a text', { ...webhook, lease_ttl_ms: '2000' }, 'from 1000 to 600000'],
    ['a long description', { ...webhook, description: 'x'.repeat(1025) }, 'at most 1024 characters'],
    ['a description that is not a text', { ...webhook, description: ['x'] }, 'description must be a string'],
    ['a stream list that is not an array', { ...webhook, streams: 'a' }, 'streams must be an array'],
    ['a stream of the control routes', { ...webhook, streams: ['__ds/x'] }, 'streams: expected the path'],
  ])('%s is refused', (_name, fields, message) => {
    expect(() => readCreate(fields, 9)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) }),
    );
  });

  test('refuses more streams or acks than the limit', () => {
    expect(() => readCreate({ ...webhook, streams: ['a', 'b'] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
    expect(() => readStreams({ streams: ['a', 'b'] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
    expect(() => readAcks({ acks: [{}, {}] }, 1)).toThrow(coded('SUBSCRIPTION_TOO_LARGE'));
    expect(readStreams({ streams: ['a', 'b'] }, 2)).toEqual(['a', 'b']);
    expect(readAcks({ acks: [{ stream: 'a', offset: 'o' }] }, 1).acks).toHaveLength(1);
  });
});

test('accepts only an empty body or a JSON object of limited size', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(readFields(bytes(''))).toEqual({});
  expect(readFields(bytes('{"a":1}'))).toEqual({ a: 1 });
  for (const text of ['[]', '1', 'true', 'null', '{', '"x"']) {
    expect(() => readFields(bytes(text))).toThrow(coded('INVALID_REQUEST'));
  }
  expect(readFields(bytes('{}'.padEnd(256 * 1024)))).toEqual({});
  expect(() => readFields(bytes('{}'.padEnd(256 * 1024 + 1)))).toThrow(coded('BODY_TOO_LARGE'));
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
  expect(readWakeName({ wake_id: 7, generation: '2' })).toEqual({ wakeId: '', generation: -1 });
  expect(readAcks({ done: true }, 9)).toEqual({ wakeId: '', generation: -1, acks: [], done: true });
  for (const done of [1, 'true', null]) expect(readAcks({ done }, 9).done).toBe(false);
  for (const acks of [null, 'x', { length: 0 }, [null], ['x'], [{ stream: 'a' }], [{ offset: 'o' }]]) {
    expect(() => readAcks({ acks }, 9)).toThrow(coded('INVALID_REQUEST'));
  }
  expect(readWorker({ worker: 'x'.repeat(256) })).toHaveLength(256);
  expect(readWorker({ worker: 'me' })).toBe('me');
  for (const worker of ['', undefined, 7, 'x'.repeat(257)]) {
    expect(() => readWorker({ worker })).toThrow(coded('INVALID_REQUEST'));
  }
});
