/** What is stored about calls, in particular those that leave no response. */
import { expect, test } from 'vitest';
import { answer, silence, unreachable, useProxyService } from '../../test/support/proxy-service-bench.js';
import { settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import { SondeError } from '../errors.js';
import { readMetadata } from './proxy-metadata.js';

const bench = useProxyService();

const LOST = () => unreachable(new SondeError('fetch_error', 'lost'));

async function listed() {
  const { streams } = await bench.pumps.service.listPage({ collections: ['proxy/acme'], limit: 200 });
  return streams.map((stream) => ({
    id: stream.id.slice('proxy/'.length),
    closed: stream.closed,
    ...readMetadata(stream),
  }));
}

/** Calls of this test; the store is that of the file. */
const callsTo = async (path: string) =>
  (await listed()).filter(({ upstream_url: url }) => url.endsWith(path));

const send = (path: string, headers: Record<string, string> = {}) =>
  bench.create({ 'upstream-url': `http://a.example${path}`, ...headers });

test.each([
  ['lost', LOST, { outcome: 'failed', error: 'UPSTREAM_ERROR', upstream_status: null }],
  ['302', () => answer(302), { outcome: 'failed', error: 'REDIRECT_NOT_ALLOWED', upstream_status: 302 }],
  ['404', () => answer(404, [], ended()), { outcome: 'completed', upstream_status: 404 }],
] as const)('a call that ends with %s is listed, with or without a key', async (name, reply, expected) => {
  bench.reply = reply;
  await send(`/${name}`);
  await send(`/${name}`, { 'idempotency-key': name });
  await settle();
  const calls = await callsTo(`/${name}`);
  expect(calls).toMatchObject([expected, expected]);
  for (const { id, closed } of calls) {
    expect(closed).toBe(true);
    const [row, ...others] = await bench.service.attempts(id, 'acme');
    expect(others).toEqual([]);
    expect(row).toMatchObject({ n: 1, status: expected.upstream_status, outcome: expected.outcome });
  }
});

test('no head in time, and an abort before the head, are listed', async () => {
  bench.reply = silence;
  const late = send('/late');
  await settle();
  bench.pumps.timers.pass(60_000);
  await late;
  const aborted = send('/aborted', { 'idempotency-key': 'aborted' });
  await settle();
  const query = new URLSearchParams({ action: 'abort' });
  await bench.service.abortByKey({ tenant: 'acme', key: 'aborted', query });
  await aborted;
  await settle();
  expect(await callsTo('/late')).toMatchObject([{ outcome: 'timeout', error: 'UPSTREAM_TIMEOUT' }]);
  expect(await callsTo('/aborted')).toMatchObject([{ outcome: 'aborted', upstream_status: null }]);
});

test('a request that this server refused leaves nothing', async () => {
  bench.reply = () => unreachable(new SondeError('ssrf_blocked', 'no'));
  expect((await send('/refused')).status).toBe(403);
  expect((await send('/refused', { 'idempotency-key': 'refused' })).status).toBe(403);
  await settle();
  expect(await callsTo('/refused')).toEqual([]);
  expect(await bench.pumps.inline.proxy.openAttempts({ response: '', n: 0 }, 10)).toEqual([]);
});

test('what an earlier process left open ends at the start: without a head it is listed as lost', async () => {
  bench.reply = silence;
  void send('/left');
  void send('/left', { 'idempotency-key': 'left' });
  await settle();
  bench.pumps.timers.pass(10);
  await settle();
  expect(await callsTo('/left')).toEqual([]);
  await bench.begin();
  await bench.service.recover();
  expect(await callsTo('/left')).toMatchObject([
    { outcome: 'failed', error: 'PUMP_LOST', upstream_status: null },
    { outcome: 'failed', error: 'PUMP_LOST', upstream_status: null },
  ]);
  // And the pump of the bench.
  expect(bench.lines.map(({ fields }) => fields['streams'])).toEqual([3]);
  expect(await bench.pumps.inline.proxy.openAttempts({ response: '', n: 0 }, 10)).toEqual([]);
  await bench.service.recover();
  expect(await callsTo('/left')).toHaveLength(2);
});

test('an attempt whose response was cut off by a crash ends like its stream', async () => {
  const body = new ScriptedBody();
  bench.reply = () => answer(200, [], body);
  await send('/cut');
  body.say('part');
  await settle();
  await bench.begin();
  await bench.service.recover();
  const [call] = await callsTo('/cut');
  expect(call).toMatchObject({ outcome: 'failed', error: 'PUMP_LOST', upstream_status: 200 });
  expect(await bench.service.attempts(call?.id ?? '', 'acme')).toMatchObject([
    { n: 1, status: 200, outcome: 'failed', error: 'PUMP_LOST', bytes: 4 },
  ]);
});

test('a tenant keeps its newest calls without a head, and the oldest are removed in batches', async () => {
  await bench.begin({ settings: { headlessMax: 5 } });
  bench.reply = LOST;
  for (let n = 0; n < 100; n++) {
    await send('/many');
    bench.pumps.timers.pass(1);
    await settle();
  }
  await settle();
  const kept = (await listed()).filter(({ upstream_status: status }) => status === null);
  expect(kept).toHaveLength(5);
  for (const { id } of kept) expect(await bench.service.attempts(id, 'acme')).toHaveLength(1);
});

test('a response of an older version has its one attempt', async () => {
  const { pumps } = bench;
  const id = '01234567-89ab-7def-8123-456789abcdef';
  const metadata = {
    ...{ tenant: 'acme', upstream_url: 'http://a.example/old', upstream_method: 'GET', upstream_status: 200 },
    ...{ upstream_content_type: null, upstream_headers: 'W10', upstream_head_ms: 7, outcome: 'completed' },
  };
  await pumps.service.createOwn({
    ...{ id: `proxy/${id}`, life: 'old', contentType: 'text/plain', collection: 'proxy/acme', closed: true },
    ...{ expiresAt: pumps.timers.now() + 1_000, metadata: JSON.stringify(metadata), data: new Uint8Array(3) },
  });
  const at = pumps.timers.now();
  expect(await bench.service.attempts(id, 'acme')).toEqual([
    {
      ...{ n: 1, method: 'GET', target: 'http://a.example/old', route: null, startedAt: at - 7, headAt: at },
      ...{ status: 200, outcome: 'completed', error: null, bytes: 3 },
    },
  ]);
  await expect(bench.service.attempts(id, 'other')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
});

function ended(): ScriptedBody {
  const body = new ScriptedBody();
  body.end();
  return body;
}
