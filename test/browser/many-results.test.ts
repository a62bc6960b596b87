/** The dashboard with more results than one page of each list shows: nothing that exists is said to be missing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { pairKeyOf } from '../../src/compare/index.js';
import { uuidV7 } from '../../src/uuid.js';
import { FINISHED } from '../support/browser-context.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { openRecordsForTest } from '../support/serve.js';

const OWN_PAIRS = 60;
const PAIRS_OF_SUITES = 150;
const AUDITS_OF_OTHERS = 60;

let browser: Browser;
let site: Listening;
let server: BuiltServer;
let tabs: Tabs;
let page: Page;
/** Nothing listens there any more. */
let closed = '';
let firstAudit = '';
let secondAudit = '';
const data = mkdtempSync(join(tmpdir(), 'sonde-many-results-'));

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  site = await listenHttp(({ url }, response) => {
    if (url === '/late.json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"answer": [1, 2,');
      setTimeout(() => response.end(' 3]}'), 300);
      return;
    }
    if (url === '/limited') {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end('{}');
      return;
    }
    const theme = url?.startsWith('/b') ? 'theme=dark' : 'theme=light; HttpOnly';
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': theme }).end('<title>Shop</title>');
  });
  const gone = await listenHttp((_request, response) => response.end());
  closed = gone.origin;
  await gone.close();
  server = await startBuiltServer({
    folder: data,
    args: ['--allow-private', site.origin, '--proxy-allow', `private:${site.origin}/*,private:${closed}/*`],
    env: {
      SONDE_PROXY_ROUTES: JSON.stringify({ shop: { url: site.origin, credential: 'caller', private: true } }),
    },
  });
  await fill();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.kill();
  await site?.close();
  rmSync(data, { recursive: true, force: true });
});
beforeEach(async () => {
  tabs = await openTabs(browser, { url: server.url });
  page = tabs.page;
});
afterEach(async () => {
  await tabs.close();
});

/** Adds comparisons that have ended to the store itself: running them is not what these tests are about. */
async function fill(): Promise<void> {
  firstAudit = await audit(`${site.origin}/site`);
  const stores = await openRecordsForTest(data);
  const tenantId = (await stores.tenants.bySlug('default'))?.id ?? '';
  const add = async (path: string, suiteId?: string) => {
    const pair = { tenantId, leftUrl: `https://staging.test/${path}`, rightUrl: `https://shop.test/${path}` };
    const pairKey = pairKeyOf(pair);
    const key = { tenantId, comparisonId: `${pairKey}:${uuidV7(Date.now())}` };
    const sealed = { leftSealed: null, rightSealed: null };
    const suite = suiteId === undefined ? {} : { suiteId };
    await stores.comparisons.createComparison({
      ...pair,
      ...key,
      ...sealed,
      ...suite,
      pairKey,
      optionsJson: '{}',
      explain: false,
    });
    await stores.comparisons.failComparison({ ...key, error: '{"code":"timeout","message":"too slow"}' });
  };
  for (let n = 0; n < OWN_PAIRS; n++) await add(`product/${n}`);
  for (let n = 0; n < PAIRS_OF_SUITES; n++) await add(`product/${n}`, 'suite-1');
  await stores.close();
  for (let n = 0; n < AUDITS_OF_OTHERS; n++) await audit(`${site.origin}/other/${n}`);
  secondAudit = await audit(`${site.origin}/site`);
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

async function audit(url: string): Promise<string> {
  const { auditId } = await call('POST', '/api/audits', { url, pages: 1, depth: 3, checks: 0, delayMs: 0 });
  const isDone = async () => (await call('GET', `/api/audits/${auditId}`))['status'] === 'done';
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 });
  return String(auditId);
}

const open = (path: string) => page.goto(`${server.url}/ui${path}`);

test('pairs that suites ran later are still listed and found, and the first page shows failing ones', async () => {
  await open('/compare');
  const pairs = page.getByRole('region', { name: 'Pairs' });
  await pairs.getByText(`https://staging.test/product/${OWN_PAIRS - 1}`).waitFor();
  expect(await pairs.locator('.pair-row').count()).toBe(50);
  await pairs.getByRole('button', { name: 'Load older pairs' }).click();
  await expect.poll(() => pairs.locator('.pair-row').count()).toBe(OWN_PAIRS);
  await open('/compare?q=product%2F7');
  await pairs.getByText('https://staging.test/product/7', { exact: true }).waitFor();
  expect(await pairs.locator('.pair-row').count()).toBe(1);
  await open(`/compare?q=product%2F${PAIRS_OF_SUITES - 1}`);
  await pairs.getByText('No pair matches the filter').waitFor();
  await open('');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText(`staging.test/product/${OWN_PAIRS - 1} `).waitFor();
  expect(tabs.complaints).toEqual([]);
});

test('an audit beyond the first page is found, and knows the earlier audit of its site', async () => {
  await open('/audits?q=other%2F1');
  const list = page.getByRole('region', { name: 'All audits' });
  await list.getByRole('link', { name: `${site.origin}/other/19` }).waitFor();
  expect(await list.locator('.row').count()).toBe(11);
  await open('/audits?q=nowhere');
  await list.getByText('No audit matches the filter').waitFor();
  await open(`/audits/${secondAudit}?tab=changes`);
  await page.getByRole('link', { name: /^Earlier audit/ }).waitFor();
  await open(`/audits/${firstAudit}?tab=changes`);
  await page.getByText('This is the first audit of the site').waitFor();
  expect(tabs.complaints).toEqual([]);
});

