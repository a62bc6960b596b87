/** Audits over HTTP on every record engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { output } from 'zod';
import { mintToken } from '../../src/api/auth/mint-token.js';
import type { AuditView } from '../../src/api/views/audit.js';
import { type AuditReport, RULES } from '../../src/audits/index.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

type Shown = output<typeof AuditView>;

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const HOME =
  '<!doctype html><html lang=en><head><title>A site for tests</title></head><body><h1>Home</h1><a href="/a">A page</a></body></html>';

/** A small site; `/hold` responds once it is released. */
let target: Listening;
let letGo: () => void = () => {};

beforeAll(async () => {
  target = await listenHttp((request, response) => {
    if (request.url === '/hold') {
      letGo = () => response.setHeader('content-type', 'text/html').end(HOME);
      return;
    }
    if (request.url === '/' || request.url === '/a')
      return void response.setHeader('content-type', 'text/html').end(HOME);
    response.writeHead(404).end('not here');
  });
});
afterAll(() => target.close());

describe.each(RECORD_ENGINES)('audits over HTTP on %s', (_name, newUrl) => {
  let server: ServedForTest;

  beforeAll(async () => {
    const databaseUrl = await newUrl();
    const net = { allowPrivate: [target.origin] };
    server = await serveRecords({ databaseUrl }, { auth: 'jwt', jwt: { secret: SECRET }, net });
  });
  afterAll(() => server.stop());

  async function ask(path: string, init: RequestInit & { scopes?: string[] } = {}) {
    const { scopes = ['audit:read', 'audit:write'], ...rest } = init;
    const token = await mintToken({ secret: SECRET, tenant: 'default', scopes, expiresInSeconds: 600 });
    return fetch(`${server.url}${path}`, {
      ...rest,
      headers: {
        authorization: `Bearer ${token}`,
        ...(rest.body ? { 'content-type': 'application/json' } : {}),
        ...rest.headers,
      },
    });
  }

  const create = (body: object, headers: Record<string, string> = {}) =>
    ask('/api/audits', { method: 'POST', body: JSON.stringify({ delayMs: 0, ...body }), headers });

  /** Follows the live events until the audit has ended. */
  async function ended(auditId: string): Promise<Shown> {
    for (let round = 0; round < 20; round++) {
      const events = await ask(`/api/audits/${auditId}/events`, { headers: { accept: 'text/event-stream' } });
      await events.text();
      const shown = (await (await ask(`/api/audits/${auditId}`)).json()) as Shown;
      if (['done', 'failed', 'canceled'].includes(shown.status)) return shown;
    }
    throw new Error('the audit did not end');
  }

  test('an audit runs to its report and emits events', async () => {
    const made = await create({ url: `${target.origin}/`, pages: 5 });
    expect(made.status).toBe(202);
    const { auditId } = (await made.json()) as Shown;
    expect(made.headers.get('location')).toBe(`${server.url}/api/audits/${auditId}`);
    const done = await ended(auditId);
    expect(done).toMatchObject({ status: 'done', progress: 100 });
    expect(done.score).toBeGreaterThan(0);
    const page = (await (await ask(`/api/audits/${auditId}/events`)).json()) as {
      events: { progress: number | null }[];
      ended: boolean;
    };
    const percents = page.events.flatMap(({ progress }) => progress ?? []);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(page.ended).toBe(true);
    const report = (await (await ask(`/api/audits/${auditId}/report`)).json()) as AuditReport;
    expect(report.score).toBe(done.score);
    expect(report.rules).toHaveLength(RULES.length);
    expect(report.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/a']);
  });

  test('a report has four formats', async () => {
    const { audits } = (await (await ask('/api/audits?status=done')).json()) as { audits: Shown[] };
    const path = `/api/audits/${audits[0]?.auditId}/report`;
    const html = await ask(path, { headers: { accept: 'text/html' } });
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await html.text()).toContain('<!doctype html>');
    expect(await (await ask(`${path}?format=md`)).text()).toMatch(/^# /);
    expect((await ask(`${path}?format=csv`)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect((await ask(`${path}?format=pdf`)).status).toBe(400);
  });

  test('the same audit is reused while it runs; a canceled one blocks nothing', async () => {
    const url = `${target.origin}/hold`;
    const first = await create({ url });
    const { auditId } = (await first.json()) as Shown;
    const again = await create({ url });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(((await again.json()) as Shown).auditId).toBe(auditId);
    expect((await create({ url, pages: 7 })).status).toBe(202);
    const canceled = await ask(`/api/audits/${auditId}/cancel`, { method: 'POST' });
    expect(canceled.status).toBe(200);
    letGo();
    expect((await ended(auditId)).status).toBe('canceled');
    expect((await create({ url, pages: 3 })).status).toBe(202);
  });

  test('a finished audit is reused within its reuse time, and repeated without it', async () => {
    const url = `${target.origin}/a`;
    const { auditId } = (await (await create({ url, pages: 1 })).json()) as Shown;
    await ended(auditId);
    const reused = await create({ url, pages: 1, reuse: 600 });
    expect([reused.status, ((await reused.json()) as Shown).auditId]).toEqual([200, auditId]);
    const anew = await create({ url, pages: 1 });
    expect(anew.status).toBe(202);
    const other = ((await anew.json()) as Shown).auditId;
    await ended(other);
    const diff = (await (await ask(`/api/audits/${auditId}/diff/${other}`)).json()) as {
      new: unknown[];
      fixed: unknown[];
    };
    expect([diff.new, diff.fixed]).toEqual([[], []]);
  });

  test('one Idempotency-Key creates one audit with one request', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { url: `${target.origin}/a`, pages: 2 };
    const first = (await (await create(body, headers)).json()) as Shown;
    await ended(first.auditId);
    const again = await create(body, headers);
    expect([again.headers.get('idempotent-replayed'), ((await again.json()) as Shown).auditId]).toEqual([
      'true',
      first.auditId,
    ]);
    expect((await create({ ...body, pages: 4 }, headers)).status).toBe(422);
  });

  test('an audit of a site that does not respond fails with the reason', async () => {
    const made = await create({ url: 'http://unresolvable.invalid/' });
    expect((await made.json()) as object).toMatchObject({ error: { code: 'ssrf_blocked' } });
    const closed = await listenHttp(() => {});
    await closed.close();
    const refused = await create({ url: `${closed.origin}/` });
    expect(refused.status).toBe(400);
  });

  test.each([
    [{ url: 'not a url' }, 'invalid_url'],
    [{ url: 'http://169.254.169.254/' }, 'ssrf_blocked'],
    [{ url: 'https://user:pw@example.com/' }, 'invalid_url'],
    [{ pages: 1 }, 'INVALID_REQUEST'],
    [{ url: 'https://example.com/', pages: 0 }, 'INVALID_REQUEST'],
    [{ url: 'https://example.com/', surprise: true }, 'INVALID_REQUEST'],
  ])('%j is refused as %s', async (body, code) => {
    const response = await ask('/api/audits', { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  test('needs its scopes, and hides audits from strangers', async () => {
    expect((await ask('/api/audits', { scopes: ['compare:read'] })).status).toBe(403);
    expect(
      (
        await ask('/api/audits', {
          method: 'POST',
          body: '{"url":"https://example.com/"}',
          scopes: ['audit:read'],
        })
      ).status,
    ).toBe(403);
    for (const path of ['', '/report', '/events', `/diff/${crypto.randomUUID()}`]) {
      expect((await ask(`/api/audits/${crypto.randomUUID()}${path}`)).status).toBe(404);
    }
  });
});
