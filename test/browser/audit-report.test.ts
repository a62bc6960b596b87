/** The HTML report in a real browser: no serious axe violation in either theme, nothing loaded, printable. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { renderHtml } from '../../src/audits/index.js';
import { openContext } from '../support/browser-context.js';
import { axeViolations, launchChromium } from '../support/chromium.js';
import { sampleReport } from '../support/sample-report.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
});
afterAll(() => browser?.close());

test('has no serious axe violation in either theme, and loads nothing', async () => {
  const context = await openContext(browser, { viewport: { width: 1100, height: 1400 } });
  try {
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent(renderHtml(sampleReport()));
    expect(await axeViolations(page)).toEqual({ light: [], dark: [] });
    expect(requests.filter((url) => !url.startsWith('about:') && !url.startsWith('data:'))).toEqual([]);
  } finally {
    await context.close();
  }
});

test('fits a phone: nothing overflows, and every URL and code is a link', async () => {
  const context = await openContext(browser, { viewport: { width: 390, height: 800 } });
  try {
    const page = await context.newPage();
    await page.setContent(renderHtml(sampleReport()));
    const { overflow, narrow, links } = (await page.evaluate(`({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      narrow: [...document.querySelectorAll('.issues p')].filter((each) => each.clientWidth < 250).length,
      links: [...document.querySelectorAll('a')].map((each) => each.getAttribute('href')),
    })`)) as { overflow: number; narrow: number; links: string[] };
    expect([overflow, narrow]).toEqual([0, 0]);
    expect(links.some((href) => href === 'https://www.example.com/a')).toBe(true);
    expect(links.some((href) => href.endsWith('/docs/audit-rules/desc.present.md'))).toBe(true);
  } finally {
    await context.close();
  }
});

test('prints as a document of a few pages', async () => {
  const page = await (await openContext(browser)).newPage();
  try {
    await page.setContent(renderHtml(sampleReport()));
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThan(12);
  } finally {
    await page.close();
  }
});
