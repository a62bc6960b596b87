/** The built dashboard in a real browser, against the built server, with two shops and a model on loopback. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type DemoSide, respondAsDemo } from '../../src/cli/demo/demo-site.js';
import { FINISHED } from '../support/browser-context.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium, pageFaults } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';
import { type Listening, listenHttp } from '../support/listen.js';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">';

let browser: Browser;
let shops: Record<DemoSide, Listening>;
let model: Listening;
let talking: ServerResponse | undefined;
const data = mkdtempSync(join(tmpdir(), 'sonde-dashboard-'));
let server: BuiltServer;
let tabs: Tabs | undefined;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  const shop = (side: DemoSide) =>
    listenHttp(async (request, response) => {
      const demo = respondAsDemo(new URL(request.url ?? '/', 'http://shop').pathname, side, {
        staging: () => shops.staging.origin,
      });
      const headers = [...demo.headers].flat();
      response.writeHead(demo.status, headers).end(await demo.text());
    });
  shops = { staging: await shop('staging'), production: await shop('production') };
  model = await listenHttp((_request, response) => {
    talking = response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  server = await start();
});

afterAll(async () => {
  await browser?.close();
  await server?.kill();
  await Promise.all([shops?.staging.close(), shops?.production.close(), model?.close()]);
  rmSync(data, { recursive: true, force: true });
});

beforeEach(async () => {
  // A test that kills the server may have failed before it restarted it.
  if (!server.isRunning()) server = await start();
});
afterEach(async () => {
  talking?.end();
  talking = undefined;
  await tabs?.close();
});

function start(port = 0): Promise<BuiltServer> {
  const allowed = [shops.staging.origin, shops.production.origin].join(',');
  return startBuiltServer({
    folder: data,
    args: ['--port', String(port), '--allow-private', allowed],
    env: {
      SONDE_PROXY_ALLOW: `private:${model.origin}/*`,
      SONDE_PROXY_ROUTES: JSON.stringify({
        model: { url: model.origin, credential: 'caller', private: true },
      }),
    },
  });
}

async function openPage(path: string): Promise<Page> {
  tabs = await openTabs(browser, { url: server.url, path });
  return tabs.page;
}

async function post(path: string, body: unknown): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, string>;
}

function token(n: number): void {
  const delta = { choices: [{ delta: { content: `token${n} ` } }] };
  talking?.write(`data: ${JSON.stringify(delta)}\n\n`);
}

const tokens = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `token${from + at}`).join(' ');

async function fillSides(page: Page, path: string): Promise<void> {
  await page.getByLabel('Candidate URL').fill(`${shops.staging.origin}${path}`);
  await page.getByLabel('Reference URL').fill(`${shops.production.origin}${path}`);
  const [left, right] = [
    page.getByLabel('Name in messages').first(),
    page.getByLabel('Name in messages').last(),
  ];
  await left.fill('staging');
  await right.fill('production');
}

test('two shops are compared from the form, and the planted drifts are listed by name', async () => {
  const page = await openPage('/ui/compare/new');
  await fillSides(page, '/');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
  const list = page.getByRole('region', { name: 'Findings' });
  for (const code of ['COOKIE_FLAGS_DRIFT', 'SECURITY_HEADER_MISSING', 'ASSET_BROKEN']) {
    await list.getByText(code).waitFor();
  }
  await list.getByText('staging lacks content-security-policy').click();
  await expect.poll(() => page.url()).toContain('finding=SECURITY_HEADER_MISSING');
  await page.reload();
  await page.getByRole('heading', { name: 'staging lacks content-security-policy' }).waitFor();
  expect(tabs?.complaints).toEqual([]);
});

test('an accepted finding stays accepted in the next comparison', async () => {
  // Uses its own pair, so that nothing is accepted for other tests.
  const of = ({ origin }: Listening) => `${origin}/?accepted`;
  const sides = { leftUrl: of(shops.staging), rightUrl: of(shops.production), samples: 1 };
  const { comparisonId = '' } = await post('/api/compare', sides);
  const page = await openPage(`/ui/compare/${comparisonId}`);
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByRole('button', { name: 'Undo acceptance' }).waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => page.url()).not.toContain(comparisonId.split(':')[1]);
  await page.getByRole('button', { name: '1 accepted' }).click();
  await page.getByText('Accepted or gone').waitFor();
  expect(tabs?.complaints).toEqual([]);
});

test('several paths make a suite whose rows link to their comparisons', async () => {
  const page = await openPage('/ui/compare/new');
  await fillSides(page, '');
  await page.getByLabel(/^Paths, one per line/).fill('/api/products\n/old-shop');
  await page.getByRole('button', { name: 'Compare 2 paths' }).click();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
  await page.getByRole('link', { name: '/old-shop' }).click();
  await page.getByRole('heading', { name: 'Redirects' }).first().waitFor();
  expect(tabs?.complaints).toEqual([]);
});

test('a site is audited with progress, and its report opens', async () => {
  const page = await openPage('/ui/audits/new');
  await page.getByLabel('Address of the site').fill(shops.staging.origin);
  await page.getByRole('button', { name: 'Start the audit' }).click();
  await page.getByRole('img', { name: /^Score \d+ of 100/ }).waitFor(FINISHED);
  await page.getByText('Failed (').waitFor(FINISHED);
  await page.getByText('The site has no sitemap').click();
  await expect.poll(() => page.url()).toContain('rule=');
  expect(tabs?.complaints).toEqual([]);
});

async function sendThroughRoute(page: Page): Promise<void> {
  await page.getByLabel('Route', { exact: true }).fill('model');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Response', exact: true }).waitFor();
}

test('tokens arrive, and each appears once after a network failure', async () => {
  const page = await openPage('/ui/responses/new');
  await sendThroughRoute(page);
  for (let n = 1; n <= 5; n += 1) token(n);
  await page.getByText(tokens(1, 5)).waitFor(FINISHED);
  await page.context().setOffline(true);
  for (let n = 6; n <= 10; n += 1) token(n);
  await page.getByText('Connection lost, resuming').waitFor(FINISHED);
  await page.context().setOffline(false);
  await page.getByText(tokens(1, 10)).waitFor(FINISHED);
  talking?.end('data: [DONE]\n\n');
  await page.getByText('Complete', { exact: true }).waitFor(FINISHED);
  expect((await page.locator('.assembled').first().innerText()).trim()).toBe(tokens(1, 10));
});

async function storedText(page: Page): Promise<string> {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  return (await fetch(`${server.url}/v1/proxy/${id}?offset=-1`)).text();
}

test('a page continues on its own after its server was killed, with tokens that it had not seen', async () => {
  const page = await openPage('/ui/responses/new');
  await sendThroughRoute(page);
  for (let n = 1; n <= 8; n += 1) token(n);
  await page.getByText(tokens(1, 8)).waitFor(FINISHED);
  await page.context().setOffline(true);
  for (let n = 9; n <= 12; n += 1) token(n);
  await expect.poll(() => storedText(page)).toContain('token12 ');
  const { port } = new URL(server.url);
  await server.kill();
  await page.getByText('The server cannot be reached.').waitFor(FINISHED);
  server = await start(Number(port));
  await page.context().setOffline(false);
  await page.getByText('Cut off', { exact: true }).waitFor(FINISHED);
  await page.getByText('To get the whole response, send the request again.').waitFor();
  expect((await page.locator('.assembled').first().innerText()).trim()).toBe(tokens(1, 12));
  await expect.poll(() => page.getByText('The server cannot be reached.').count()).toBe(0);
});

test('a response sent from here is aborted and stays readable', async () => {
  const page = await openPage('/ui/responses/new');
  await sendThroughRoute(page);
  token(1);
  await page.locator('.assembled', { hasText: 'token1' }).waitFor();
  await page.getByRole('button', { name: 'Abort', exact: true }).click();
  await page.getByText('Aborted', { exact: true }).first().waitFor(FINISHED);
  await page.locator('.assembled', { hasText: 'token1' }).first().waitFor();
  expect(tabs?.complaints).toEqual([]);
});

test('foreign text stays text', async () => {
  const path = `${server.url}/v1/stream/notes/x`;
  await fetch(path, { method: 'PUT', headers: { 'content-type': 'text/plain' } });
  await fetch(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: HOSTILE });
  const sides = { leftUrl: `${shops.staging.origin}/`, rightUrl: `${shops.production.origin}/` };
  const labels = { leftLabel: HOSTILE, rightLabel: HOSTILE };
  const { comparisonId = '' } = await post('/api/compare', { ...sides, ...labels, samples: 1 });
  const page = await openPage('/ui/stream/notes/x');
  await page.getByText(HOSTILE).waitFor(FINISHED);
  await page.goto(`${server.url}/ui/compare/${comparisonId}`);
  await page.getByText(HOSTILE).first().waitFor(FINISHED);
  await page.goto(`${server.url}/ui/streams?q=${encodeURIComponent(HOSTILE)}`);
  await page.getByText('No entry matches the filter').waitFor();
  expect(await page.title()).not.toBe('owned');
  expect(tabs?.complaints).toEqual([]);
});

/** Creates a stream and a response; returns the paths of their pages. */
async function makeRecordings(): Promise<string[]> {
  const headers = { 'content-type': 'application/json' };
  const stream = `${server.url}/v1/stream/notes/y`;
  await fetch(stream, { method: 'PUT', headers });
  await fetch(stream, { method: 'POST', headers, body: '{"n":1}' });
  const sent = await fetch(`${server.url}/r/model/v1/chat`, { method: 'POST', headers, body: '{}' });
  token(1);
  talking?.end('data: [DONE]\n\n');
  await sent.text();
  const location = new URL(sent.headers.get('stream-location') ?? '', server.url);
  return ['/stream/notes/y', `/responses/${location.pathname.split('/').at(-1)}`];
}

