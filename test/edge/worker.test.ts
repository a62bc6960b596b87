import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedEdge, serveEdgeForTest } from '../support/serve-edge.js';

/** What the Worker itself decides, before the app and alongside it. */
const ASSETS = new URL('../../dist/edge/assets/', import.meta.url);
let open: ServedEdge;

beforeAll(async () => {
  open = await serveEdgeForTest({}, { pages: true });
});
afterAll(() => open.stop());

test("the landing page and the mark are static assets with the app's responses", async () => {
  expect(readdirSync(ASSETS).sort()).toEqual([
    '_headers',
    'dashboard',
    'favicon.svg',
    'landing-open.html',
    'landing.html',
  ]);
  const page = await fetch(open.url);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('x-request-id')).not.toBeNull();
  expect(await page.text()).toContain('without authentication');
  const icon = await fetch(`${open.url}/favicon.svg`);
  expect([icon.headers.get('content-type'), await icon.text()]).toEqual([
    'image/svg+xml',
    expect.stringContaining('<circle'),
  ]);
});

test.each(['/ui', '/docs'])('a dashboard page loads its assets: %s', async (path) => {
  const page = await fetch(`${open.url}${path}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const [asset = ''] = /\/ui\/assets\/[\w.-]+\.js/.exec(await page.text()) ?? [];
  const script = await fetch(`${open.url}${asset}`);
  expect([script.status, script.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('javascript'),
  ]);
  await script.body?.cancel();
});

test.each(['/landing.html', '/landing-open.html', '/_headers', '/index.html', '/dashboard/index.html'])(
  'an asset cannot be reached past the app: %s',
  async (path) => {
    const response = await fetch(`${open.url}${path}`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  },
);

test.each(['/', '/api/health', '/v1/stream/x', '/api/tenant'])(
  'without authentication every request through the platform is refused: %s',
  async (path) => {
    const response = await fetch(`${open.url}${path}`, { headers: { 'cf-ray': '8f0a1b2c3d4e5f60-FRA' } });
    expect([response.status, await response.json()]).toMatchObject([
      500,
      {
        error: {
          code: 'CONFIG_INVALID_VALUE',
          key: 'server.auth',
          message: expect.stringContaining('SONDE_AUTH'),
        },
      },
    ]);
  },
);

test('with authentication the responses are the same, and the page explains how to log in', async () => {
  const locked = await serveEdgeForTest({ SONDE_AUTH: 'jwt' }, { pages: true });
  const page = await fetch(locked.url, { headers: { 'cf-ray': '8f0a1b2c3d4e5f60-FRA' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Logging in')]);
  await locked.stop();
});
