/**
 * A newcomer's first minutes: the link that the server prints, two clicks, a first result; later a fresh link from
 * `sonde login`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { FINISHED } from '../support/browser-context.js';
import { launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';

const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));

let browser: Browser;
let home: string;
let server: ChildProcess;
let link: URL;
let tabs: Tabs | undefined;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  home = mkdtempSync(join(tmpdir(), 'sonde-first-walk-'));
  server = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0'], { cwd: home, env: emptyHome() });
  link = await printedLink(server);
});
afterAll(async () => {
  await browser?.close();
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
  rmSync(home, { recursive: true, force: true });
});

function emptyHome(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '', HOME: home, UV_USE_IO_URING: '0' };
}

async function printedLink({ stdout }: ChildProcess): Promise<URL> {
  if (!stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: stdout })) {
    const found = /Log in\s+(\S+)/.exec(line)?.[1];
    if (found !== undefined) return new URL(found);
  }
  throw new Error('the server printed no link');
}

async function openLink(url: URL): Promise<Tabs> {
  tabs = await openTabs(browser, { url: url.origin, path: `/${url.hash}` });
  await tabs.page.waitForURL(`${url.origin}/ui`);
  return tabs;
}

const FIRST_RESULTS = [
  ['Compare the two shops', 'The candidate is worse'],
  ['Audit the site', 'Failed ('],
  ['Stream from the model', 'A sonde is an instrument'],
] as const;

test('the printed link, "Start the demo" and one click lead to each first result; `sonde login` logs in', async () => {
  const { page, complaints } = await openLink(link);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  for (const [click, result] of FIRST_RESULTS) {
    await page.getByRole('button', { name: click }).click();
    await page.getByText(result).first().waitFor(FINISHED);
    await page.goto(`${link.origin}/ui`);
  }
  expect(complaints).toEqual([]);
  await tabs?.close();
  const args = [PROGRAM, 'login', '--port', link.port];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: home, env: emptyHome() });
  const fresh = new URL(stdout.trim());
  const again = await openLink(fresh);
  await again.page.getByRole('heading', { name: 'Home' }).waitFor();
  await tabs?.close();
  tabs = await openTabs(browser, { url: fresh.origin, path: `/${fresh.hash}` });
  await tabs.page.getByText('This link no longer works').waitFor();
});
