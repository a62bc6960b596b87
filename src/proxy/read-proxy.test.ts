/** Reads of a recorded response: whose it is, from where, live or not, and which headers they have. */
import { describe, expect, test } from 'vitest';
import {
  answer,
  idOf,
  KeepingSink,
  textOf,
  useProxyService,
  wholeBody,
} from '../../test/support/proxy-service-bench.js';
import { settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import type { HeaderPair } from '../net/index.js';

const bench = useProxyService();

const read = (id: string, query: Record<string, string> = {}, tenant?: string | null) =>
  bench.service.read(bench.read(id, query, tenant));
const head = (id: string, tenant?: string | null) => bench.service.head(bench.read(id, {}, tenant));

async function recorded(text = 'hello', headers: readonly HeaderPair[] = []): Promise<string> {
  bench.reply = () => answer(200, headers, wholeBody(text));
  return idOf(await bench.inline());
}

/** A response that goes on; its first bytes are stored. */
async function arriving(headers: Record<string, string> = {}) {
  const body = new ScriptedBody();
  bench.reply = () => answer(200, [['content-encoding', 'gzip']], body);
  const id = idOf(await bench.inline({ headers }));
  body.say('one ');
  await settle();
  return { id, body };
}

describe('a stream', () => {
  test('exists for its tenant and the holder of a signed URL', async () => {
    const id = await recorded();
    for (const tenant of ['acme', null]) {
      expect((await read(id, {}, tenant)).status).toBe(200);
      expect((await head(id, tenant)).status).toBe(200);
    }
    await expect(read(id, {}, 'other')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    await expect(head(id, 'other')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });

  test('whose id no proxy gave out does not exist', async () => {
    // The stream of the bench exists, as proxy/1.
    const id = bench.pumps.streamId.replace('proxy/', '');
    expect(await bench.pumps.service.find(`proxy/${id}`)).toBeDefined();
    await expect(read(id, {}, 't')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
    const unknown = '0198f000-0000-7000-8000-000000000000';
    await expect(read(unknown, {}, null)).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  });
});

describe('a read', () => {
  test('of a whole response has its outcome', async () => {
    const response = await read(await recorded('hello', [['content-type', 'a/b']]));
    expect(await textOf(response)).toBe('hello');
    expect(response.headers).toMatchObject({
      'Upstream-Content-Type': 'a/b',
      'Upstream-Status': '200',
      'Upstream-Outcome': 'completed',
      'Stream-Closed': 'true',
      'Stream-Up-To-Date': 'true',
    });
  });

  test('of a response in progress says so, and has no outcome', async () => {
    const { id } = await arriving();
    const { headers } = await read(id);
    expect(headers).toMatchObject({ 'Stream-Closed': 'false', 'Stream-Up-To-Date': 'true' });
    expect(headers['Upstream-Outcome']).toBeUndefined();
    expect((await head(id)).headers['Stream-Closed']).toBe('false');
  });

  test('that waited for the end has the outcome', async () => {
    const { id, body } = await arriving();
    const waiting = read(id, { offset: 'now', live: 'long-poll' });
    await settle();
    body.end();
    const { headers } = await waiting;
    expect([headers['Stream-Closed'], headers['Upstream-Outcome']]).toEqual(['true', 'completed']);
  });

  test('that skips bytes of a response in progress is an ordinary one', async () => {
    const { id } = await arriving();
    const response = await read(id, { offset: '-1', skip: '1' });
    expect([await textOf(response), response.headers['Stream-Closed']]).toEqual(['ne ', 'false']);
  });

  test('whose reader has left does not wait on', async () => {
    const { id } = await arriving();
    const gone = new AbortController();
    const call = { ...bench.read(id, { offset: 'now', live: 'long-poll' }), signal: gone.signal };
    const waiting = bench.service.read(call).catch(() => 'refused');
    await settle();
    expect(bench.pumps.service.liveReaders).toBe(1);
    gone.abort();
    await waiting;
    expect(bench.pumps.service.liveReaders).toBe(0);
  });

  test('of a broken response names its error', async () => {
    const { id, body } = await arriving();
    body.fail('fetch_error', 'reset');
    await bench.service.quiet();
    const expected = { 'Upstream-Outcome': 'failed', 'Upstream-Error': 'UPSTREAM_RESET' };
    expect((await read(id)).headers).toMatchObject(expected);
    expect((await head(id)).headers).toMatchObject({ ...expected, 'Stream-Closed': 'true' });
  });

  test.each([
    [{}, 'gzip'],
    [{ offset: '-1' }, 'gzip'],
    [{ offset: '-1', skip: '0' }, 'gzip'],
    [{ offset: '-1', skip: '1' }, undefined],
    [{ offset: 'now' }, undefined],
  ])('with the query %j has the content coding: %s', async (query, coding) => {
    const id = await recorded('coded', [['content-encoding', 'gzip']]);
    expect((await read(id, query as Record<string, string>)).headers['Content-Encoding']).toBe(coding);
  });

  test('that has not changed has no body, and so no coding', async () => {
    const id = await recorded('coded', [['content-encoding', 'gzip']]);
    const { headers } = await read(id);
    const header = (name: string) => (name === 'if-none-match' ? (headers['ETag'] ?? null) : null);
    const again = await bench.service.read({ ...bench.read(id), header });
    expect([again.status, again.headers['Content-Encoding']]).toEqual([304, undefined]);
  });

  test('of a part, or of a response without a coding, has none', async () => {
    expect((await read(await recorded())).headers['Content-Encoding']).toBeUndefined();
    const { id } = await arriving();
    expect((await read(id)).headers['Content-Encoding']).toBeUndefined();
  });

  test('that is live says neither whether it is closed nor whether it is up to date', async () => {
    const { id } = await arriving();
    const { body, headers } = await read(id, { offset: '-1', live: 'sse' });
    expect(body?.kind).toBe('live');
    expect(headers).toMatchObject({ 'Upstream-Status': '200' });
    expect(Object.keys(headers)).not.toContain('Stream-Closed');
    expect(Object.keys(headers)).not.toContain('Stream-Up-To-Date');
  });

  test.each([
    [{}, 30_000],
    [{ offset: 'nonsense' }, 30_000],
  ])('with the query %j counts as a reader only while it lasts', async (query, ms) => {
    const body = new ScriptedBody();
    bench.reply = () => answer(200, [], body);
    const id = idOf(await bench.create({ 'orphan-policy': 'cancel-after=30s' }));
    bench.pumps.timers.pass(20_000);
    expect(bench.pumps.timers.set).toContain(10_000);
    const response = read(id, query as Record<string, string>);
    if ('offset' in query) await expect(response).rejects.toMatchObject({ code: 'OFFSET_INVALID' });
    else expect((await response).status).toBe(200);
    expect(bench.pumps.timers.set).toContain(ms);
  });

  test('that is live counts as a reader until it leaves', async () => {
    bench.reply = () => answer(200, [], new ScriptedBody());
    const id = idOf(await bench.create({ 'orphan-policy': 'cancel-after=30s' }));
    const live = await read(id, { offset: '-1', live: 'sse' });
    expect(bench.pumps.timers.set).not.toContain(30_000);
    const sink = new KeepingSink();
    if (live.body?.kind === 'live') live.body.start(sink);
    await settle();
    expect(bench.pumps.timers.set).not.toContain(30_000);
    sink.leave();
    await settle();
    expect(bench.pumps.timers.set).toContain(30_000);
  });

  test('by SSE ends with the outcome', async () => {
    const { id, body } = await arriving();
    const sink = new KeepingSink();
    const live = await read(id, { offset: '-1', live: 'sse' });
    if (live.body?.kind === 'live') live.body.start(sink);
    await settle();
    body.fail('fetch_error', 'reset');
    await bench.service.quiet();
    await settle();
    expect(sink.text).toContain('"upstreamOutcome":"failed","upstreamError":"UPSTREAM_RESET"');
    expect(sink.ending).toBe('ended');
  });
});

describe('a raw read', () => {
  test('of a response in progress is live, without a frame or a cache', async () => {
    const { id, body } = await arriving();
    const response = await read(id, { offset: '-1', skip: '1', live: 'raw' });
    expect(response.headers).toMatchObject({
      'Content-Type': 'application/octet-stream',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    const sink = new KeepingSink();
    if (response.body?.kind === 'live') response.body.start(sink);
    await settle();
    body.say('two');
    body.end();
    await bench.service.quiet();
    await settle();
    expect([sink.text, sink.ending]).toEqual(['ne two', 'ended']);
  });

  test('of a response that breaks off is aborted', async () => {
    const { id, body } = await arriving();
    const sink = new KeepingSink();
    const response = await read(id, { offset: '-1', live: 'raw' });
    if (response.body?.kind === 'live') response.body.start(sink);
    await settle();
    body.fail('fetch_error', 'reset');
    await bench.service.quiet();
    await settle();
    expect([sink.text, sink.ending]).toEqual(['one ', 'aborted']);
  });

  test('of a response that has ended is an ordinary read', async () => {
    const response = await read(await recorded(), { offset: '-1', skip: '2', live: 'raw' });
    expect([await textOf(response), response.headers['Stream-Closed']]).toEqual(['llo', 'true']);
  });
});