test('an audit is repeated with the options that it had', async () => {
  await open(`/audits/${secondAudit}`);
  await page.getByRole('link', { name: 'Audit again' }).click();
  await page.getByText('depth 3').waitFor();
  await page.getByRole('button', { name: 'Start the audit' }).click();
  await page.waitForURL(
    (url) => /\/audits\/[0-9a-f-]{36}$/.test(url.pathname) && !url.href.includes(secondAudit),
  );
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { options: first } = await call('GET', `/api/audits/${secondAudit}`);
  expect((await call('GET', `/api/audits/${id}`))['options']).toEqual(first);
});

async function compare(request: object): Promise<string> {
  const { comparisonId } = await call('POST', '/api/compare', {
    ...{ leftUrl: `${site.origin}/a`, rightUrl: `${site.origin}/b`, samples: 1, explain: false },
    ...request,
  });
  await expectDone(String(comparisonId));
  return String(comparisonId);
}

async function expectDone(comparisonId: string): Promise<void> {
  const path = `/api/compare/${encodeURIComponent(comparisonId)}`;
  await expect.poll(async () => (await call('GET', path))['status'], { timeout: 60_000 }).toBe('completed');
}

test('"Run again" keeps the verdict: the candidate, the ignored findings and the labels are those of before', async () => {
  const id = await compare({ candidate: 'right', ignore: ['COOKIE_*'], leftLabel: 'old', rightLabel: 'new' });
  await open(`/compare/${encodeURIComponent(id)}`);
  const verdict = page.getByRole('region', { name: 'Verdict' }).locator('.verdict-line');
  const before = await verdict.textContent();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.waitForURL((url) => decodeURIComponent(url.pathname) !== `/ui/compare/${id}`);
  const second = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await expectDone(second);
  await expect.poll(() => verdict.textContent()).toBe(before);
  const options = async (of: string) =>
    (await call('GET', `/api/compare/${encodeURIComponent(of)}`))['options'];
  expect(await options(second)).toEqual(await options(id));
  await page.getByRole('link', { name: 'Edit and run' }).click();
  await page.getByRole('radio', { name: 'The second URL' }).isChecked();
  expect(await page.getByLabel('Ignore, one rule per line').inputValue()).toBe('COOKIE_*');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.waitForURL(/\/compare\/[0-9a-f]{40}/);
  const third = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(await options(third)).toEqual(await options(id));
  expect(tabs.complaints).toEqual([]);
});

test('"Run again" of a comparison with headers opens the form and names what is missing', async () => {
  const id = await compare({ leftHeaders: { Authorization: 'Bearer canary' }, ignore: ['COOKIE_*'] });
  await open(`/compare/${encodeURIComponent(id)}`);
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('note').getByText('the header Authorization of the first URL').waitFor();
  expect(await page.getByLabel('Candidate header name').inputValue()).toBe('Authorization');
  expect(await page.getByLabel('Candidate header value').inputValue()).toBe('');
  expect(await page.getByLabel('Ignore, one rule per line').inputValue()).toBe('COOKIE_*');
});

test('a JSON stream with more messages than a call has arguments can be read', async () => {
  const numbers = JSON.stringify(Array.from({ length: 130_000 }, (_, n) => n));
  const headers = { 'content-type': 'application/json' };
  await fetch(`${server.url}/v1/stream/numbers`, { method: 'PUT', headers });
  const appended = await fetch(`${server.url}/v1/stream/numbers`, { method: 'POST', headers, body: numbers });
  expect(appended.ok).toBe(true);
  await open('/stream/numbers');
  await page.getByText('Following live').waitFor();
  await page.locator('.line').getByText('129999', { exact: true }).waitFor(FINISHED);
  expect(tabs.complaints).toEqual([]);
});

test('a JSON response that arrives in pieces while it is watched is shown when it is complete', async () => {
  const sent = await fetch(`${server.url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${site.origin}/late.json`, 'upstream-method': 'GET' },
  });
  const id = new URL(sent.headers.get('location') ?? '').pathname.split('/').at(-1);
  await open(`/responses/${id}?view=json`);
  await page.getByText('Complete', { exact: true }).waitFor(FINISHED);
  await page.getByText('{"answer":[1,2,3]}').waitFor(FINISHED);
});

test('refused calls and calls without a response are neither green nor missing, and can be filtered', async () => {
  const limited = () =>
    fetch(`${server.url}/r/shop/limited`, { headers: { 'idempotency-key': 'limited-1' } });
  expect([(await limited()).status, (await limited()).status]).toEqual([429, 429]);
  const refused = await fetch(`${server.url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${closed}/gone`, 'upstream-method': 'GET' },
  });
  expect(refused.status).toBe(502);
  await open('/streams?kind=response');
  const list = page.getByRole('region', { name: 'Newest first' });
  const limitedRow = list.locator('.row', { hasText: '/limited' });
  await limitedRow.getByText('Status 429').waitFor(FINISHED);
  expect(await limitedRow.textContent()).toContain('429, route shop, 2 attempts');
  await list.locator('.row', { hasText: '/gone' }).getByText('No response').waitFor(FINISHED);
  await page.getByRole('button', { name: 'No response' }).click();
  await limitedRow.waitFor({ state: 'detached' });
  await expect.poll(() => list.locator('.row').count()).toBe(1);
  await open('');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await attention.getByText('Status 429').waitFor(FINISHED);
  await attention.getByText('No response').waitFor(FINISHED);
  await attention.getByRole('link', { name: /limited$/ }).click();
  const attempts = page.getByRole('region', { name: 'Attempts' });
  await expect.poll(() => attempts.locator('.row').count()).toBe(2);
  await page.getByRole('region', { name: 'Request and response' }).getByText('Status 429').waitFor(FINISHED);
  expect(tabs.complaints).toEqual([]);
});
