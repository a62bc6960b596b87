/** The running demo: from the first screen to every result, in a real browser against the built server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { DEMO_TOKENS } from '../../src/cli/demo/demo-model.js';
import { FINISHED } from '../support/browser-context.js';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';

const ALL_WORDS = DEMO_TOKENS.map((token) => token.trim());

let browser: Browser;
const data = mkdtempSync(join(tmpdir(), 'sonde-demo-'));
let server: BuiltServer;
let tabs: Tabs;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  server = await start();
});
afterAll(async () => {
  await browser?.close();
  await server?.kill();
  rmSync(data, { recursive: true, force: true });
});

beforeEach(async () => {
  // A test that kills the server may have failed before it restarted it.
  if (!server.isRunning()) server = await start();
  await fetch(`${server.url}/api/demo`, { method: 'POST' });
  tabs = await openTabs(browser, { url: server.url, path: '/ui' });
  page = tabs.page;
});
afterEach(() => tabs.close());

function start(port = 0): Promise<BuiltServer> {
  return startBuiltServer({ folder: data, args: ['--port', String(port)] });
}

test('one click leads to a comparison of the shops that names the planted drifts', async () => {
  await page.getByRole('button', { name: 'Compare the two shops' }).click();
  await page.getByText('The candidate is worse').waitFor(FINISHED);
  await page.getByRole('link', { name: '/account' }).click();
  const list = page.getByRole('region', { name: 'Findings' });
  await list.getByText('AUTH_GATE_DRIFT').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: '/', exact: true }).click();
  for (const code of ['COOKIE_FLAGS_DRIFT', 'SECURITY_HEADER_MISSING', 'ASSET_BROKEN']) {
    await list.getByText(code).first().waitFor();
  }
  expect(tabs.complaints).toEqual([]);
});

test('the site is audited with progress, and the report names the planted faults', async () => {
  await page.getByRole('button', { name: 'Audit the site' }).click();
  await page.waitForURL(/\/ui\/audits\/[^/]+$/);
  const seen = new Set<number>();
  const score = page.getByRole('img', { name: /^Score \d+ of 100/ });
  const bar = page.getByRole('progressbar');
  await expect
    .poll(
      async () => {
        const value = await bar.getAttribute('value', { timeout: 100 }).catch(() => null);
        if (value !== null) seen.add(Number(value));
        return score.isVisible();
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(true);
  expect(seen.size).toBeGreaterThanOrEqual(2);
  for (const fault of ['broken', 'title'])
    await page.getByText(new RegExp(fault, 'i')).first().waitFor(FINISHED);
  expect(tabs.complaints).toEqual([]);
});

async function streamFromModel(): Promise<void> {
  await page.getByRole('button', { name: 'Stream from the model' }).click();
  await page.getByRole('heading', { name: /^Response/ }).waitFor();
  await page.getByText(ALL_WORDS.slice(0, 5).join(' ')).first().waitFor(FINISHED);
}

const shownWords = async (): Promise<string[]> =>
  (await page.locator('.assembled').first().innerText()).trim().split(/\s+/);

test('a network failure and a closed tab neither lose nor double a word of the model', async () => {
  await streamFromModel();
  await tabs.context.setOffline(true);
  await page.getByText('Connection lost, resuming').waitFor(FINISHED);
  await tabs.context.setOffline(false);
  await page.getByText('Following live').waitFor();
  const address = page.url();
  await page.close();
  page = await tabs.context.newPage();
  await page.goto(address);
  await page.getByText('Complete', { exact: true }).waitFor(FINISHED);
  expect(await shownWords()).toEqual(ALL_WORDS);
});

test('a killed server returns with every word that it had shown, once, and reports the cut-off response', async () => {
  await streamFromModel();
  const { port } = new URL(server.url);
  await server.kill();
  await page.getByText('The server cannot be reached.').waitFor(FINISHED);
  const before = await shownWords();
  server = await start(Number(port));
  await page.getByText('Cut off', { exact: true }).waitFor(FINISHED);
  await page.getByText('The server was stopped while the upstream was sending').waitFor(FINISHED);
  const after = await shownWords();
  expect(after).toEqual(ALL_WORDS.slice(0, after.length));
  expect(after.length).toBeGreaterThanOrEqual(before.length);
  expect(after.length).toBeLessThan(ALL_WORDS.length);
});

test('stopping the demo keeps its results, and the first screen offers nothing that is gone', async () => {
  await streamFromModel();
  await page.getByRole('button', { name: 'Abort', exact: true }).click();
  await page.getByText('Aborted').first().waitFor(FINISHED);
  await page.goto(`${server.url}/ui`);
  await page.getByRole('button', { name: 'Stop the demo' }).click();
  await page.getByRole('heading', { name: 'The demo is running' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Streams', exact: true }).click();
  await page.getByText('/v1/chat/completions').first().waitFor();
});
