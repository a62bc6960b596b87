/** What is stored of a response, and what is undone if it cannot be stored. */
import { expect, test } from 'vitest';
import { answer, idOf, useProxyService, wholeBody } from '../../test/support/proxy-service-bench.js';
import { FULL_DISK, settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import type { HeaderPair, HopBody } from '../net/index.js';
import type { StreamResponse } from '../streams/index.js';
import { decodeHeaders } from './header-rules.js';
import { readMetadata } from './proxy-metadata.js';

const bench = useProxyService();

async function stateOf(response: StreamResponse) {
  const state = await bench.pumps.service.find(`proxy/${idOf(response)}`);
  if (!state) throw new Error('no such stream');
  return state;
}

test('a whole response is one closed stream with its outcome, and counts as ended', async () => {
  bench.reply = () => answer(203, [['content-type', 'a/b']], wholeBody('abc'));
  const state = await stateOf(await bench.create());
  expect(state).toMatchObject({
    closed: true,
    contentType: 'application/octet-stream',
    expiresAt: bench.pumps.timers.now() + 86_400_000,
  });
  expect(readMetadata(state)).toMatchObject({
    tenant: 'acme',
    upstream_method: 'POST',
    upstream_status: 203,
    upstream_content_type: 'a/b',
    outcome: 'completed',
  });
  expect(bench.ends).toEqual([[{ outcome: 'completed' }, { bytes: 3, records: 1 }]]);
  expect(await bench.pumps.notedPumps()).toEqual([bench.pumps.streamId]);
});

test('an empty response has no record', async () => {
  bench.reply = () => answer(204, [], wholeBody(''));
  const created = await bench.create();
  const { headers } = await bench.service.head(bench.read(idOf(created)));
  expect([headers['Stream-Total-Size'], headers['Stream-Write-Units']]).toEqual(['0', '0']);
  expect(bench.ends).toEqual([[{ outcome: 'completed' }, { bytes: 0, records: 0 }]]);
});

test('query values of the URL are not stored, nor is a query that is not there', async () => {
  const urlOf = async (url: string) =>
    readMetadata(await stateOf(await bench.create({ 'upstream-url': url }))).upstream_url;
  expect(await urlOf('http://a.example/it')).toBe('http://a.example/it');
  expect(await urlOf('http://a.example/it?a=1&b%26=2#x')).toBe('http://a.example/it?a=…&b%26=…');
});

test('the time to the head is measured, and the route is named', async () => {
  bench.reply = async () => {
    bench.pumps.timers.pass(123);
    return answer(200);
  };
  expect(readMetadata(await stateOf(await bench.inline()))).toMatchObject({
    route: 'keyed',
    upstream_head_ms: 123,
  });
  expect(readMetadata(await stateOf(await bench.create())).route).toBeUndefined();
});

test.each([
  ['create', [['content-length', '2']], ['content-length']],
  [
    'create',
    [
      ['content-encoding', 'gzip'],
      ['content-length', '2'],
      ['etag', '"1"'],
    ],
    ['etag'],
  ],
  [
    'inline',
    [
      ['content-encoding', 'gzip'],
      ['content-length', '2'],
    ],
    ['content-encoding', 'content-length'],
  ],
] as const)(
  'case %#: length and coding are stored only if the body is as received',
  async (kind, headers, kept) => {
    bench.reply = () => answer(200, headers as readonly HeaderPair[]);
    const { upstream_headers } = readMetadata(await stateOf(await bench[kind]()));
    expect(decodeHeaders(upstream_headers).map(([name]) => name)).toEqual(kept);
  },
);

test('bytes that arrived with the head are stored with it', async () => {
  const body: HopBody & ScriptedBody = Object.assign(new ScriptedBody(), {
    arrived: () => new TextEncoder().encode('one '),
  });
  bench.reply = () => answer(200, [], body);
  const created = await bench.create();
  bench.pumps.streamId = `proxy/${idOf(created)}`;
  expect((await bench.pumps.stored()).text).toBe('one ');
  expect(bench.service.running).toBe(1);
  body.say('two');
  body.end();
  await bench.service.quiet();
  expect(await bench.pumps.stored()).toMatchObject({ text: 'one two', outcome: 'completed' });
  expect(bench.ends).toEqual([[{ outcome: 'completed' }, { bytes: 7, records: 2 }]]);
});

test('a response that cannot be stored is canceled, and leaves no record of a pump', async () => {
  const body = new ScriptedBody();
  const streams = Object.create(bench.pumps.service);
  streams.createOwn = () => Promise.reject(FULL_DISK);
  await bench.begin({ streams: Object.assign(streams, { whyFull: async () => undefined }) });
  bench.reply = () => answer(203, [], body);
  const { status, headers, error } = await bench.create();
  expect([status, headers]).toEqual([502, { 'Upstream-Status': '203' }]);
  expect(error).toMatchObject({ code: 'STORAGE_ERROR', details: { reason: 'INTERNAL' } });
  expect([body.canceled, bench.service.running]).toEqual([1, 0]);
  await settle();
  expect(await bench.pumps.notedPumps()).toEqual([bench.pumps.streamId]);
});
