/** Live bodies arrive piece by piece on every engine, also for a client that accepts compression. */
import { request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { edgeVariablesOf, serveEdgeForTest } from '../support/serve-edge.js';

/** The upstream sends the second piece only after the reader has the first. */
let sendSecond = () => {};
let upstream: Listening;

beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    const type = new URL(request.url ?? '/', 'http://x').searchParams.get('type') ?? '';
    response.writeHead(200, { 'content-type': type });
    response.write('one');
    sendSecond = () => response.end('two');
  });
});
afterAll(() => upstream.close());

describe.each([
  ['embedded', null, serveForTest],
  [
    'edge',
    'identity',
    (options: Parameters<typeof serveForTest>[0]) => serveEdgeForTest(edgeVariablesOf(options ?? {})),
  ],
])('%s', (_name, coding, serve) => {
  let server: Pick<ServedForTest, 'url' | 'stop'>;
  beforeAll(async () => {
    const route = { url: upstream.origin, credential: 'caller', private: true };
    server = await serve({ auth: 'none', proxy: { allow: [], routes: { up: route }, env: () => undefined } });
  });
  afterAll(() => server.stop());

  test.each(['text/plain', 'application/json', 'text/html', 'text/event-stream', 'application/octet-stream'])(
    '%s',
    async (type) => {
      const response = await fetch(`${server.url}/r/up/?type=${encodeURIComponent(type)}`, {
        headers: { 'accept-encoding': 'gzip, br' },
      });
      expect(response.headers.get('cache-control')).toBe('no-transform');
      // Only the edge needs one to keep its platform from compressing.
      expect(response.headers.get('content-encoding')).toBe(coding);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      expect(await reader?.read()).toEqual({ done: false, value: 'one' });
      sendSecond();
      expect(await reader?.read()).toEqual({ done: false, value: 'two' });
    },
  );

  test('a GET with a body is refused, inline and for an upstream', async () => {
    const inline = await rawGet(`${server.url}/r/up/`, '{"q":1}');
    expect(inline).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST', field: 'body' } },
    });
    const created = await fetch(`${server.url}/v1/proxy`, {
      method: 'POST',
      headers: { 'upstream-url': `${upstream.origin}/`, 'upstream-method': 'GET' },
      body: '{"q":1}',
    });
    expect(await created.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', field: 'body' } });
  });

  test.each(['GET', 'HEAD'])('a %s with headers that are too large is refused', async (method) => {
    const sent = fetch(`${server.url}/api/health`, { method, headers: { 'x-filler': 'x'.repeat(20_000) } });
    const response = await sent;
    expect([response.status, (await response.text()) === '']).toEqual([431, method === 'HEAD']);
  });

  test('an append with an empty Content-Type counts as one without', async () => {
    const url = `${server.url}/v1/stream/empty-type`;
    await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' } });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': '' }, body: 'x' });
    expect(response.status).toBe(400);
  });
});

/** `fetch` does not send such a request. */
function rawGet(url: string, body: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': Buffer.byteLength(body) };
    const outgoing = sendRequest(url, { method: 'GET', headers }, (incoming) => {
      let text = '';
      incoming.on('data', (piece: Buffer) => {
        text += piece.toString();
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
