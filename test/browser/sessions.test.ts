/** Who is logged in, and what others see: sessions, tenants and scopes in a real browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { Settings } from '../../src/config/settings.js';
import { type RunningServer, startServer } from '../../src/runtimes/node/server/index.js';
import { loginLink } from '../../src/runtimes/node/server/login-link.js';
import { axeViolations, launchChromium } from '../support/chromium.js';
import { openTabs, type Tabs } from '../support/dashboard-page.js';
import { makeTenants, serveOptions } from '../support/serve.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

let browser: Browser;
const data = mkdtempSync(join(tmpdir(), 'sonde-sessions-'));
let server: RunningServer;
let tabs: Tabs | undefined;

beforeAll(async () => {
  browser = await launchChromium(inject('chromium'));
  server = await startServer(serveOptions(data, { auth: 'jwt', jwt: { secret: SECRET } }));
  await makeTenants(data, 'other');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});
afterEach(async () => {
  await tabs?.close();
  tabs = undefined;
});

const mint = (tenant: string, ...scopes: string[]) =>
  mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 3_600 });

async function makeStream(tenant: string, path: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/stream/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await mint(tenant, 'admin')}`, 'content-type': 'text/plain' },
    body: 'a secret of the tenant',
  });
  expect(response.status).toBe(201);
}

async function logIn(token: string, path = '/ui'): Promise<Tabs> {
  tabs = await openTabs(browser, { url: server.url, path });
  await tabs.page.getByLabel('Token').fill(token);
  await tabs.page.getByRole('button', { name: 'Log in' }).click();
  return tabs;
}

/** A link works once, so each test has its own. */
async function openLink(link: string): Promise<Tabs> {
  tabs = await openTabs(browser, { url: server.url, path: `/${new URL(link).hash}` });
  await tabs.page.waitForURL(`${server.url}/ui`);
  return tabs;
}

/** Creates a link like `sonde login`. */
function makeLink(): Promise<string> {
  const { hostname: host, port } = new URL(server.url);
  return loginLink({ server: { auth: 'jwt', data, host, port: Number(port) } } as Settings);
}

test('the printed link logs in, and logging out ends the session', async () => {
  const { page, context, complaints } = await openLink(server.loginUrl ?? '');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'default' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in to Sonde' }).waitFor();
  expect(await context.cookies()).toEqual([]);
  await page.goto(`${server.url}/ui/streams`);
  await page.getByRole('heading', { name: 'Log in to Sonde' }).waitFor();
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});

test('a wrong token is refused with an explanation', async () => {
  const { page } = await logIn('not a token');
  await page.getByText('The server does not accept this token').waitFor();
});

test('another tenant sees nothing of this one, and its own changes as they happen', async () => {
  await makeStream('default', 'private/plan');
  const { page } = await logIn(await mint('other', 'admin'), '/ui/streams');
  await page.getByRole('heading', { name: 'Streams' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await makeStream('default', 'private/second');
  await makeStream('other', 'own/notes');
  await page.getByText('own/notes').waitFor();
  expect(await page.getByText('private/').count()).toBe(0);
  // Navigates within the tab, because a reload would lose the token.
  await page.evaluate(() => {
    history.pushState(null, '', '/ui/stream/private/plan');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page
    .getByText(/Could not find|Cannot be read/)
    .first()
    .waitFor();
  expect(await page.getByText('a secret of the tenant').count()).toBe(0);
});

test('actions that a scope forbids are not offered', async () => {
  const { page } = await logIn(await mint('default', 'stream:read'));
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('link', { name: 'Streams', exact: true }).waitFor();
  for (const name of ['Compare', 'Audits', 'System']) {
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
  }
  expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Start the demo' }).count()).toBe(0);
});

test('seven tabs share one feed, and when the first closes another takes over', async () => {
  let feeds = 0;
  const { context, page: first } = await openLink(await makeLink());
  await first.getByText('Live', { exact: true }).waitFor();
  context.on('request', (request) => {
    if (request.url().endsWith('/api/changes')) feeds += 1;
  });
  const others = [];
  for (let n = 0; n < 6; n += 1) {
    const page = await context.newPage();
    await page.goto(`${server.url}/ui/streams`);
    others.push(page);
  }
  for (const page of others) await page.getByText('Live', { exact: true }).waitFor();
  expect(feeds).toBe(0);
  await makeStream('default', 'shared/one');
  for (const page of others) await page.getByText('shared/one').waitFor();
  await first.close();
  await expect.poll(() => feeds).toBe(1);
  await makeStream('default', 'shared/two');
  for (const page of others) await page.getByText('shared/two').waitFor();
});

test("the API page sends requests with the session's rights, and is accessible", async () => {
  const { page, complaints } = await openLink(await makeLink());
  await page.goto(`${server.url}/docs`);
  const operation = page.locator('#operations-Session-getSession');
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).waitFor();
  expect(await axeViolations(page)).toEqual({ light: [], dark: [] });
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.getByText('"via": "session"').first().waitFor();
  expect(complaints).toEqual([]);
});
