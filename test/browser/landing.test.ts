/** The landing page and the API page in a real browser, against a real server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { type RunningServer, startServer } from '../../src/runtimes/node/server/index.js';
import { FINISHED, openContext } from '../support/browser-context.js';
import { axeViolations, launchChromium } from '../support/chromium.js';
import { serveOptions } from '../support/serve.js';

const data = mkdtempSync(join(tmpdir(), 'sonde-landing-'));
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  server = await serve('jwt', 'kept');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});
beforeEach(() => {
  complaints = [];
});
afterEach(() => context?.close());

function serve(auth: 'jwt' | 'none', folder: string, port = 0): Promise<RunningServer> {
  return startServer(serveOptions(join(data, folder), { port, auth, bodyBytesMax: 1024, drainMs: 1000 }));
}

/** Opens a page and records everything the browser complains about, including policy violations. */
async function openPage({ url } = server): Promise<Page> {
  context = await openContext(browser, { colorScheme: 'light', viewport: { width: 1180, height: 860 } });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`outside request: ${request.url()}`);
  });
  return page;
}

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const LIGHT = 'rgb(251, 250, 247)';
const DARK = 'rgb(15, 22, 29)';

const NO_VIOLATIONS = { light: [], dark: [] };

test.each([
  ['/', 'Ready'],
  ['/docs', 'Get the OpenAPI document'],
])('%s is shown, accessible and free of browser errors in both themes', async (path, words) => {
  const page = await openPage();
  await page.goto(`${server.url}${path}`);
  await page.getByText(words, { exact: true }).first().waitFor(FINISHED);
  expect(await background(page)).toBe(LIGHT);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => background(page)).toBe(DARK);
  expect(await axeViolations(page)).toEqual(NO_VIOLATIONS);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(complaints).toEqual([]);
});

test('the reference finds an operation by its words, and a link opens one', async () => {
  const page = await openPage();
  await page.goto(`${server.url}/docs`);
  const operations = page.locator('.opblock');
  await operations.first().waitFor();
  const all = await operations.count();
  const search = page.getByLabel('Find an operation');
  await search.fill('baseline accept');
  await expect.poll(() => operations.count()).toBeLessThan(all / 4);
  await page.goto('about:blank');
  await page.goto(`${server.url}/docs#createComparison`);
  await page.locator('#operations-Comparisons-createComparison.is-open').waitFor();
  expect(complaints).toEqual([]);
});

test('the theme switch overrides the system and is remembered', async () => {
  const page = await openPage();
  await page.goto(server.url);
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await background(page)).toBe(DARK);
  await page.goto(`${server.url}/docs`);
  await expect.poll(() => background(page)).toBe(DARK);
  await page.goto(server.url);
  expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  await page.getByRole('radio', { name: 'System' }).check();
  expect(await background(page)).toBe(LIGHT);
  expect(complaints).toEqual([]);
});

test('a login link works once and disappears from the address bar', async () => {
  const page = await openPage();
  await page.goto(server.loginUrl ?? '');
  await page.waitForURL(`${server.url}/ui`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: 'sonde_session', httpOnly: true, sameSite: 'Strict', path: '/' });
  const status = await page.evaluate(async () => (await fetch('api/session', { method: 'DELETE' })).status);
  expect(status).toBe(204);
  expect(await context.cookies()).toEqual([]);

  await page.goto('about:blank');
  complaints = [];
  await page.goto(server.loginUrl ?? '');
  await page.getByText('This link no longer works').waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  expect(await context.cookies()).toEqual([]);
  expect(await axeViolations(page)).toEqual(NO_VIOLATIONS);
  // The browser itself reports the 401 that the page then explains.
  expect(complaints).toEqual([expect.stringContaining('401')]);
});

test('a server that stops responding is reported, and found again', async () => {
  const stopping = await serve('jwt', 'stopped');
  const page = await openPage(stopping);
  await page.goto(stopping.url);
  await page.getByText('Ready', { exact: true }).waitFor(FINISHED);
  const { port } = new URL(stopping.url);
  await stopping.stop();
  await page.evaluate(() => document.getElementById('again')?.click());
  await page.getByText('No response', { exact: true }).waitFor(FINISHED);
  expect(await axeViolations(page)).toEqual(NO_VIOLATIONS);
  const again = await serve('jwt', 'stopped', Number(port));
  onTestFinished(async () => void (await again.stop()));
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('Ready', { exact: true }).waitFor(FINISHED);
  expect(await page.getByRole('button', { name: 'Check again' }).isVisible()).toBe(false);
});

test('without authentication the page says so', async () => {
  const open = await serve('none', 'open');
  onTestFinished(async () => void (await open.stop()));
  const page = await openPage(open);
  await page.goto(open.url);
  await page.getByText('Ready', { exact: true }).waitFor(FINISHED);
  await page.getByText('runs without authentication').waitFor();
  expect(complaints).toEqual([]);
});
