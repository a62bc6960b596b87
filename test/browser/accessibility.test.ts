/** Pages that the other tests do not visit: a server that has done nothing yet, and wrong addresses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { launchChromium, pageFaults } from '../support/chromium.js';
import { openTabs } from '../support/dashboard-page.js';

const EMPTY = ['', '/compare', '/audits', '/streams', '/system'];
const WRONG = [
  '/compare/none',
  '/audits/none',
  '/suites/none',
  '/responses/none',
  '/stream/none',
  '/nowhere',
];
const FILTERED = ['/compare?q=none', '/audits?q=none', '/audits?status=failed', '/streams?q=none'];

let browser: Browser;
let data: string;
let server: BuiltServer;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  data = mkdtempSync(join(tmpdir(), 'sonde-accessibility-'));
  server = await startBuiltServer({ folder: data });
});
afterAll(async () => {
  await browser?.close();
  await server?.kill();
  rmSync(data, { recursive: true, force: true });
});

test('empty pages explain what belongs there, accessibly', async () => {
  const { page, complaints, close } = await openTabs(browser, { url: server.url });
  const faults: Record<string, unknown> = {};
  for (const path of [...EMPTY, ...FILTERED, ...WRONG]) {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`${server.url}/ui${path}`);
    await page.locator('.blank-title:not(.waiting)').first().waitFor();
    const fault = await pageFaults(page);
    if (fault) faults[path] = fault;
  }
  expect(faults).toEqual({});
  expect(complaints).toEqual([]);
  await close();
});

test('seven tabs load and stay usable', async () => {
  const { context, page: first, close } = await openTabs(browser, { url: server.url, path: '/ui' });
  const pages = [first];
  for (let n = 0; n < 6; n += 1) {
    const page = await context.newPage();
    await page.goto(`${server.url}/ui`);
    pages.push(page);
  }
  for (const page of pages) await page.getByText('This server is accepting requests.').waitFor();
  await first.getByRole('link', { name: 'Audits', exact: true }).click();
  await first.getByText('No site has been audited yet').waitFor();
  await close();
});
