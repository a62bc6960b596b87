/** SIGTERM while responses are arriving: they may finish within the drain, and a response that is cut reports it. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { serveForTest } from '../support/serve.js';

let upstream: Listening;
let folder: string;
/** Responses of the upstream that have started. */
let begun: ServerResponse[] = [];

beforeAll(async () => {
  upstream = await listenHttp((_request, response) => {
    response.write('first ');
    begun.push(response);
  });
});
afterAll(() => upstream.close());
beforeEach(() => {
  begun = [];
  folder = mkdtempSync(join(tmpdir(), 'sonde-drain-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const serve = (drainMs: string): Promise<BuiltServer> =>
  startBuiltServer({
    folder,
    args: ['--proxy-allow', `private:127.0.0.1:${upstream.port}`, '--drain-ms', drainMs],
  });

async function create({ url }: BuiltServer): Promise<string> {
  const created = await fetch(`${url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${upstream.origin}/`, 'upstream-method': 'GET' },
  });
  return created.headers.get('location') ?? '';
}

/** Reads the same stream from a server started on the same data, in this process. */
async function readAfterRestart(location: string): Promise<unknown[]> {
  const next = await serveForTest({ dataDir: folder });
  const { pathname, search } = new URL(location);
  const read = await fetch(next.url + pathname + search);
  const result = [
    await read.text(),
    ...['upstream-outcome', 'upstream-error'].map((name) => read.headers.get(name)),
  ];
  await next.stop();
  return result;
}

test('a response without a reader continues, new requests get 503, and the process ends with the response', async () => {
  const server = await serve('5m');
  const location = await create(server);
  const stopped = server.stop();
  await expect.poll(() => fetch(location).then(({ status }) => status)).toBe(503);
  const refused = await fetch(`${server.url}/v1/proxy`, { method: 'POST' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  begun[0]?.end('and last');
  expect(await stopped).toBe(0);
  expect(await readAfterRestart(location)).toEqual(['first and last', 'completed', null]);
});

test('a response cut at the end of the drain reports SERVER_STOPPED', async () => {
  const server = await serve('100ms');
  const location = await create(server);
  expect(await server.stop()).toBe(0);
  expect(await readAfterRestart(location)).toEqual(['first ', 'failed', 'SERVER_STOPPED']);
});
