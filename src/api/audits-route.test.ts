/** The audit routes over the real store; the queue stands outside, as two functions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appForTests, errorOf } from '../../test/support/app-for-tests.js';
import { auditStoreForTests, type OpenedAuditStore } from '../../test/support/audit-store-for-tests.js';
import { sampleReport } from '../../test/support/sample-report.js';
import type { AuditsPort } from './audits-port.js';

let opened: OpenedAuditStore;
let call: (path: string, init?: RequestInit) => Promise<Response>;

beforeEach(async () => {
  opened = auditStoreForTests();
  const { store } = opened;
  let created = 0;
  const audits: AuditsPort = {
    store,
    tenantId: async (tenant) => tenant,
    async enqueue({ tenant, url, options }) {
      const id = `a${++created}`;
      const audit = await store.createAudit({
        id,
        tenantId: tenant,
        url,
        canonicalUrl: url,
        options,
        recipeVersion: 'v1',
        createdAt: created,
      });
      return { audit, replayed: false };
    },
    async cancel(tenant, id) {
      if (await store.getAudit(tenant, id))
        await store.finishAudit({ id, status: 'canceled', score: null, reportRef: null, finishedAt: 9 });
      return store.getAudit(tenant, id);
    },
  };
  const { app, token } = appForTests({ audits });
  const bearer = await token('audit:read', 'audit:write');
  call = async (path, init = {}) =>
    app.request(path, {
      ...init,
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...init.headers,
      },
    });
});
afterEach(() => opened.close());

const post = (body: unknown) => call('/api/audits', { method: 'POST', body: JSON.stringify(body) });

async function done(fixed = false): Promise<string> {
  const { id } = (await (await post({ url: 'https://www.example.com/' })).json()) as { id: string };
  const report = sampleReport({}, fixed);
  await opened.store.recordOf(id).put('report', report);
  await opened.store.finishAudit({
    id,
    status: 'done',
    score: report.score,
    reportRef: 'report',
    finishedAt: 5,
  });
  return id;
}

describe('audits over HTTP', () => {
  it('are created with 202 and a Location, shown and listed page by page', async () => {
    const created = await post({ url: 'https://www.example.com/', pages: 5 });
    expect(created.status).toBe(202);
    expect(created.headers.get('location')).toMatch(/\/api\/audits\/a1$/);
    await post({ url: 'https://www.example.com/b' });
    expect(await (await call('/api/audits/a1')).json()).toMatchObject({
      id: 'a1',
      status: 'queued',
      score: null,
      finishedAt: null,
      ownerProof: { url: 'https://www.example.com/.well-known/sonde-verify' },
    });
    const first = (await (await call('/api/audits?limit=1')).json()) as {
      audits: { id: string }[];
      next: string;
    };
    expect(first.audits.map(({ id }) => id)).toEqual(['a2']);
    const second = (await (await call(`/api/audits?limit=1&before=${first.next}`)).json()) as {
      audits: { id: string }[];
    };
    expect(second.audits.map(({ id }) => id)).toEqual(['a1']);
  });

  it('refuse what is out of bounds, by name', async () => {
    const refused = await post({ url: 'https://www.example.com/', pages: 5001 });
    expect([refused.status, (await errorOf(refused)).message]).toEqual([
      400,
      expect.stringContaining('pages'),
    ]);
    expect((await post({ url: 'https://www.example.com/', colour: 'red' })).status).toBe(400);
    expect((await call('/api/audits?before=nonsense')).status).toBe(400);
  });

  it('give their report by format and by Accept, and say when there is none yet', async () => {
    await post({ url: 'https://www.example.com/' });
    expect(await errorOf(await call('/api/audits/a1/report'))).toMatchObject({ code: 'REPORT_NOT_READY' });
    const id = await done();
    const report = (path: string, accept = '*/*') =>
      call(`/api/audits/${id}/report${path}`, { headers: { accept } });
    expect(await (await report('')).json()).toMatchObject({ schemaVersion: 1, grade: 'F' });
    expect((await report('', 'text/html,*/*')).headers.get('content-type')).toMatch('text/html');
    expect((await report('?format=md', 'text/html')).headers.get('content-type')).toMatch('text/markdown');
    const html = await report('?format=html');
    expect(html.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect((await (await report('?format=csv')).text()).split('\r\n')[0]).toMatch(/^rule,category/);
    expect((await report('?format=pdf')).status).toBe(400);
  });

  it('tell new, fixed and still there', async () => {
    const [before, after] = [await done(), await done(true)];
    const body = (await (await call(`/api/audits/${before}/diff/${after}`)).json()) as {
      fixed: { rule: string }[];
    };
    expect(body.fixed.map(({ rule }) => rule)).toContain('title.length');
  });

  it('are canceled, and are nobody else’s', async () => {
    await post({ url: 'https://www.example.com/' });
    expect(await (await call('/api/audits/a1/cancel', { method: 'POST' })).json()).toMatchObject({
      status: 'canceled',
    });
    await opened.store.createAudit({
      id: 'x',
      tenantId: 'other',
      url: 'https://x.example/',
      canonicalUrl: 'https://x.example/',
      options: (await opened.store.getAudit('acme', 'a1'))?.options as never,
      recipeVersion: 'v1',
      createdAt: 1,
    });
    for (const path of ['/api/audits/x', '/api/audits/x/report', '/api/audits/a1/diff/x']) {
      expect((await call(path)).status, path).toBeGreaterThanOrEqual(404);
    }
    expect((await call('/api/audits/x/cancel', { method: 'POST' })).status).toBe(404);
    expect((await call('/api/audits/a1', { headers: { authorization: '' } })).status).toBe(401);
  });
});
