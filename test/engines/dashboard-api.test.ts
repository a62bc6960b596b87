/** The data behind the pages about streams, comparisons and the server itself, on every engine. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { AT_EDGE, RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    response.writeHead(request.url === '/b' ? 500 : 200, { 'content-type': 'text/plain' }).end('a page');
  });
});
afterAll(() => site.close());

describe.each(RECORD_ENGINES)('on %s', (_name, newUrl) => {
  let server: ServedForTest;
  beforeAll(async () => {
    server = await serveRecords(
      { databaseUrl: await newUrl() },
      {
        net: { allowPrivate: [site.origin] },
        proxy: { allow: [`private:${site.origin}`], routes: {}, env: () => undefined },
      },
    );
  });
  afterAll(() => server.stop());

  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes, whose fields the tests name.
  const get = async (path: string): Promise<any> => (await fetch(server.url + path)).json();
  const send = (method: string, path: string, body?: unknown) =>
    fetch(server.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const text = (method: string, path: string, body: string) =>
    fetch(server.url + path, { method, headers: { 'content-type': 'text/plain' }, body });

  test('streams and responses are listed, filtered and timed', async () => {
    await text('PUT', '/v1/stream/list/one', 'abc');
    await text('POST', '/v1/stream/list/one', 'de');
    const sent = await fetch(`${server.url}/v1/proxy`, {
      method: 'POST',
      headers: { 'upstream-url': `${site.origin}/a`, 'upstream-method': 'GET' },
    });
    const id = new URL(sent.headers.get('location') ?? '').pathname.split('/').at(-1) ?? '';
    await vi.waitFor(async () => {
      const { streams, next } = await get('/api/streams');
      expect(streams).toMatchObject([
        {
          ...{ kind: 'response', id, state: 'closed', outcome: 'completed', upstreamStatus: 200, bytes: 6 },
          headMs: expect.any(Number),
        },
        { kind: 'stream', id: 'list/one', state: 'open', bytes: 5, contentType: 'text/plain' },
      ]);
      expect(next).toBeNull();
    });
    expect((await get('/api/streams?kind=stream&state=closed')).streams).toEqual([]);
    expect((await get(`/api/streams?q=${id}`)).streams).toHaveLength(1);
    expect((await get('/api/streams?prefix=list/')).streams).toHaveLength(1);
    const timing = await get('/api/streams/timing?stream=list/one');
    expect(timing).toMatchObject({ bytesBefore: 0, next: null });
    expect(timing.records.map((record: unknown[]) => record[1])).toEqual([3, 2]);
    expect(timing.records.every((record: unknown[]) => typeof record[2] === 'number')).toBe(true);
    const rest = await get('/api/streams/timing?stream=list/one&limit=1');
    const second = await get(`/api/streams/timing?stream=list/one&from=${encodeURIComponent(rest.next)}`);
    expect([second.bytesBefore, second.records]).toEqual([3, timing.records.slice(1)]);
    expect((await get(`/api/streams/timing?response=${id}`)).records).toHaveLength(1);
    await fetch(`${server.url}/v1/stream/list/one`, { method: 'DELETE' });
    await vi.waitFor(async () =>
      expect((await get('/api/streams?kind=stream&prefix=list/')).streams).toEqual([]),
    );
  });

  test('an accepted finding applies to later comparisons of the pair until it is removed', async () => {
    const compare = async () => {
      const sides = { leftUrl: `${site.origin}/b`, rightUrl: `${site.origin}/a` };
      const made = await send('POST', '/api/compare', { ...sides, samples: 1, explain: false });
      const { comparisonId } = (await made.json()) as { comparisonId: string };
      const path = `/api/compare/${encodeURIComponent(comparisonId)}`;
      await vi.waitUntil(async () => (await get(path)).status === 'completed', { timeout: 30_000 });
      return get(path);
    };
    const first = await compare();
    expect(first.result.diff.verdict).toBe('fail');
    const baseline = `/api/pairs/${first.pairKey}/baseline`;
    const { comparisonId } = first;
    const wrong = await send('POST', baseline, { comparisonId, findings: ['NONE:x:y'] });
    expect(wrong.status).toBe(400);
    const accepted = await send('POST', baseline, { comparisonId, findings: 'all', reason: 'planned' });
    expect(accepted.status).toBe(200);
    const { entries } = await get(baseline);
    expect(entries).toEqual(((await accepted.json()) as { entries: unknown }).entries);
    const second = await compare();
    expect(second.result.diff.counts).toMatchObject({ critical: 0, warn: 0, known: entries.length });
    expect(second.result.diff.verdict).toBe('pass');
    for (const { entryId } of entries)
      expect((await send('DELETE', `${baseline}/${entryId}`)).status).toBe(204);
    expect((await send('DELETE', `${baseline}/${entries[0].entryId}`)).status).toBe(404);
    expect((await compare()).result.diff.verdict).toBe('fail');
  }, 60_000);

  test('a comparison is repeated with all its options, and refused if it had credentials', async () => {
    const asked = {
      ...{ leftUrl: `${site.origin}/b`, rightUrl: `${site.origin}/a`, leftLabel: 'new', rightLabel: 'old' },
      ...{ samples: 2, candidate: 'right', profile: 'core', ignore: ['STATUS_MISMATCH'], explain: false },
    };
    const created = await (await send('POST', '/api/compare', asked)).json();
    const again = (id: string) => send('POST', `/api/compare/${encodeURIComponent(id)}/again`);
    const repeated = await again((created as { comparisonId: string }).comparisonId);
    expect(repeated.status).toBe(201);
    const { comparisonId } = (await repeated.json()) as { comparisonId: string };
    expect(comparisonId).not.toBe((created as { comparisonId: string }).comparisonId);
    expect(repeated.headers.get('location')).toContain(encodeURI(`/api/compare/${comparisonId}`));
    const shown = await get(`/api/compare/${encodeURIComponent(comparisonId)}`);
    const { leftLabel, rightLabel, leftUrl, rightUrl, options } = shown;
    expect({ leftUrl, rightUrl, leftLabel, rightLabel, ...options }).toEqual(asked);
    const secret = await send('POST', '/api/compare', {
      ...asked,
      rightHeaders: { Authorization: 'Bearer canary-1', 'X-Env': 'b' },
    });
    const refused = await again(((await secret.json()) as { comparisonId: string }).comparisonId);
    expect(refused.status).toBe(409);
    const { error } = (await refused.json()) as { error: object };
    expect(error).toMatchObject({
      code: 'SECRETS_ERASED',
      fields: ['rightHeaders.Authorization', 'rightHeaders.X-Env'],
    });
    expect((await again(`${'0'.repeat(40)}:${crypto.randomUUID()}`)).status).toBe(404);
  });

  test('pairs compared on their own stay listed when suites run the same URLs, and can be searched page by page', async () => {
    const at = (path: string) => ({ leftUrl: `${site.origin}${path}`, rightUrl: `${site.origin}/a${path}` });
    const bases = { leftUrl: site.origin, rightUrl: `${site.origin}/a` };
    const own: string[] = [];
    for (const path of ['/own/1', '/own/2', '/own/3']) {
      const made = await send('POST', '/api/compare', { ...at(path), samples: 1, explain: false });
      own.unshift(((await made.json()) as { comparisonId: string }).comparisonId);
    }
    const paths = ['/own/1', '/own/2', '/own/3', '/only/in/the/suite'];
    const suite = await send('POST', '/api/suites', { ...bases, paths, samples: 1 });
    const { suiteId } = (await suite.json()) as { suiteId: string };
    await vi.waitUntil(async () => (await get(`/api/suites/${suiteId}`)).status === 'completed', {
      timeout: 60_000,
    });
    await vi.waitFor(async () =>
      expect((await get('/api/pairs?q=ONLY/IN')).pairs).toMatchObject([{ comparisons: 1 }]),
    );
    expect((await get('/api/pairs?q=only/in&own=true')).pairs).toEqual([]);
    const pages: { pairs: { lastComparisonId: string; comparisons: number }[]; next: string | null }[] = [];
    for (
      let cursor: string | null = '';
      cursor !== null && pages.length < 9;
      cursor = pages.at(-1)?.next ?? null
    ) {
      const query = `q=/own/&own=true&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      pages.push(await get(`/api/pairs?${query}`));
    }
    expect(pages.map(({ pairs }) => pairs.length)).toEqual([2, 1]);
    const listed = pages.flatMap(({ pairs }) => pairs);
    expect(listed.map(({ lastComparisonId }) => lastComparisonId)).toEqual(own);
    expect(listed.map(({ comparisons }) => comparisons)).toEqual([2, 2, 2]);
    expect((await fetch(`${server.url}/api/pairs?cursor=1.x`)).status).toBe(400);
    // A suite's comparison that is deleted, and then the pair's own one.
    const [newest = ''] = own;
    const pairKey = newest.split(':')[0];
    const remove = (id: string) => send('DELETE', `/api/compare/${encodeURIComponent(id)}`);
    const { comparisons } = await get(`/api/pairs/${pairKey}/comparisons`);
    expect(comparisons).toHaveLength(2);
    await vi.waitFor(async () => expect((await remove(newest)).status).toBe(204), { timeout: 30_000 });
    await vi.waitFor(async () => {
      const left = (await get('/api/pairs?q=/own/3')).pairs;
      expect(left).toMatchObject([{ comparisons: 1, lastComparisonId: comparisons[0].comparisonId }]);
      expect((await get('/api/pairs?q=/own/3&own=true')).pairs).toEqual([]);
    });
  }, 90_000);

  test('audits are found by site and by text beyond the first page', async () => {
    const audit = async (url: string) => {
      const made = await send('POST', '/api/audits', { url, pages: 1, checks: 0 });
      return (await made.json()) as { auditId: string; canonicalUrl: string };
    };
    const first = await audit(`${site.origin}/find-me`);
    for (let n = 0; n < 12; n++) await audit(`${site.origin}/other/${n}`);
    const ids = (list: { audits: { auditId: string }[] }) => list.audits.map(({ auditId }) => auditId);
    expect(ids(await get('/api/audits?limit=5'))).not.toContain(first.auditId);
    expect(ids(await get('/api/audits?limit=5&q=FIND-me'))).toEqual([first.auditId]);
    const ofSite = `canonicalUrl=${encodeURIComponent(first.canonicalUrl)}`;
    expect(ids(await get(`/api/audits?limit=5&${ofSite}`))).toEqual([first.auditId]);
    expect(await get(`/api/audits?${ofSite}&q=other`)).toEqual({ audits: [], next: null });
    const { next } = await get('/api/audits?limit=5&q=/other/');
    expect(ids(await get(`/api/audits?limit=5&q=/other/&cursor=${next}`))).toHaveLength(5);
    const { status } = await get(`/api/audits/${first.auditId}`);
    expect(
      ids(await get(`/api/audits?limit=5&${ofSite}&status=${status}&cursor=9999999999999.${first.auditId}`)),
    ).toEqual([first.auditId]);
  });

  test('session and system are shown to callers that may see them', async () => {
    expect(await get('/api/session')).toMatchObject({ tenant: 'default', via: 'none' });
    const system = await get('/api/system');
    expect(system).toMatchObject({ health: { ready: true }, attention: [] });
    if (AT_EDGE) return expect(system).toMatchObject({ engine: 'edge' });
    await send('POST', '/api/jobs', { kind: 'hello', url: 'http://169.254.169.254/' });
    const after = await get('/api/system');
    expect(after.queue).toMatchObject({ queued: expect.any(Number), running: expect.any(Number) });
    expect(after.egress.refusals.length).toBeGreaterThan(0);
    expect(after.storage.freeBytes).toBeGreaterThan(0);
  });
});
