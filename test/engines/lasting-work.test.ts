/**
 * Work of one tenant that lasts does not stop another's. The target of the lasting work never answers, and the test
 * waits for requests and ends, not for time. `npm run faults -- shares` measures the delay.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, type ServedForTest } from '../support/serve.js';
import { serveRecords } from '../support/serve-engine.js';
import { type TenantClient, tenantClient } from '../support/tenant-limits.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

const json = (body: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe.each([
  ['SQLite', 1],
  ['SQLite', 3],
  ['PostgreSQL', 1],
  ['PostgreSQL', 3],
])('on %s with %d jobs at once', (engine, concurrency) => {
  const silent: ServerResponse[] = [];
  const hooks: ServerResponse[] = [];
  let site: Listening;
  let server: ServedForTest;
  let greedy: TenantClient;
  let modest: TenantClient;
  let onHook: () => void = () => {};
  let onDelivered: () => void = () => {};

  beforeAll(async () => {
    site = await listenHttp((request, response) => {
      request.resume();
      if (request.url?.startsWith('/silent')) {
        silent.push(response);
        return;
      }
      if (request.url?.startsWith('/hook')) {
        hooks.push(response);
        return onHook();
      }
      if (request.url === '/delivered') onDelivered();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>hello</title>');
    });
    const databaseUrl = engine === 'PostgreSQL' ? await newDatabase() : undefined;
    const jobs = {
      ...JOB_OPTIONS,
      concurrency,
      pollMs: 100,
      ...(databaseUrl !== undefined && { databaseUrl }),
    };
    server = await serveRecords(
      { tenants: { greedy: {}, modest: {} } },
      { auth: 'jwt', jwt: { secret: SECRET }, net: { allowPrivate: [site.origin] }, jobs, ratePerMinute: 0 },
    );
    greedy = await tenantClient({ url: server.url, secret: SECRET, tenant: 'greedy' });
    modest = await tenantClient({ url: server.url, secret: SECRET, tenant: 'modest' });
  });
  afterAll(async () => {
    greedy?.leave();
    modest?.leave();
    for (const response of [...silent, ...hooks]) response.destroy();
    await server?.stop();
    await site?.close();
  });

  const create = async (client: TenantClient, path: string, body: object) => {
    const response = await client.send('POST', path, json(body));
    const created = (await response.json()) as Record<string, string>;
    expect([path, response.status < 300], JSON.stringify(created)).toEqual([path, true]);
    return created;
  };
  const untilEnded = async (path: string) => {
    for (;;) {
      const { status } = (await (await modest.send('GET', path)).json()) as { status: string };
      if (!['queued', 'running'].includes(status)) return status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  test('audits whose target does not answer leave room for every kind of job of another tenant', async () => {
    for (let n = 0; n < 10; n++)
      await create(greedy, '/api/audits', { url: `${site.origin}/silent-${n}`, pages: 10, delayMs: 60_000 });
    await untilRunning(greedy, Math.max(1, concurrency - 1));
    const hello = await create(modest, '/api/jobs', { kind: 'hello', url: `${site.origin}/a` });
    expect(await untilEnded(`/api/jobs/${hello['jobId']}`)).toBe('done');
    const sides = { leftUrl: `${site.origin}/b`, rightUrl: `${site.origin}/b` };
    const compared = await create(modest, '/api/compare', { ...sides, samples: 1, profile: 'core' });
    expect(await untilEnded(`/api/compare/${compared['comparisonId']}`)).toBe('completed');
    const suite = await create(modest, '/api/suites', {
      ...sides,
      samples: 1,
      paths: ['/c'],
      profile: 'core',
    });
    expect(await untilEnded(`/api/suites/${suite['suiteId']}`)).toBe('completed');
    const audit = await create(modest, '/api/audits', {
      ...{ url: `${site.origin}/d`, pages: 1, checks: 0, delayMs: 0 },
    });
    expect(await untilEnded(`/api/audits/${audit['auditId']}`)).toBe('done');
    expect(await running(greedy)).toBe(Math.max(1, concurrency - 1));
  });

  test('receivers of webhooks that do not answer leave room for a delivery of another tenant', async () => {
    const full = new Promise<void>((resolve) => {
      onHook = () => hooks.length >= 7 && resolve();
    });
    for (let n = 0; n < 10; n++)
      await create(greedy, '/api/webhooks', { url: `${site.origin}/hook-${n}`, events: ['hello.canceled'] });
    for (let n = 0; n < 2; n++) {
      const { jobId } = await create(greedy, '/api/jobs', {
        kind: 'hello',
        url: `${site.origin}/silent-job-${n}`,
      });
      await greedy.send('POST', `/api/jobs/${jobId}/cancel`);
    }
    await full;
    const delivered = new Promise<void>((resolve) => {
      onDelivered = resolve;
    });
    await create(modest, '/api/webhooks', { url: `${site.origin}/delivered`, events: ['hello.done'] });
    await create(modest, '/api/jobs', { kind: 'hello', url: `${site.origin}/e` });
    await delivered;
    expect(hooks).toHaveLength(7);
  });

  const running = async (client: TenantClient) => {
    const { usage } = (await (await client.send('GET', '/api/tenant')).json()) as {
      usage: { jobsRunning: number };
    };
    return usage.jobsRunning;
  };
  const untilRunning = async (client: TenantClient, count: number) => {
    while ((await running(client)) < count) await new Promise((resolve) => setTimeout(resolve, 20));
  };
});
