/**
 * What the pages offer beyond their first view, with the demo as content: filters, history, plots, views and shortcuts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { FINISHED } from '../support/browser-context.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';

interface Demo {
  readonly compare: { left: string; right: string; leftLabel: string; rightLabel: string; paths: string[] };
  readonly audit: { url: string };
  readonly model: { route: string; path: string; body: unknown };
}

let browser: Browser;
let data: string;
let server: BuiltServer;
let demo: Demo;
let tabs: Tabs;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  data = mkdtempSync(join(tmpdir(), 'sonde-details-'));
  server = await startBuiltServer({ folder: data, args: ['--demo'] });
  demo = (await call('/api/demo')) as Demo;
});
afterAll(async () => {
  await browser?.close();
  await server?.kill();
  rmSync(data, { recursive: true, force: true });
});
beforeEach(async () => {
  tabs = await openTabs(browser, { url: server.url });
  page = tabs.page;
  await tabs.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterEach(async () => {
  await tabs.close();
});

async function call(path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

function sides(path = '') {
  const { left, right, leftLabel, rightLabel } = demo.compare;
  const at = (base: string) => new URL(path, base).href;
  return { leftUrl: at(left), rightUrl: at(right), leftLabel, rightLabel, samples: 1 };
}

async function compareOnce(path: string): Promise<string> {
  const { comparisonId } = (await call('/api/compare', sides(path))) as { comparisonId: string };
  const status = async () => ((await call(`/api/compare/${comparisonId}`)) as { status: string }).status;
  await expect.poll(status, { timeout: 30_000 }).toBe('completed');
  return comparisonId;
}

async function auditOnce(): Promise<string> {
  const { auditId } = (await call('/api/audits', { url: demo.audit.url })) as { auditId: string };
  const status = async () => ((await call(`/api/audits/${auditId}`)) as { status: string }).status;
  await expect.poll(status, { timeout: 60_000 }).toBe('done');
  return auditId;
}

const open = (path: string) => page.goto(`${server.url}/ui${path}`);
const copied = () => page.evaluate(() => navigator.clipboard.readText());

test('findings can be filtered by the URL, walked by keys, and copied as links and commands', async () => {
  const id = await compareOnce('/');
  await open(`/compare/${id}`);
  const list = page.getByRole('region', { name: 'Findings' });
  await page.getByRole('button', { name: 'Info', exact: true }).click();
  await expect.poll(() => page.url()).toContain('sev=info');
  await list.getByText('COOKIE_FLAGS_DRIFT').waitFor({ state: 'detached' });
  await page.reload();
  await list.getByText('BUILD_VERSION_DRIFT').waitFor();
  expect(await list.getByText('COOKIE_FLAGS_DRIFT').count()).toBe(0);
  await page.getByRole('button', { name: 'Info', exact: true }).click();
  await list.getByText('COOKIE_FLAGS_DRIFT').waitFor();
  await page.getByRole('heading', { name: 'Comparison' }).click();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'staging lacks content-security-policy' }).waitFor();
  await page.getByRole('button', { name: 'Copy curl for staging' }).click();
  expect(await copied()).toMatch(/^curl .*http:\/\/127\.0\.0\.1:\d+/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.goto(await copied());
  await page.getByRole('heading', { name: 'staging lacks content-security-policy' }).waitFor();
  expect(tabs.complaints).toEqual([]);
});

test('probes show every sample, redirects hop by hop, and the pair its history', async () => {
  const id = await compareOnce('/old-shop');
  await compareOnce('/old-shop');
  await open(`/compare/${id}?tab=probes`);
  await page.getByRole('heading', { name: 'Time to the response headers' }).waitFor();
  expect(await page.locator('.timing .dot').count()).toBeGreaterThanOrEqual(2);
  await page.locator('.chain .hop').first().waitFor();
  await page.getByRole('link', { name: 'History of the pair' }).click();
  await page.getByRole('heading', { name: 'What appeared and disappeared' }).waitFor();
  await page.getByRole('cell', { name: 'still there' }).first().waitFor();
  await page.getByRole('link', { name: /^Run 2:/ }).waitFor();
  expect(tabs.complaints).toEqual([]);
});

test('the first page and the list of comparisons show a suite once, without the comparisons it made', async () => {
  const { suiteId } = (await call('/api/suites', { ...sides(), paths: ['/health', '/account'] })) as {
    suiteId: string;
  };
  const status = async () => ((await call(`/api/suites/${suiteId}`)) as { status: string }).status;
  await expect.poll(status, { timeout: 30_000 }).toBe('completed');
  await open('/compare');
  await page.getByRole('region', { name: 'Suites' }).getByText('2 of 2 paths').waitFor(FINISHED);
  expect(await page.getByText('/account').count()).toBe(0);
  await open('');
  const latest = page.getByRole('region', { name: 'Latest' });
  await latest.getByText(/, 2 paths$/).waitFor(FINISHED);
  expect(await page.getByText('/account').count()).toBe(0);
  await latest.getByText(/, 2 paths$/).click();
  await page.getByRole('link', { name: '/account' }).waitFor();
});

test('an audit shows the changes since the last one, plots the score and offers its report as files', async () => {
  await auditOnce();
  const id = await auditOnce();
  await open(`/audits/${id}?tab=changes`);
  await page.getByText('Still there: ').waitFor();
  await page.locator('.plot canvas').waitFor();
  for (const name of ['HTML', 'Markdown', 'CSV', 'JSON']) {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name, exact: true }).click();
    expect((await download).suggestedFilename()).toContain(id);
  }
  expect(tabs.complaints).toEqual([]);
});

test('a stream is shown as JSON, text and bytes, from any offset, and can be paused', async () => {
  const path = `${server.url}/v1/stream/notes/views`;
  const headers = { 'content-type': 'application/json' };
  await fetch(path, { method: 'PUT', headers });
  const append = (n: number) => fetch(path, { method: 'POST', headers, body: JSON.stringify({ n }) });
  for (let n = 1; n <= 60; n += 1) await append(n);
  const middle = (await append(61)).headers.get('stream-next-offset') ?? '';
  await append(62);
  await open('/stream/notes/views');
  const list = page.getByRole('region', { name: 'JSON messages' });
  await list.getByText('{"n":62}').waitFor();
  await page.getByRole('button', { name: 'Following' }).click();
  await append(63);
  await page.getByText('Following live').waitFor();
  await page.getByRole('button', { name: 'Paused: resume' }).click();
  await list.getByText('{"n":63}').waitFor();
  await page.getByRole('button', { name: 'Hex' }).click();
  await page.getByRole('region', { name: 'Bytes' }).waitFor();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('region', { name: 'Text' }).waitFor();
  await open('/stream/notes/views');
  await page.getByLabel('Offset to read from').fill(middle);
  await page.getByRole('button', { name: 'Go to offset' }).click();
  await list.getByText('{"n":62}').waitFor();
  expect(await list.getByText('{"n":61}').count()).toBe(0);
  expect(page.url()).toContain('offset=');
  expect(tabs.complaints).toEqual([]);
});

test('a response has its events, its timing and a replay of every word', async () => {
  const { route, path, body } = demo.model;
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const sent = await fetch(`${server.url}/r/${route}/${path}`, init);
  await sent.text();
  const id = new URL(sent.headers.get('stream-location') ?? '', server.url).pathname.split('/').at(-1);
  await open(`/responses/${id}?view=events`);
  await page.getByRole('region', { name: 'Server-sent events' }).getByText('message').first().waitFor();
  await page.getByText('to the first token').waitFor();
  await page.getByRole('img', { name: /^First byte after .* records$/ }).waitFor();
  await page.getByRole('button', { name: 'Assembled' }).click();
  const whole = (await page.locator('.assembled').first().innerText()).trim();
  await page.getByRole('button', { name: 'Replay from the start' }).click();
  const replayed = page.locator('.replay .assembled');
  await expect.poll(async () => (await replayed.innerText()).trim().length).toBeGreaterThan(0);
  const early = (await replayed.innerText()).trim();
  expect(whole.startsWith(early)).toBe(true);
  expect(early.length).toBeLessThan(whole.length);
  await expect.poll(async () => (await replayed.innerText()).trim(), { timeout: 60_000 }).toBe(whole);
  await page.getByRole('button', { name: 'Copy resume URL' }).click();
  expect(await copied()).toContain(`/v1/proxy/${id}?offset=`);
  expect(tabs.complaints).toEqual([]);
});

test('keys open pages and focus the filter, until they are switched off', async () => {
  await open('/system');
  await page.getByRole('heading', { name: 'System' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Streams and responses' }).waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByLabel('Use single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  expect(await dialog.isVisible()).toBe(false);
  expect(page.url()).toContain('/ui/streams');
});
