/** The demo of a server: what it offers, who may use it, and that it leaves nothing open. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mintToken } from '../../src/api/auth/mint-token.js';
import { DEMO_TOKENS } from '../../src/cli/demo/demo-model.js';
import { makeTenants, type ServedForTest, serveForTest } from '../support/serve.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

let server: ServedForTest;
let admin: string;
let reader: string;
let stranger: string;

beforeAll(async () => {
  server = await serveForTest({ auth: 'jwt', jwt: { secret: SECRET } });
  await makeTenants(server.dataDir, 'other');
  const mint = (tenant: string, ...scopes: string[]) =>
    mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 3_600 });
  admin = await mint('default', 'admin');
  reader = await mint('default', 'compare:read', 'compare:write');
  stranger = await mint('other', 'admin');
});
afterAll(() => server.stop());

const call = (token: string, method: string, path: string, body?: unknown) =>
  fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes, whose fields the tests name.
const json = async (response: Promise<Response>): Promise<any> => (await response).json();

test('is for administrators of the default tenant', async () => {
  expect(await json(call(admin, 'GET', '/api/demo'))).toEqual({ running: false });
  for (const token of [reader, stranger]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await call(token, method, '/api/demo')).status).toBe(403);
    }
  }
});

test('only the default tenant can use its shops, site and model, and only while it runs', async () => {
  const demo = await json(call(admin, 'POST', '/api/demo'));
  expect(demo).toMatchObject({ running: true, compare: { leftLabel: 'staging' }, model: { route: 'demo' } });
  expect(await json(call(admin, 'POST', '/api/demo'))).toEqual(demo);
  const { left: leftUrl, right: rightUrl, paths } = demo.compare;

  const suite = await json(call(admin, 'POST', '/api/suites', { leftUrl, rightUrl, paths, samples: 1 }));
  const audit = await json(call(admin, 'POST', '/api/audits', { url: demo.audit.url }));
  const streamed = await call(admin, 'POST', `/r/demo/${demo.model.path}`, demo.model.body);
  const events = (await streamed.text()).trim().split('\n\n');
  const words = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)).choices[0].delta.content);
  expect(words).toEqual(DEMO_TOKENS);
  expect(events.at(-1)).toBe('data: [DONE]');

  await vi.waitFor(
    async () => {
      expect(await json(call(admin, 'GET', `/api/suites/${suite.suiteId}`))).toMatchObject({
        status: 'completed',
        verdict: 'fail',
      });
      expect(await json(call(admin, 'GET', `/api/audits/${audit.auditId}`))).toMatchObject({
        status: 'done',
      });
    },
    { timeout: 50_000, interval: 200 },
  );
  const report = await json(call(admin, 'GET', `/api/audits/${audit.auditId}/report`));
  const failed = report.rules.filter((rule: { status: string }) => rule.status === 'fail');
  expect(failed.length).toBeGreaterThan(5);

  const refused = await call(stranger, 'POST', '/api/compare', { leftUrl, rightUrl, samples: 1 });
  expect(await refused.json()).toMatchObject({ error: { code: 'ssrf_blocked' } });
  const passed = await call(stranger, 'POST', `/r/demo/${demo.model.path}`, demo.model.body);
  expect(passed.ok).toBe(false);

  expect((await call(admin, 'DELETE', '/api/demo')).status).toBe(204);
  expect(await json(call(admin, 'GET', '/api/demo'))).toEqual({ running: false });
  await expect(fetch(leftUrl)).rejects.toThrow();
  const after = await call(admin, 'POST', '/api/audits', { url: demo.audit.url });
  expect(after.status).toBe(400);
  expect((await call(admin, 'POST', `/r/demo/${demo.model.path}`, demo.model.body)).status).toBe(404);
}, 60_000);