test('every page is accessible in both themes and fits a phone', async () => {
  const sides = { leftUrl: `${shops.staging.origin}/`, rightUrl: `${shops.production.origin}/` };
  const { comparisonId = '' } = await post('/api/compare', { ...sides, samples: 1 });
  const { auditId = '' } = await post('/api/audits', { url: shops.staging.origin, pages: 5 });
  const { suiteId } = await post('/api/suites', { ...sides, paths: ['/', '/old-shop'], samples: 1 });
  const recorded = await makeRecordings();
  const page = await openPage(`/ui/compare/${comparisonId}`);
  await page.getByRole('article', { name: 'Finding' }).waitFor();
  const faults: Record<string, unknown> = {};
  const pairKey = comparisonId.split(':')[0];
  const paths = ['', '/compare', '/compare/new', `/compare/${comparisonId}`, `/pairs/${pairKey}`];
  const others = [
    `/suites/${suiteId}`,
    ...recorded,
    '/audits',
    '/audits/new',
    `/audits/${auditId}`,
    '/streams',
    '/responses/new',
    '/system',
    '/login',
  ];
  for (const path of [...paths, ...others]) {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`${server.url}/ui${path}`);
    await page.locator('h1').waitFor();
    await expect.poll(() => page.locator('.waiting').count()).toBe(0);
    const fault = await pageFaults(page);
    if (fault) faults[path] = fault;
  }
  expect(faults).toEqual({});
  expect(tabs?.complaints).toEqual([]);
});
