/** What a user can decide on the pages (headers, presets, acceptance, cancel and retry), and the feedback meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { FINISHED } from '../support/browser-context.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';
import { type Listening, listenHttp } from '../support/listen.js';

/** The minutes of the server's last hour pass in a quarter of a second; everything else keeps its pace. */
const SHORT_MINUTES = `data:text/javascript,${encodeURIComponent(
  'const real = setInterval; globalThis.setInterval = (work, ms, ...rest) => real(work, ms === 60000 ? 250 : ms, ...rest);',
)}`;
const SUMMARY = 'The candidate seems to be an older build.';

type Side = 'left' | 'right';

let browser: Browser;
let sides: Record<Side, Listening>;
let site: Listening;
let model: Listening;
let data: string;
let server: BuiltServer;
let tabs: Tabs;
let page: Page;
/** The values of `x-visitor` that each side received. */
const visitors: Record<Side, Set<unknown>> = { left: new Set(), right: new Set() };
/** The last page of the site and the responses of the model wait while this is set. */
let held: (() => void)[] | undefined;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  sides = { left: await listenHttp(respondAs('left')), right: await listenHttp(respondAs('right')) };
  site = await listenHttp(respondAsSite);
  model = await listenHttp(respondAsModel);
  data = mkdtempSync(join(tmpdir(), 'sonde-controls-'));
  await loseWrites();
  server = await start();
});
afterAll(async () => {
  await browser?.close();
  await server?.kill();
  await Promise.all([sides.left, sides.right, site, model].map((listening) => listening?.close()));
  rmSync(data, { recursive: true, force: true });
});
beforeEach(async () => {
  tabs = await openTabs(browser, { url: server.url });
  page = tabs.page;
});
afterEach(async () => {
  release();
  expect(tabs.complaints).toEqual([]);
  await tabs.close();
});

function start(): Promise<BuiltServer> {
  const allowed = [sides.left, sides.right, site, model].map(({ origin }) => origin).join(',');
  const explain = ['--explain-base-url', model.origin, '--explain-model', 'reader'];
  const args = ['--allow-private', allowed, ...explain];
  return startBuiltServer({ folder: data, args, env: { NODE_OPTIONS: `--import=${SHORT_MINUTES}` } });
}

/** A server whose write log disappeared reports it until an operator has acted. */
async function loseWrites(): Promise<void> {
  server = await start();
  const stream = `${server.url}/v1/stream/notes/lost`;
  await fetch(stream, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'gone' });
  await server.kill();
  rmSync(join(data, 'sonde.db-wal'));
}

function release(): void {
  for (const go of held ?? []) go();
  held = undefined;
}

const mayGoOn = () => new Promise<void>((resolve) => (held ? held.push(resolve) : resolve()));

function respondAs(side: Side) {
  return (request: IncomingMessage, response: ServerResponse) => {
    visitors[side].add(request.headers['x-visitor']);
    const strict = { 'content-security-policy': "default-src 'self'", 'x-content-type-options': 'nosniff' };
    const headers = {
      'content-type': 'text/html',
      // An informational difference that cannot be accepted.
      'x-powered-by': side === 'left' ? 'Express' : 'nginx',
      'set-cookie': `session=1; Path=/; SameSite=Lax${side === 'left' ? '' : '; HttpOnly'}`,
      ...(side === 'right' && strict),
    };
    response.writeHead(200, headers).end('<!doctype html><title>Shop</title><h1>Shop</h1>');
  };
}

/** More pages than an audit reads before it first reports progress. */
const PAGES = Array.from({ length: 24 }, (_, n) => `/page/${n + 1}`);

