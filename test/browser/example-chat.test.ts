/**
 * examples/chat in a browser, started as its page says: a reload in the middle of an answer loses and repeats nothing.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { FINISHED, openContext } from '../support/browser-context.js';
import { launchChromium } from '../support/chromium.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const TOKEN = 'service-token-of-the-example-of-a-chat';
const EXAMPLE = fileURLToPath(new URL('../../examples/chat/server.mjs', import.meta.url));

let browser: Browser;
let sonde: ServedForTest;
let chat: ChildProcessWithoutNullStreams;
let chatUrl = '';
let printed = '';

beforeAll(async () => {
  // The chat's port is not known yet when Sonde starts, so the pattern leaves it open.
  sonde = await serveForTest({
    auth: 'jwt',
    serviceTokens: [{ token: TOKEN, tenant: 'default', scopes: ['proxy:create'] }],
    proxy: { allow: ['private:http://127.0.0.1:*/api/chat'], routes: {}, env: () => undefined },
  });
  chat = spawn(process.execPath, [EXAMPLE], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', SONDE_SERVER: sonde.url, SONDE_TOKEN: TOKEN },
  });
  chat.stdout.on('data', (text) => {
    printed += text;
  });
  await once(chat.stdout, 'data');
  chatUrl = /open (\S+)/.exec(printed)?.[1] ?? '';
  browser = await launchChromium(inject('chromium'));
});

afterAll(async () => {
  await browser?.close();
  chat.kill();
  await once(chat, 'exit');
  await sonde?.stop();
});

/** Holds the first request for the settings back: until they arrive, the page cannot ask. */
async function holdSettings(page: Page): Promise<{ requested: Promise<void>; release: () => void }> {
  let request = () => {};
  let release = () => {};
  const requested = new Promise<void>((resolve) => {
    request = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    '**/settings',
    async (route) => {
      request();
      await released;
      await route.continue();
    },
    { times: 1 },
  );
  return { requested, release };
}

test('a question can be asked once the page is ready, its answer continues after a reload, and the model is called once', async () => {
  const page = await (await openContext(browser)).newPage();
  const ask = page.getByRole('button', { name: 'Ask' });
  const settings = await holdSettings(page);
  await page.goto(chatUrl);
  await settings.requested;
  expect(await ask.isVisible()).toBe(false);
  settings.release();
  await page.getByLabel('Your question').fill('Will this be lost?');
  await ask.click();
  const answer = page.locator('li.assistant');
  await answer.filter({ hasText: 'is the answer' }).waitFor(FINISHED);
  await page.reload();
  await answer.filter({ hasText: 'nothing is lost.' }).waitFor(FINISHED);
  const text = (await answer.textContent()) ?? '';
  expect(text.match(/You asked/g)).toHaveLength(1);
  expect(text).toMatch(/^You asked a question.* Nothing is asked twice, and nothing is lost\. $/);
  await ask.waitFor();
  await page.reload();
  await answer.filter({ hasText: 'nothing is lost.' }).waitFor(FINISHED);
  expect(printed.match(/asked: /g)).toHaveLength(1);
  await page.close();
});
