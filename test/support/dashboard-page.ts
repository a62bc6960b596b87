/** Pages of the dashboard in a test's browser, and what the browser complained about while they were open. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { complaintsOf } from './chromium.js';

export interface Tabs {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface TabsOptions {
  readonly url: string;
  readonly path?: string;
  readonly colorScheme?: 'light' | 'dark';
}

export async function openTabs(
  browser: Browser,
  { url, path = '/ui', colorScheme = 'light' }: TabsOptions,
): Promise<Tabs> {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const complaints = complaintsOf(page, url);
  await page.goto(`${url}${path}`);
  return { context, page, complaints, close: () => context.close() };
}
