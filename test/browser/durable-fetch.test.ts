/** durableFetch in a page of another origin: CORS, an SDK's headers, and a reload in the middle. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openContext } from '../support/browser-context.js';
import { launchChromium } from '../support/chromium.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const TOKEN = 'service-token-of-the-browser-test';
const DIST = new URL('../../dist/', import.meta.url);
const LINES = Array.from({ length: 60 }, (_, index) => `line ${index} äöü🙂\n`);

let browser: Browser;
let server: ServedForTest;
let site: Listening;
let calls = 0;
let asked: string | undefined;
let release = () => {};

/** A page that reads on from where it stopped, and stores what it has read, like an application. */
const PAGE = (proxy: string, upstream: string) => `<!doctype html><meta charset="utf-8"><title>page</title>
<script type="module">
  import { durableFetch } from '/dist/client.js';
  const get = durableFetch({ proxy: '${proxy}', token: () => '${TOKEN}', storage: localStorage, requestId: 'page' });
  const response = await get('${upstream}', {
    method: 'POST', body: 'question', headers: { 'x-stainless-lang': 'js', authorization: 'Bearer k' },
  });
  const decoder = new TextDecoder();
  for (const reader = response.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    localStorage.bytes = (localStorage.bytes ?? '') + Array.from(value, (byte) => String.fromCharCode(byte)).join('');
  }
  localStorage.left = Object.keys(localStorage).filter((key) => key.startsWith('sonde:')).length;
  document.title = response.headers.get('x-request-id') + ' done';
</script>`;

beforeAll(async () => {
  site = await listenHttp(async (request, response) => {
    const path = request.url ?? '';
    if (path === '/answer') {
      calls++;
      asked = request.headers['x-stainless-lang'] as string | undefined;
      response.writeHead(200, { 'content-type': 'text/plain', 'x-request-id': 'r1' });
      for (const line of LINES.slice(0, 30)) response.write(line);
      release = () => void response.end(LINES.slice(30).join(''));
    } else if (path.startsWith('/dist/') && !path.includes('..')) {
      const bytes = await readFile(new URL(path.slice('/dist/'.length), DIST));
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(bytes);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE(server.url, `${site.origin}/answer`));
    }
  });
  server = await serveForTest({
    auth: 'jwt',
    serviceTokens: [{ token: TOKEN, tenant: 'default', scopes: ['proxy:create'] }],
    proxy: { allow: [`private:${site.origin}/answer`], routes: {}, env: () => undefined },
  });
  browser = await launchChromium(inject('chromium'));
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await site?.close();
});

test('a page reloaded in the middle has every byte once, from one upstream call', async () => {
  const context = await openContext(browser);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(site.origin);
  await page.waitForFunction(() => (localStorage['bytes'] ?? '').includes('line 20'));
  await page.reload();
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('sonde:')));
  release();
  await page.waitForFunction(() => document.title.endsWith('done'));
  const text = await page.evaluate(() => localStorage['bytes'] as string);
  expect(Buffer.from(text, 'latin1').toString()).toBe(LINES.join(''));
  expect(await page.evaluate(() => localStorage['left'] as string)).toBe('0');
  expect([await page.title(), calls, asked]).toEqual(['r1 done', 1, 'js']);
  expect(requests.some((url) => url.includes(TOKEN))).toBe(false);
  expect(complaints).toEqual([]);
  await context.close();
});