/** The last page waits while `held` is set. */
async function respondAsSite({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = PAGES.indexOf(url);
  if (url !== '/' && at < 0) return void response.writeHead(404).end();
  if (at === PAGES.length - 1) await mayGoOn();
  const links = PAGES.map((path) => `<a href="${path}">${path}</a>`).join('');
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><html lang="en"><title>${url}</title><h1>${url}</h1>${links}</html>`);
}

async function respondAsModel(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  await mayGoOn();
  const explanation = { summary: SUMMARY, ranked_causes: [], actions: [] };
  const reply = { choices: [{ message: { content: JSON.stringify(explanation) } }] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

const open = (path: string) => page.goto(`${server.url}/ui${path}`);

async function fillSides(path: string): Promise<void> {
  await open('/compare/new');
  await page.getByLabel('Candidate URL').fill(`${sides.left.origin}${path}`);
  await page.getByLabel('Reference URL').fill(`${sides.right.origin}${path}`);
}

/** Compares the two sides with a preset; resolves when the findings are shown. */
async function compareSides(path: string, preset = 'Quick'): Promise<void> {
  await fillSides(path);
  await page.getByLabel(new RegExp(`^${preset}:`)).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
}

async function runAgain(): Promise<void> {
  const before = page.url();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.waitForURL((url) => url.pathname !== new URL(before).pathname);
}

test('each side gets its own headers, and none that were removed', async () => {
  await fillSides('/headers');
  for (const [side, value] of [
    ['Candidate', 'from the left'],
    ['Reference', 'from the right'],
  ] as const) {
    const fields = page.getByRole('group', { name: side });
    await fields.getByRole('button', { name: 'Add a header' }).click();
    await fields.getByLabel(`${side} header name`).fill('X-Visitor');
    await fields.getByLabel(`${side} header value`).fill(value);
  }
  const left = page.getByRole('group', { name: 'Candidate' });
  await left.getByRole('button', { name: 'Add a header' }).click();
  await left.getByLabel('Candidate header name').last().fill('X-Visitor');
  await left.getByLabel('Candidate header value').last().fill('removed');
  await left.getByRole('button', { name: 'Remove the header X-Visitor' }).last().click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
  expect([...visitors.left]).toEqual(['from the left']);
  expect([...visitors.right]).toEqual(['from the right']);
});

test('a preset decides how many samples are taken', async () => {
  await fillSides('/presets');
  expect(await page.getByLabel(/^Steady: 3 samples/).isChecked()).toBe(true);
  await compareSides('/presets', 'Timing');
  await page.getByText(/7 samples per side$/).waitFor(FINISHED);
  await page.getByRole('button', { name: 'Probes' }).click();
  await expect.poll(() => page.locator('.timing .dot').count()).toBe(14);
});

test('an undone acceptance changes nothing in the next comparison', async () => {
  await compareSides('/undo');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByText('Accepted from the next run on').waitFor();
  await page.getByRole('button', { name: 'Undo acceptance' }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await runAgain();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
  expect(await page.getByRole('button', { name: /accepted$/ }).count()).toBe(0);
});

test('all findings are accepted at once, after a confirmation', async () => {
  await compareSides('/all');
  const all = page.getByRole('button', { name: /^Accept all \(\d+\)$/ });
  const count = Number(/\d+/.exec(await all.innerText())?.[0]);
  expect(count).toBeGreaterThanOrEqual(2);
  await page.getByText('SERVER_STACK_DRIFT').click();
  await page.getByRole('heading', { name: /x-powered-by/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Accept', exact: true }).count()).toBe(0);
  await all.click();
  const dialog = page.getByRole('dialog', { name: `Accept ${count} findings?` });
  await dialog.getByRole('button', { name: 'Keep them open' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByText('Accepted from the next run on').count()).toBe(0);
  await all.click();
  await dialog.getByRole('button', { name: `Accept ${count}`, exact: true }).click();
  await page.getByText(`Accepted ${count} findings.`).waitFor();
  await runAgain();
  await page.getByText('No difference that matters').waitFor(FINISHED);
  await page.getByRole('button', { name: /^\d+ accepted$/ }).waitFor();
});

test('an explanation follows the facts, separate from them and labelled as an interpretation', async () => {
  held = [];
  await compareSides('/explained');
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText('An explanation is being written.').waitFor();
  const facts = () =>
    Promise.all(['.reasons', '.finding-list'].map((part) => page.locator(part).innerText()));
  const before = await facts();
  release();
  const explanation = verdict.locator('details', { hasText: 'an interpretation of the findings' });
  await explanation.getByText('Explanation: an interpretation of the findings, not a measurement').click();
  await explanation.getByText(SUMMARY).waitFor(FINISHED);
  expect(await facts()).toEqual(before);
  expect(await page.getByText(SUMMARY).count()).toBe(1);
});

test('a running audit shows how long it will take; a canceled one can be run again to its end', async () => {
  held = [];
  await open('/audits/new');
  await page.getByLabel('Address of the site').fill(site.origin);
  await page.getByRole('button', { name: 'Start the audit' }).click();
  const progress = page.getByRole('region', { name: 'Progress' });
  await progress.getByText(/^about \d+ (seconds?|minutes?) left$/).waitFor(FINISHED);
  await progress.getByText(/^[1-9]\d* pages read$/).waitFor(FINISHED);
  const latest = page.getByRole('region', { name: 'Latest' });
  await latest.getByText(`of ${PAGES.length + 1} pages`).waitFor(FINISHED);
  expect(await latest.getByText('crawl/').count()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('This audit was canceled').waitFor(FINISHED);
  const address = page.url();
  release();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('img', { name: /^Score \d+ of 100/ }).waitFor(FINISHED);
  expect(page.url()).toBe(address);
  await page.getByText(`${PAGES.length + 1} pages`, { exact: true }).waitFor(FINISHED);
});

test('the system page starts with its problems and plots the last hour', async () => {
  await open('/system');
  const first = page.locator('.page > section, .page > .grid').first();
  await first.getByText('Ready, but something needs attention').waitFor();
  await first.getByText('acknowledged writes were lost before').waitFor();
  await expect.poll(() => page.locator('.plot canvas').count(), { timeout: 30_000 }).toBe(4);
  const requests = page.getByRole('region', { name: 'Requests and errors per minute' });
  await requests.getByRole('img', { name: /^Requests: \d+ at the end; Errors: 0 at the end$/ }).waitFor();
  await requests.getByText('Errors', { exact: true }).waitFor();
});
