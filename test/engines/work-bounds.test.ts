/** An operator's limits on comparisons and audits hold on every store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FETCH_LIMITS } from '../../src/audits/crawl/audit-fetcher.js';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

/** `/hops/n` redirects n times, `/silent` never responds, `/` is a page of 100,000 bytes. */
let site: Listening;
/** How long each request for `/silent` waited. */
const waits: number[] = [];
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    if (request.url === '/silent') {
      const askedAt = performance.now();
      return void response.on('close', () => waits.push(performance.now() - askedAt));
    }
    const hops = Number(/^\/hops\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    if (hops > 0) return void response.writeHead(302, { location: `/hops/${hops - 1}` }).end();
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>t</title><marquee>a</marquee>${'x'.repeat(100_000)}<blink>b</blink>`);
  });
});
afterAll(() => site.close());

describe.each(RECORD_ENGINES)('limits of work on %s', (_name, newUrl) => {
  let server: ServedForTest;
  beforeAll(async () => {
    const databaseUrl = await newUrl();
    server = await serveRecords(
      { databaseUrl },
      {
        net: { allowPrivate: [site.origin] },
        compare: { probeMs: 500, confirmSamples: 12, redirectsMax: 2, kept: 3, retentionMs: 86_400_000 },
        audit: { fetchMs: 1_000, bodyBytesMax: 70_000, redirectsMax: 1 },
      },
    );
  });
  afterAll(() => server.stop());

  const get = async (path: string) => (await fetch(server.url + path)).json() as Promise<never>;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { comparisonId: string; auditId: string };
  };
  const ended = async (path: string) => {
    await (await fetch(`${server.url}${path}/events`, { headers: { accept: 'text/event-stream' } })).text();
  };
  const probe = (path: string) => get(`/api/probe?url=${encodeURIComponent(site.origin + path)}`);

  test('a probe stops at its time limit and its redirect limit', async () => {
    expect(await probe('/hops/2')).toMatchObject({ result: { ok: true, redirects: [{}, {}] } });
    expect(await probe('/hops/3')).toMatchObject({ result: { error: { code: 'redirect_limit' } } });
    const silent = (await probe('/silent')) as { result: { error: { code: string; message: string } } };
    expect(silent).toMatchObject({ result: { error: { code: 'timeout' } } });
    const [, limitMs] = /(?:within|than) (\d+) ms/.exec(silent.result.error.message) ?? [];
    expect(Number(limitMs)).toBeLessThanOrEqual(500);
  });

  test('comparisons use the same limits, and a pair keeps a limited number of them', async () => {
    const pair = {
      leftUrl: `${site.origin}/hops/3`,
      rightUrl: `${site.origin}/`,
      samples: 1,
      profile: 'core',
    };
    let id = '';
    for (let n = 0; n < 5; n++) {
      ({ comparisonId: id } = await post('/api/compare', pair));
      await ended(`/api/compare/${id}`);
    }
    expect(await get(`/api/compare/${id}`)).toMatchObject({
      result: { left: { result: { error: { code: 'redirect_limit' } } } },
    });
    const { comparisons } = (await get(`/api/pairs/${id.split(':')[0]}/comparisons?limit=50`)) as {
      comparisons: unknown[];
    };
    expect(comparisons).toHaveLength(3);
  });

  const audited = async (path: string) => {
    const wanted = { url: site.origin + path, pages: 1, checks: 0, delayMs: 0 };
    const { auditId } = await post('/api/audits', wanted);
    await ended(`/api/audits/${auditId}`);
    return (await get(`/api/audits/${auditId}/report?format=json`)) as {
      pages: { url: string; status: number | null }[];
    };
  };
  const statusOf = async (path: string) =>
    (await audited(path)).pages.find(({ url }) => url.endsWith(path))?.status;

  test('an audit fetch ends at its time limit', async () => {
    waits.length = 0;
    const wanted = { url: `${site.origin}/silent`, pages: 1, checks: 0, delayMs: 0 };
    const { auditId } = await post('/api/audits', wanted);
    await expect.poll(() => waits, { timeout: 120_000 }).not.toEqual([]);
    expect(waits[0]).toBeLessThan(FETCH_LIMITS.fetchMs);
    await post(`/api/audits/${auditId}/cancel`, {});
  });

  test('an audit page is cut at its size limit, and redirects are followed up to theirs', async () => {
    const report = JSON.stringify(await audited('/'));
    expect([report.includes('<marquee> is obsolete'), report.includes('<blink> is obsolete')]).toEqual([
      true,
      false,
    ]);
    expect(await statusOf('/hops/1')).toBe(200);
    expect(await statusOf('/hops/2')).not.toBe(200);
  }, 60_000);
});
