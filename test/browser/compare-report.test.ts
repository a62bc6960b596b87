/** The HTML report of a comparison in a real browser: readable, self-contained, and without a serious axe violation. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { htmlReport } from '../../src/cli/reporters/html-report.js';
import { openContext } from '../support/browser-context.js';
import { axeViolations, launchChromium } from '../support/chromium.js';
import { demoReport } from '../support/demo-report.js';

let browser: Browser;
let suite: string;
let pair: string;
beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  suite = htmlReport(await demoReport());
  pair = htmlReport(await demoReport(['/old-shop']));
});
afterAll(() => browser?.close());

test.each([
  ['a suite', () => suite],
  ['one pair', () => pair],
])('is accessible in both themes, fits a phone and loads nothing: %s', async (_name, html) => {
  const page = await (await openContext(browser)).newPage();
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.setContent(html());
  for (const width of [1200, 380]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await axeViolations(page)).toEqual({ light: [], dark: [] });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  expect(asked).toEqual([]);
  await page.close();
});

test('loads nothing and runs nothing', () => {
  for (const html of [suite, pair]) {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(/i);
  }
});
