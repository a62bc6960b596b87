/** The HTML report of a comparison in a real browser: readable, self-contained, and no serious violation of axe. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { htmlReport } from '../../src/cli/reporters/html-report.js';
import { demoReport } from '../support/demo-report.js';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let suite: string;
let pair: string;
beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  suite = htmlReport(await demoReport());
  pair = htmlReport(await demoReport(['/old-shop']));
});
afterAll(() => browser?.close());

async function open(
  html: string,
  options: { dark?: boolean; width?: number } = {},
): Promise<{ page: Page; asked: string[] }> {
  const asked: string[] = [];
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1200, height: 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    // The page's own policy would keep axe out; that the page has one is tested apart.
    bypassCSP: true,
  });
  page.on('request', (request) => void asked.push(request.url()));
  await page.setContent(html);
  return { page, asked };
}

const CASES: readonly [string, () => string, { dark?: boolean; width?: number }][] = [
  ['a suite', () => suite, {}],
  ['a suite in the dark', () => suite, { dark: true }],
  ['one pair', () => pair, {}],
  ['one pair on a phone', () => pair, { width: 380 }],
];

test.each(CASES)('axe finds nothing serious: %s', async (name, html, options) => {
  const { page, asked } = await open(html(), options);
  expect(asked).toEqual([]);
  const folder = process.env['SONDE_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}.png`, fullPage: true });
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string }[] }> };
    };
    return (await axe.run()).violations.map(({ id, impact }) => `${impact} ${id}`);
  });
  expect(violations.filter((violation) => /^(?:serious|critical)/.test(violation))).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.close();
});

test('loads nothing and runs nothing', () => {
  for (const html of [suite, pair]) {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(/i);
  }
});
