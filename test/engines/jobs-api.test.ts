/** Jobs, events, tenants and webhooks over HTTP on every record engine. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { output } from 'zod';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { JobView } from '../../src/api/views/job.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { useLoopTime } from '../support/loop-time.js';
import type { ServedForTest } from '../support/serve.js';
import { AT_EDGE, RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

type Shown = output<typeof JobView>;

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';

/** The responses of the target of hello jobs, by path. */
let target: Listening;
const hits = new Map<string, number>();
const received: { headers: Record<string, unknown>; body: string }[] = [];
const onReceived: (() => void)[] = [];
const loopMs = useLoopTime();

beforeAll(async () => {
  target = await listenHttp((request, response) => {
    const path = request.url ?? '';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      if (path === '/hook') {
        received.push({ headers: request.headers, body });
        for (const act of onReceived.splice(0)) act();
        return response.writeHead(received.length === 1 ? 500 : 204).end();
      }
      if (path.startsWith('/slow')) return;
      const status = Number(/\d+/.exec(path)?.[0] ?? 200);
      return response.writeHead(status, { 'content-type': 'text/plain' }).end('hello');
    });
  });
});
afterAll(() => target.close());

describe.each(RECORD_ENGINES)('jobs over HTTP on %s', (name, newUrl) => {
  let server: ServedForTest;
  /** Method, path and status of every response. */
  const given = new Set<string>();

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    const tenants = { acme: {}, umbrella: { jobsQueued: 0 }, modest: { jobsRunning: 1, webhooks: 1 } };
    const net = { allowPrivate: [target.origin] };
    server = await serveRecords({ databaseUrl, tenants }, { auth: 'jwt', jwt: { secret: SECRET }, net });
  });
  afterAll(() => server.stop());

  const token = (tenant: string, ...scopes: string[]) =>
    mintToken({ secret: SECRET, tenant, scopes, expiresInSeconds: 600 });

  async function ask(path: string, init: RequestInit & { as?: string; scopes?: string[] } = {}) {
    const { as = 'acme', scopes = ['audit:read', 'audit:write', 'admin'], ...rest } = init;
    const response = await fetch(server.url + path, {
      ...rest,
      headers: {
        authorization: `Bearer ${await token(as, ...scopes)}`,
        ...(rest.body !== undefined && { 'content-type': 'application/json' }),
        ...(rest.headers as Record<string, string>),
      },
    });
    given.add(`${(rest.method ?? 'GET').toLowerCase()} ${new URL(response.url).pathname} ${response.status}`);
    const text = await response.text();
    const body =
      text === '' || !response.headers.get('content-type')?.includes('json') ? text : JSON.parse(text);
    return { status: response.status, headers: response.headers, body, code: body?.error?.code };
  }

  const hello = (path: string, headers: Record<string, string> = {}, as = 'acme') =>
    ask('/api/jobs', {
      method: 'POST',
      body: JSON.stringify({ kind: 'hello', url: `${target.origin}${path}` }),
      headers,
      as,
    });

  /** Follows the events until the job has ended. */
  async function ended(jobId: string): Promise<Shown> {
    await ask(`/api/jobs/${jobId}/events`, { headers: { accept: 'text/event-stream' } });
    return (await ask(`/api/jobs/${jobId}`)).body as Shown;
  }

  test('a hello job is queued, sends its request and returns the result', async () => {
    const made = await hello('/200');
    expect(made).toMatchObject({ status: 202, body: { kind: 'hello' } });
    expect(made.headers.get('location')).toBe(`${server.url}/api/jobs/${made.body.jobId}`);
    expect(await ended(made.body.jobId)).toMatchObject({
      status: 'done',
      attempt: 1,
      progress: 100,
      auditId: null,
    });
    const { body } = await ask(`/api/jobs/${made.body.jobId}/events`);
    expect(body.ended).toBe(true);
    expect(body.events.at(-1)).toMatchObject({
      type: 'status_changed',
      message: 'done',
      data: { status: 'done', result: { status: 200, bytes: 5, truncated: false } },
    });
    const seqs = body.events.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.map((_: number, index: number) => index + 1));
  });

  test('a 404 fails the job at once, a 503 is retried', async () => {
    const { body } = await hello('/404');
    expect(await ended(body.jobId)).toMatchObject({
      status: 'failed',
      attempt: 1,
      lastError: 'the target responded with 404',
    });
    expect(hits.get('/404')).toBeGreaterThan(0);
    const again = await hello('/503');
    const { jobId } = again.body;
    const lastError = async () => ((await ask(`/api/jobs/${jobId}`)).body as Shown).lastError;
    await expect.poll(lastError).toBe('the target responded with 503');
    expect(await ask(`/api/jobs/${jobId}/cancel`, { method: 'POST' })).toMatchObject({ status: 200 });
    expect(await ended(jobId)).toMatchObject({ status: 'canceled' });
  });

  test('a URL that is refused by its text creates nothing', async () => {
    const post = (url: string) =>
      ask('/api/jobs', { method: 'POST', body: JSON.stringify({ kind: 'hello', url }) });
    expect(await post('http://169.254.169.254/')).toMatchObject({ status: 400, code: 'ssrf_blocked' });
    expect(await post('ftp://example.com/')).toMatchObject({ status: 400, code: 'invalid_url' });
    expect(await post('https://u:p@example.com/')).toMatchObject({ status: 400, code: 'invalid_url' });
    expect(await post('https://example.com/?api_key=sk_live_abcdef1234567890')).toMatchObject({
      status: 400,
    });
    expect(await ask('/api/jobs', { method: 'POST', body: '{"kind":"audit"}' })).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
    });
  });

  test('Idempotency-Key: one job, the first response replayed, 422 for another body', async () => {
    const headers = { 'idempotency-key': `key-${name}` };
    const [first, second] = await Promise.all([hello('/200?a', headers), hello('/200?a', headers)]);
    const winner = first.status === 202 && !first.headers.get('idempotent-replayed') ? first : second;
    const loser = winner === first ? second : first;
    expect(winner.status).toBe(202);
    expect([409, 202]).toContain(loser.status);
    if (loser.status === 409) expect(loser.code).toBe('IDEMPOTENCY_KEY_IN_FLIGHT');
    const replay = await hello('/200?a', headers);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay).toMatchObject({ status: 202, body: { jobId: winner.body.jobId } });
    expect(replay.headers.get('location')).toBe(winner.headers.get('location'));
    expect(await hello('/200?b', headers)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await hello('/200?a', { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 });
    // Another tenant's key is separate, and a refused create leaves its key free.
    expect(await hello('/200?a', headers, 'umbrella')).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' });
    expect(await hello('/200?a', headers, 'umbrella')).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' });
  });

  test('a running job is canceled within a heartbeat or at once, and can be retried', async () => {
    const { body } = await hello('/slow');
    const { jobId } = body;
    for (;;) if ((await ask(`/api/jobs/${jobId}`)).body.status === 'running') break;
    expect(await ask(`/api/jobs/${jobId}/retry`, { method: 'POST' })).toMatchObject({
      status: 409,
      code: 'JOB_CONFLICT',
    });
    const before = loopMs();
    expect((await ask(`/api/jobs/${jobId}/cancel`, { method: 'POST' })).status).toBe(200);
    expect(await ended(jobId)).toMatchObject({ status: 'canceled', cancelRequested: true });
    // The Worker runs on its own event loop.
    if (!AT_EDGE) expect(loopMs() - before).toBeLessThan(9_000);
    expect(await ask(`/api/jobs/${jobId}/retry`, { method: 'POST' })).toMatchObject({
      status: 200,
      body: { status: 'queued', attempt: 0 },
    });
    await ask(`/api/jobs/${jobId}/cancel`, { method: 'POST' });
    await ended(jobId);
  });

  test('events resume after Last-Event-ID, and end with 204', async () => {
    const { body } = await hello('/200?events');
    const stream = async (headers: Record<string, string>) =>
      ask(`/api/jobs/${body.jobId}/events`, { headers: { accept: 'text/event-stream', ...headers } });
    const whole = await stream({});
    expect(whole.headers.get('content-type')).toBe('text/event-stream');
    const ids = [...String(whole.body).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids.length).toBeGreaterThan(0);
    const last = ids.at(-1) ?? 0;
    const rest = await stream({ 'last-event-id': String(last - 1) });
    expect([...String(rest.body).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([last]);
    expect((await stream({ 'last-event-id': String(last) })).status).toBe(204);
    expect(await stream({ 'last-event-id': 'x' })).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    expect((await ask(`/api/jobs/${body.jobId}/events?after=${last}`)).body).toEqual({
      events: [],
      next: last,
      ended: true,
    });
    expect(await ask(`/api/jobs/${body.jobId}/events?limit=0`)).toMatchObject({ status: 400 });
  });

  test('a tenant sees nothing of another, and scopes are enforced', async () => {
    const { body } = await hello('/200?mine');
    for (const path of ['', '/events', '/cancel', '/retry']) {
      const method = path === '/cancel' || path === '/retry' ? 'POST' : 'GET';
      expect(await ask(`/api/jobs/${body.jobId}${path}`, { method, as: 'umbrella' })).toMatchObject({
        status: 404,
        code: 'JOB_NOT_FOUND',
      });
    }
    expect((await ask('/api/jobs', { as: 'umbrella' })).body).toEqual({ jobs: [], next: null });
    expect(await ask('/api/jobs', { scopes: ['stream:read'] })).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect((await ask('/api/jobs', { scopes: ['compare:read'] })).body.jobs).toEqual([]);
    expect(
      await ask(`/api/jobs/${body.jobId}/cancel`, { method: 'POST', scopes: ['audit:read'] }),
    ).toMatchObject({ status: 403 });
    expect(await ask(`/api/jobs/${body.jobId}`, { as: 'nobody' })).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect(await ask('/api/jobs/not-an-id')).toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' });
  });

  test('the list is paginated', async () => {
    for (let n = 0; n < 3; n++) await hello(`/200?page${n}`);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await ask(`/api/jobs?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.jobs.map(({ jobId }: Shown) => jobId));
      if (body.next === null) break;
      cursor = body.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(await ask('/api/jobs?cursor=nonsense')).toMatchObject({ status: 400 });
  });

  test('shows the tenant and its quotas', async () => {
    expect((await ask('/api/tenant', { scopes: [] })).body).toMatchObject({
      slug: 'acme',
      name: 'acme',
      quotas: { jobsQueued: 100_000, jobsRunning: 1_000, webhooks: 20 },
    });
    expect((await ask('/api/tenant', { as: 'umbrella' })).body.quotas.jobsQueued).toBe(0);
  });

  test('a tenant runs no more concurrent jobs than its quota', async () => {
    const ids = await Promise.all(
      ['?1', '?2'].map(async (query) => (await hello(`/slow${query}`, {}, 'modest')).body.jobId as string),
    );
    const statuses = async () =>
      Promise.all(ids.map(async (id) => (await ask(`/api/jobs/${id}`, { as: 'modest' })).body.status));
    const slow = () => [...hits].filter(([path]) => path.startsWith('/slow?')).length;
    await expect.poll(statuses, { timeout: 20_000 }).toContain('running');
    // Another tenant's job runs meanwhile, so it is the quota that holds the second job back.
    expect(await ended((await hello('/200')).body.jobId)).toMatchObject({ status: 'done' });
    expect([(await statuses()).sort(), slow()]).toEqual([['queued', 'running'], 1]);
    expect((await ask('/api/tenant', { as: 'modest' })).body.usage).toMatchObject({ jobsRunning: 1 });
    const running = (await statuses()).indexOf('running');
    await ask(`/api/jobs/${ids[running]}/cancel`, { method: 'POST', as: 'modest' });
    await expect.poll(slow, { timeout: 20_000 }).toBe(2);
    for (const id of ids) await ask(`/api/jobs/${id}/cancel`, { method: 'POST', as: 'modest' });
    hits.clear();
  });

  test('a tenant has no more webhooks than its quota', async () => {
    const make = () =>
      ask('/api/webhooks', {
        method: 'POST',
        body: JSON.stringify({ url: `${target.origin}/hook` }),
        as: 'modest',
      });
    const first = await make();
    expect(first.status).toBe(201);
    expect(await make()).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      body: { error: { quota: 'webhooks', max: 1 } },
    });
    await ask(`/api/webhooks/${first.body.webhookId}`, { method: 'DELETE', as: 'modest' });
    const again = await make();
    expect(again.status).toBe(201);
    await ask(`/api/webhooks/${again.body.webhookId}`, { method: 'DELETE', as: 'modest' });
  });

  test('a tenant is shown what to publish to verify a site', async () => {
    const proofOf = async (site: string, as = 'acme') =>
      (await ask(`/api/tenant?site=${encodeURIComponent(site)}`, { as, scopes: [] })).body.verification;
    const proof = await proofOf('https://www.example.com/shop?q=1');
    expect(proof).toEqual({
      domain: 'example.com',
      token: expect.stringMatching(/^[0-9a-f]{40}$/),
      file: { url: 'https://www.example.com/.well-known/sonde-verify', content: proof.token },
      record: { name: '_sonde-verify.www.example.com', value: `sonde-verify=${proof.token}` },
    });
    expect((await proofOf('https://shop.example.com/')).token).toBe(proof.token);
    expect((await proofOf('https://example.org/')).token).not.toBe(proof.token);
    expect((await proofOf('https://www.example.com/', 'umbrella')).token).not.toBe(proof.token);
    expect(await ask('/api/tenant?site=nonsense')).toMatchObject({ status: 400, code: 'invalid_url' });
    expect(await ask('/api/tenant?site=http%3A%2F%2F10.0.0.1%2F')).toMatchObject({ code: 'ssrf_blocked' });
  });

  test('webhooks are signed according to Standard Webhooks, retried, and removed', async () => {
    received.length = 0;
    const post = (url: string, more = {}) =>
      ask('/api/webhooks', { method: 'POST', body: JSON.stringify({ url, ...more }) });
    expect(await post('http://10.0.0.1/x')).toMatchObject({ status: 400, code: 'WEBHOOK_URL_REJECTED' });
    expect(await post('https://example.com/', { events: ['nope'] })).toMatchObject({ status: 400 });
    const made = await post(`${target.origin}/hook`, { events: ['hello.done'] });
    expect(made.status).toBe(201);
    const { secret, webhookId } = made.body;
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify((await ask('/api/webhooks')).body)).not.toContain(secret);
    expect((await ask('/api/webhooks', { as: 'umbrella' })).body).toEqual({ webhooks: [] });

    const { body } = await hello('/200?hooked');
    await ended(body.jobId);
    for (let n = received.length; n < 2; n = received.length) {
      await new Promise<void>((resolve) => onReceived.push(resolve));
    }
    const [first, second] = received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const id = String(second?.headers['webhook-id']);
    const stamp = String(second?.headers['webhook-timestamp']);
    const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${stamp}.${second?.body}`).digest('base64');
    expect(second?.headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      type: 'hello.done',
      data: { jobId: body.jobId, status: 'done', auditId: null },
    });
    expect((await ask(`/api/webhooks/${webhookId}`, { method: 'DELETE', as: 'umbrella' })).status).toBe(404);
    expect((await ask(`/api/webhooks/${webhookId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask('/api/webhooks')).body).toEqual({ webhooks: [] });
  }, 60_000);

  test('every response is documented', async () => {
    const { paths } = (await ask('/openapi.json')).body as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    const templates = Object.keys(paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    const undocumented = [...given].filter((each) => {
      const [method = '', path = '', status = ''] = each.split(' ');
      const found = templates.find(({ pattern }) => pattern.test(path))?.path ?? '';
      return paths[found]?.[method]?.responses[status] === undefined;
    });
    expect(undocumented).toEqual([]);
    // The tests above produced successes and refusals of jobs, events, tenants and webhooks.
    expect(given.size).toBeGreaterThan(20);
  });
});
