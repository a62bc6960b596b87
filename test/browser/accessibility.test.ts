/** Pages that the other tests pass by: a server that has done nothing yet, wrong addresses, and the API console. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { axeViolations, launchChromium, pageFaults } from '../support/chromium.js';
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

test('pages without content say what belongs there, accessibly', async () => {
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

test('the API console is accessible, with an operation open as well', async () => {
  const { page, complaints, close } = await openTabs(browser, {
    url: server.url,
    path: '/docs/try',
  });
  // Half a megabyte of script takes its time on a busy machine.
  page.setDefaultTimeout(60_000);
  await page.locator('#operations-tag-Session').click();
  await page.locator('#operations-Session-getSession .opblock-summary-control').click();
  await page.getByRole('button', { name: 'Try it out' }).waitFor();
  expect(await axeViolations(page)).toEqual({ light: [], dark: [] });
  expect(complaints).toEqual([]);
  await close();
}, 120_000);
