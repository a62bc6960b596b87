/** Untrusted text in every field that shows it stays text, and no page runs or loads anything because of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';
import { type Listening, listenHttp } from '../support/listen.js';

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const ENCODED = encodeURIComponent(HOSTILE);

let browser: Browser;
let site: Listening;
let data: string;
let server: BuiltServer;
let tabs: Tabs;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  site = await listenHttp((request, response) => {
    const isLeft = request.url?.includes('left');
    const text = HOSTILE.replaceAll('<', '&lt;');
    const headers = {
      'content-type': request.url?.includes('json') ? 'application/json' : 'text/html',
      'x-text': isLeft ? HOSTILE : 'plain',
      'set-cookie': `${isLeft ? 'a' : 'b'}=${ENCODED}; Path=/`,
    };
    const isJson = request.url?.includes('json');
    response.writeHead(isLeft || isJson ? 200 : 404, headers);
    if (request.url?.includes('json'))
      return void response.end(JSON.stringify({ [HOSTILE]: isLeft ? HOSTILE : 1 }));
    response.end(`<!doctype html><html lang="en"><head><title>${text}</title><meta name="description" content="x">
</head><body><h1>${isLeft ? text : 'Plain'}</h1><a href="/gone/${ENCODED}">${text}</a></body></html>`);
  });
  data = mkdtempSync(join(tmpdir(), 'sonde-hostile-'));
  server = await startBuiltServer({
    folder: data,
    args: ['--allow-private', site.origin],
    env: {
      SONDE_PROXY_ALLOW: `private:${site.origin}/*`,
      SONDE_PROXY_ROUTES: JSON.stringify({ site: { url: site.origin, credential: 'caller', private: true } }),
    },
  });
  tabs = await openTabs(browser, { url: server.url });
});
afterAll(async () => {
  await tabs?.close();
  await browser?.close();
  await server?.kill();
  await site?.close();
  rmSync(data, { recursive: true, force: true });
});

async function post(path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, init);
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, string>;
}

/** Opens the page, waits until it shows the hostile text, and checks that it is harmless. */
async function showsText(path: string, text = HOSTILE.slice(0, 20)): Promise<void> {
  const { page } = tabs;
  await page.goto(`${server.url}/ui${path}`);
  await page.getByText(text).first().waitFor({ state: 'attached' });
  expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
  expect(await page.title()).not.toBe('owned');
  expect(tabs.complaints).toEqual([]);
}

test('comparisons: names, values, headers, redirects and the raw result are harmless', async () => {
  const sides = { leftUrl: `${site.origin}/left`, rightUrl: `${site.origin}/right` };
  const labels = { leftLabel: HOSTILE.slice(0, 90), rightLabel: 'reference' };
  const { comparisonId = '' } = await post('/api/compare', { ...sides, ...labels, samples: 1 });
  await showsText(`/compare/${comparisonId}`);
  for (const tab of ['probes', 'raw']) await showsText(`/compare/${comparisonId}?tab=${tab}`, 'onerror');
  await showsText(`/compare/${comparisonId}?q=${ENCODED}%20zzz`, 'Nothing matches');
  const json = { leftUrl: `${site.origin}/left/json`, rightUrl: `${site.origin}/right/json`, samples: 1 };
  const { comparisonId: ofJson = '' } = await post('/api/compare', json);
  await showsText(`/compare/${ofJson}`, 'onerror');
  await showsText(`/pairs/${comparisonId.split(':')[0]}`, site.origin.slice(7));
});

test('audits: page titles, links and their texts are harmless', async () => {
  const { auditId = '' } = await post('/api/audits', { url: `${site.origin}/left` });
  await showsText(`/audits/${auditId}`, 'Failed (');
  await showsText(`/audits/${auditId}?tab=pages`, site.origin.slice(7));
});

test('streams and responses: content in every view, headers, paths and filters are harmless', async () => {
  const path = `${server.url}/v1/stream/notes/${encodeURIComponent('<b>bold')}`;
  const types = { 'content-type': 'text/event-stream' };
  await fetch(path, { method: 'PUT', headers: types });
  await fetch(path, { method: 'POST', headers: types, body: `event: ${HOSTILE}\ndata: ${HOSTILE}\n\n` });
  for (const view of ['events', 'text'])
    await showsText(`/stream/notes/${encodeURIComponent('<b>bold')}?view=${view}`);
  await showsText('/streams', 'bold');
  await showsText(`/streams?q=${ENCODED}`, 'No entry matches the filter');
  const sent = await fetch(`${server.url}/r/site/left?${ENCODED}`);
  await sent.text();
  const id = new URL(sent.headers.get('stream-location') ?? '', server.url).pathname.split('/').at(-1);
  await showsText(`/responses/${id}`, '<h1>');
  await showsText(`/responses/new?route=${ENCODED}&body=${ENCODED}`, 'Send a request');
});
