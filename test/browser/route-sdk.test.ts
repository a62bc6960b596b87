/** An unmodified SDK in a page, on a route of a server of another origin: it sees the upstream's own headers. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openContext } from '../support/browser-context.js';
import { launchChromium } from '../support/chromium.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { Upstream } from '../support/proxy-bench.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const TOKEN = 'service-token-of-the-page-with-an-sdk';
const PATHS = ['POST /v1/chat/completions'];

let browser: Browser;
let upstream: Upstream;
let server: ServedForTest;
let site: Listening;

/** Asks once, and shows the request's id and what went wrong. */
const script = (baseURL: string) => `
  import OpenAI from 'openai';
  const openai = new OpenAI({ baseURL: '${baseURL}', apiKey: '${TOKEN}', dangerouslyAllowBrowser: true, maxRetries: 2 });
  const show = ({ _request_id, requestID, status }) => { document.title = [_request_id ?? requestID, status].join(); };
  openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }).then(show, show);
`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: script(`${server.url}/r/openai/v1`),
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  upstream = await Upstream.start();
  server = await serveForTest({
    auth: 'jwt',
    serviceTokens: [
      { token: TOKEN, tenant: 'default', scopes: ['proxy:create'], routes: ['openai'], paths: PATHS },
    ],
    proxy: {
      allow: [],
      routes: {
        openai: { url: upstream.origin, credential: 'env:KEY', private: true, tenants: ['default'] },
      },
      env: () => 'sk-up',
    },
  });
  const page = await bundle();
  site = await listenHttp((request, response) => {
    if (request.url === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(page);
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title></title><script type="module" src="/page.js"></script>');
  });
  browser = await launchChromium(inject('chromium'));
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await site?.close();
  await upstream?.listening.close();
});

/** The title of the page once the SDK has settled. */
async function visit(): Promise<string> {
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.goto(site.origin);
  await page.waitForFunction(() => document.title !== '');
  const title = await page.title();
  await context.close();
  return title;
}

test('openai does not retry what the upstream says not to retry, and has its request id', async () => {
  upstream.reset();
  upstream.respond = (response) =>
    void response
      .writeHead(429, {
        'content-type': 'application/json',
        'x-should-retry': 'false',
        'x-request-id': 'req_busy',
      })
      .end('{"error":{"message":"busy"}}');
  expect(await visit()).toBe('req_busy,429');
  expect(upstream.asked.length).toBe(1);
});

test('openai waits as long as the upstream says, and has the request id of the response', async () => {
  upstream.reset();
  upstream.respond = (response) => {
    const busy = upstream.asked.length === 1;
    response.writeHead(busy ? 429 : 200, {
      'content-type': 'application/json',
      'x-request-id': `req_${upstream.asked.length}`,
      ...(busy && { 'retry-after-ms': '10' }),
    });
    response.end(JSON.stringify(busy ? {} : { id: 'c', object: 'chat.completion', choices: [] }));
  };
  expect(await visit()).toBe('req_2,');
  expect(upstream.asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer sk-up',
    'Bearer sk-up',
  ]);
});
