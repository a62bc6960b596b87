/** Pages of the dashboard in a test's browser, with everything the browser complained about while they were open. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openContext } from './browser-context.js';
import { complaintsOf } from './chromium.js';

export interface Tabs {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface TabsOptions {
  readonly url: string;
  /** The page to load; without it the tab stays blank. */
  readonly path?: string;
}

export async function openTabs(browser: Browser, { url, path }: TabsOptions): Promise<Tabs> {
  const context = await openContext(browser, {
    colorScheme: 'light',
    viewport: { width: 1280, height: 860 },
  });
  const page = await context.newPage();
  const complaints = complaintsOf(page, url);
  if (path !== undefined) await page.goto(`${url}${path}`);
  return { context, page, complaints, close: () => context.close() };
}
