/**
 * One tenant hits every limit at once. The other is never refused, and no response reveals that another tenant exists.
 * `npm run faults -- shares` measures the latency of the other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUOTA_NAMES } from '../../src/jobs/tenant.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { serveRecords } from '../support/serve-engine.js';
import { LIMITS, quotasFor, type TenantClient, tenantClient } from '../support/tenant-limits.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const LIMIT = 3;
const QUOTAS = quotasFor(LIMIT);

let upstream: Listening;
let server: ServedForTest;
let greedy: TenantClient;
let modest: TenantClient;
/** Responses that have started, or not even that, and never end on their own. */
const slow: ServerResponse[] = [];
let onSilent: () => void = () => {};
const silentArrived = () =>
  new Promise<void>((resolve) => {
    onSilent = resolve;
  });
beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    if (request.url === '/silent') onSilent();
    if (request.url === '/silent') return void slow.push(response);
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (request.url !== '/slow') return response.end('hello');
    response.write('begun');
    return void slow.push(response);
  });
  server = await serveRecords(
    { tenants: { greedy: QUOTAS, modest: QUOTAS } },
    {
      auth: 'jwt',
      jwt: { secret: SECRET },
      publicUrl: 'https://sonde.example.com',
      // No reader may give up its slot before the test has checked, however slow the machine is.
      sseMs: 3_600_000,
      net: { allowPrivate: [upstream.origin] },
      proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
    },
  );
  const options = { url: server.url, secret: SECRET, upstream: upstream.origin, silentArrived };
  greedy = await tenantClient({ ...options, tenant: 'greedy' });
  modest = await tenantClient({ ...options, tenant: 'modest' });
});
afterAll(async () => {
  for (const response of slow) response.destroy();
  greedy?.leave();
  modest?.leave();
  await server?.stop();
  await upstream?.close();
});

test('every quota is limited here', () => {
  expect(Object.keys(QUOTAS).sort()).toEqual([...QUOTA_NAMES].sort());
});

describe('one tenant at every limit at once', () => {
  test('gets what its quotas allow and no more', async () => {
    for (const { name, take, code } of LIMITS) {
      const made: number[] = [];
      for (let n = 0; n < LIMIT; n++) made.push((await take(greedy, n, LIMIT)).status);
      expect([name, ...made.map((status) => status < 300)]).toEqual([name, true, true, true]);
      const refusal = await take(greedy, LIMIT, LIMIT);
      const { error } = JSON.parse(await refusal.text());
      expect([name, refusal.status, error.code]).toEqual([name, 429, code]);
    }
  });

  test('leaves the other its full quotas', async () => {
    for (const { name, take } of LIMITS) {
      for (let n = 0; n < LIMIT; n++) {
        const { status } = await take(modest, n, LIMIT);
        expect([name, n, status < 300]).toEqual([name, n, true]);
      }
      expect((await take(modest, LIMIT, LIMIT)).status).toBe(429);
    }
  });

  test('learns nothing about the other from a refusal', async () => {
    for (const { take } of LIMITS) {
      const refusals = await Promise.all([take(greedy, 99, LIMIT), take(modest, 99, LIMIT)]);
      const [one, other] = await Promise.all(refusals.map((response) => response.text()));
      expect(one).toBe(other);
      expect(one).not.toMatch(/modest|greedy|server|all tenants/);
    }
  });

  test('sees nothing of the server as a whole', async () => {
    expect((await greedy.send('GET', '/metrics')).status).toBe(403);
    expect(await (await greedy.send('GET', '/api/ready')).json()).not.toHaveProperty('attention');
  });

  test('gets room back for what it deletes', async () => {
    const append = () => greedy.send('POST', '/v1/stream/s1', { ...TEXT, body: 'x'.repeat(200) });
    expect((await append()).status).toBe(429);
    expect((await greedy.send('DELETE', '/v1/stream/s0')).status).toBe(204);
    expect((await append()).status).toBe(204);
  });
});

const TEXT = { headers: { 'content-type': 'text/plain' } };

test('bytes stored before a restart still count afterwards', async () => {
  const quotas = { storedBytes: 1_000 };
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-stored-bytes-'));
  const options = { dataDir, auth: 'jwt', jwt: { secret: SECRET } } as const;
  const append = async ({ url }: ServedForTest, method: string, bytes: number) => {
    const client = await tenantClient({ url, secret: SECRET, tenant: 'acme' });
    return (await client.send(method, '/v1/stream/a', { ...TEXT, body: 'x'.repeat(bytes) })).status;
  };
  try {
    const first = await serveRecords({ tenants: { acme: quotas } }, options);
    expect([await append(first, 'PUT', 400), await append(first, 'POST', 400)]).toEqual([201, 204]);
    await first.stop();
    const second = await serveForTest(options);
    const statuses: number[] = [];
    for (const bytes of [201, 200, 1]) statuses.push(await append(second, 'POST', bytes));
    await second.stop();
    expect(statuses).toEqual([429, 204, 429]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test("a tenant that has used up its rate leaves the other's untouched", async () => {
  const limited = await serveRecords(
    { tenants: { one: {}, two: {} } },
    { auth: 'jwt', jwt: { secret: SECRET }, ratePerMinute: 2 },
  );
  try {
    const statuses = async (tenant: string) => {
      const client = await tenantClient({ url: limited.url, secret: SECRET, tenant });
      const create = async () => (await client.send('POST', '/v1/proxy')).status;
      return [await create(), await create(), await create()];
    };
    expect(await statuses('one')).toEqual([400, 400, 429]);
    expect(await statuses('two')).toEqual([400, 400, 429]);
  } finally {
    await limited.stop();
  }
});
