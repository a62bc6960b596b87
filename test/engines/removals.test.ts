/**
 * Jobs, audits, comparisons, pairs and suites can be deleted after they have ended, with everything that belongs to
 * them.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listening, listenHttp } from '../support/listen.js';
import type { ServedForTest } from '../support/serve.js';
import { RECORD_ENGINES, serveRecords } from '../support/serve-engine.js';

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    // A run that requests this path continues until it is canceled.
    if (request.url?.startsWith('/slow')) return;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>a page</title>');
  });
});
afterAll(() => site.close());

describe.each(RECORD_ENGINES)('deleting on %s', (_name, newUrl) => {
  let server: ServedForTest;
  beforeAll(async () => {
    const databaseUrl = await newUrl();
    server = await serveRecords({ databaseUrl }, { net: { allowPrivate: [site.origin] } });
  });
  afterAll(() => server.stop());

  async function send(method: string, path: string, body?: unknown) {
    const response = await fetch(server.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  const made = async (path: string, body: unknown) => (await send('POST', path, body)).body;
  const sides = (path: string) => ({
    leftUrl: `${site.origin}${path}`,
    rightUrl: `${site.origin}${path}`,
    samples: 1,
    profile: 'core',
    explain: false,
  });
  const untilEnded = (path: string) =>
    vi.waitUntil(
      async () => {
        const { body } = await send('GET', path);
        return !['queued', 'running'].includes(body.status) && body;
      },
      { timeout: 30_000, interval: 50 },
    );
  const STILL = { status: 409, body: { error: { code: 'STILL_RUNNING' } } };
  const GONE = { status: 404 };

  test('a running job is refused until it is canceled, and then deleted with its events', async () => {
    const { jobId } = await made('/api/jobs', { kind: 'hello', url: `${site.origin}/slow` });
    const path = `/api/jobs/${jobId}`;
    const refused = await send('DELETE', path);
    expect(refused).toMatchObject(STILL);
    expect(refused.body.error.message).toContain(`POST ${path}/cancel`);
    await send('POST', `${path}/cancel`);
    await untilEnded(path);
    expect(await send('DELETE', path)).toEqual({ status: 204, body: undefined });
    expect(await send('GET', path)).toMatchObject(GONE);
    expect(await send('GET', `${path}/events`)).toMatchObject(GONE);
    expect(await send('DELETE', path)).toMatchObject(GONE);
  }, 60_000);

  test('an audit is deleted with its report and its job', async () => {
    const { auditId, jobId } = await made('/api/audits', { url: site.origin, pages: 1 });
    await untilEnded(`/api/audits/${auditId}`);
    expect(await send('DELETE', `/api/audits/${auditId}`)).toMatchObject({ status: 204 });
    for (const path of [`/api/audits/${auditId}`, `/api/audits/${auditId}/report`, `/api/jobs/${jobId}`])
      expect([path, await send('GET', path)]).toMatchObject([path, GONE]);
    const { body } = await send('GET', '/api/audits');
    expect(body.audits).toEqual([]);
  }, 60_000);

  test('a comparison is deleted with its job, and its pair with the last one', async () => {
    const slow = await made('/api/compare', sides('/slow'));
    const slowPath = `/api/compare/${slow.comparisonId}`;
    const [pairKey, jobId] = slow.comparisonId.split(':');
    expect(await send('DELETE', slowPath)).toMatchObject(STILL);
    expect(await send('DELETE', `/api/pairs/${pairKey}`)).toMatchObject(STILL);
    expect(await send('POST', `${slowPath}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'failed', error: { code: 'canceled' } },
    });
    await untilEnded(`/api/jobs/${jobId}`);
    expect(await send('POST', `${slowPath}/cancel`)).toMatchObject({ status: 200 });
    expect(await send('DELETE', slowPath)).toMatchObject({ status: 204 });
    for (const path of [slowPath, `/api/jobs/${jobId}`])
      expect([path, await send('GET', path)]).toMatchObject([path, GONE]);
    const { body } = await send('GET', '/api/pairs');
    expect(body.pairs.map((pair: { pairKey: string }) => pair.pairKey)).not.toContain(pairKey);
    expect(await send('DELETE', slowPath)).toMatchObject(GONE);
    expect(await send('POST', `${slowPath}/cancel`)).toMatchObject(GONE);
  }, 60_000);

  test('a pair is deleted with all its comparisons', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) ids.push((await made('/api/compare', sides('/pair'))).comparisonId);
    for (const id of ids) await untilEnded(`/api/compare/${id}`);
    const pairKey = ids[0]?.split(':')[0];
    expect(await send('DELETE', `/api/pairs/${pairKey}`)).toMatchObject({ status: 204 });
    for (const id of ids) expect(await send('GET', `/api/compare/${id}`)).toMatchObject(GONE);
    const { body } = await send('GET', '/api/pairs');
    expect(body.pairs.map((pair: { pairKey: string }) => pair.pairKey)).not.toContain(pairKey);
    expect(await send('DELETE', `/api/pairs/${pairKey}`)).toMatchObject(GONE);
  }, 60_000);

  test('a suite is canceled by its own route, and deleted with the comparisons of its paths', async () => {
    const slow = await made('/api/suites', { ...sides('/'), paths: ['/slow'] });
    expect(await send('DELETE', `/api/suites/${slow.suiteId}`)).toMatchObject(STILL);
    expect(await send('POST', `/api/suites/${slow.suiteId}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'failed', error: { code: 'canceled' } },
    });
    const { suiteId } = await made('/api/suites', { ...sides('/'), paths: ['/a', '/b', '/c'] });
    await untilEnded(`/api/suites/${suiteId}`);
    const { body: suite } = await send('GET', `/api/suites/${suiteId}`);
    const ids = suite.rows.map((row: { comparisonId: string }) => row.comparisonId);
    expect(ids).toHaveLength(3);
    await untilEnded(`/api/jobs/${suiteId}`);
    expect(await send('DELETE', `/api/suites/${suiteId}`)).toMatchObject({ status: 204 });
    for (const path of [`/api/suites/${suiteId}`, `/api/jobs/${suiteId}`])
      expect([path, await send('GET', path)]).toMatchObject([path, GONE]);
    for (const id of ids) expect(await send('GET', `/api/compare/${id}`)).toMatchObject(GONE);
    expect(await send('DELETE', `/api/suites/${suiteId}`)).toMatchObject(GONE);
  }, 60_000);
});
