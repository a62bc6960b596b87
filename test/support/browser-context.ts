/** The contexts in which tests open pages: how long they wait, and what is kept if a test fails. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { TestRunner } from 'vitest';

/** For what a page shows by itself. */
const SHOWN_MS = 15_000;
/** For work of the server, such as a comparison or an audit: `waitFor(FINISHED)`. */
export const FINISHED = { timeout: 60_000 } as const;
/** Loading takes longer while other tests start servers. */
const LOADED_MS = 60_000;
const FAILURES = fileURLToPath(new URL('../../test-failures/', import.meta.url));
const TEXT_CHARS = 1_500;

/** Keeps the state of the pages if the test that opens it fails. */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(SHOWN_MS);
  context.setDefaultNavigationTimeout(LOADED_MS);
  const test = TestRunner.getCurrentTest();
  if (!test) return context;
  const messages: string[] = [];
  context.on('weberror', (error) => messages.push(`page error: ${error.error().message}`));
  context.on('console', (message) => messages.push(`console ${message.type()}: ${message.text()}`));
  const close = context.close.bind(context);
  const keepIfFailed = async () => {
    if (test.result?.state === 'fail') await keepPages(context, test.fullName, messages);
  };
  // Tests close their context before Vitest calls the handler of a failure.
  context.close = async () => {
    await keepIfFailed();
    await close();
  };
  test.context.onTestFailed(keepIfFailed);
  return context;
}

/** Prints what each page shows and complained about, and keeps a screenshot. */
async function keepPages(context: BrowserContext, name: string, messages: string[]): Promise<void> {
  mkdirSync(FAILURES, { recursive: true });
  for (const [index, page] of context.pages().entries()) {
    const path = join(FAILURES, `${name.replaceAll(/[^\w]+/g, '-').slice(0, 100)}-${index}.png`);
    await page.screenshot({ path }).catch(() => undefined);
    const text = await page.innerText('body', { timeout: 1_000 }).catch(() => '');
    console.error([`${page.url()} (${path})`, ...messages, text.slice(0, TEXT_CHARS)].join('\n'));
  }
}
