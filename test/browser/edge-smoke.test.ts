/** The dashboard served by the Worker: it loads under its policy, shows what the objects store, and follows changes. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { openTabs } from '../support/dashboard-page.js';
import { type ServedEdge, serveEdgeForTest } from '../support/serve-edge.js';

let browser: Browser;
let server: ServedEdge;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  server = await serveEdgeForTest({}, { pages: true });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('pages load, lists follow changes, and a stream is read live', async () => {
  const tabs = await openTabs(browser, { url: server.url, path: '/ui/streams' });
  const { page, complaints } = tabs;
  await page.getByText('Live', { exact: true }).waitFor();
  const stream = `${server.url}/v1/stream/edge/notes`;
  const headers = { 'content-type': 'text/plain' };
  await fetch(stream, { method: 'PUT', headers, body: 'first line\n' });
  await page.getByRole('link', { name: 'edge/notes' }).click();
  await page.getByText('first line').waitFor();
  await fetch(stream, { method: 'POST', headers, body: 'second line\n' });
  await page.getByText('second line').waitFor();
  for (const name of ['Home', 'Compare', 'Audits', 'System']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.locator('h1').waitFor();
    await expect.poll(() => page.locator('.waiting').count()).toBe(0);
  }
  expect(await page.getByRole('button', { name: 'Start the demo' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await tabs.close();
});
