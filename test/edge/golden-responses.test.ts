/** The same conversation with the edge and the embedded engine gets the same responses after masking. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { runGoldenScript } from '../support/golden-script.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { RecordedResponse } from '../support/mask-response.js';
import { serveForTest } from '../support/serve.js';
import { edgeVariablesOf, serveEdgeForTest } from '../support/serve-edge.js';

const HOME =
  '<!doctype html><html lang=en><head><title>A site for tests</title></head><body><h1>Home</h1><a href="/a">A page</a></body></html>';

/** Only a long job emits an event when it starts. */
const THINKING_MS = 400;

/** A page that an audit measures responds at once: on a busy machine, it must not be slow with one engine only. */
const environment = (cacheControl: string, slow: readonly string[]) =>
  listenHttp(({ url = '' }, response) => {
    const respond = () => {
      if (url === '/moved') return void response.writeHead(302, { location: '/' }).end();
      if (url !== '/' && url !== '/slow')
        return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no');
      const headers = { 'content-type': 'text/html', 'cache-control': cacheControl, 'x-build': '7' };
      response.writeHead(200, headers).end(HOME);
    };
    if (slow.includes(url)) setTimeout(respond, THINKING_MS);
    else respond();
  });

let listening: Listening[];
const responses: { embedded: Map<string, RecordedResponse>; edge: Map<string, RecordedResponse> } = {
  embedded: new Map(),
  edge: new Map(),
};

beforeAll(async () => {
  listening = [
    await environment('no-store', ['/']),
    await environment('max-age=600', ['/']),
    await environment('no-cache', ['/robots.txt', '/slow']),
  ];
  const [left = '', right = '', site = ''] = listening.map(({ origin }) => origin);
  const options = { auth: 'none' as const, net: { allowPrivate: [left, right, site] }, version: VERSION };
  const embedded = await serveForTest(options);
  responses.embedded = await runGoldenScript(embedded.url, { left, right, site }).finally(() =>
    embedded.stop(),
  );
  const edge = await serveEdgeForTest(edgeVariablesOf(options), { pages: true });
  responses.edge = await runGoldenScript(edge.url, { left, right, site }).finally(() => edge.stop());
}, 180_000);
afterAll(() => Promise.all(listening.map((each) => each.close())));

test('both engines got the same requests', () => {
  expect([...responses.edge.keys()]).toEqual([...responses.embedded.keys()]);
  expect(responses.edge.size).toBeGreaterThan(55);
});

describe('after masking, the edge responds like the embedded engine', () => {
  test.each(['headers', 'body', 'status'] as const)('in its %s', (part) => {
    for (const [name, response] of responses.embedded) {
      expect.soft(responses.edge.get(name)?.[part], name).toEqual(response[part]);
    }
  });
});
