import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { type Listening, listenHttp } from '../support/listen.js';
import { EDGE_VARIABLES } from '../support/serve-edge.js';

/** During a deployment and after a rollback, objects and Workers of two releases meet. */
const BEFORE = gunzipSync(readFileSync(new URL('../fixtures/edge-before.js.gz', import.meta.url)));
const TODAY = readFileSync(new URL('../../dist/edge/worker/worker.js', import.meta.url));
const PAGE = '<!doctype html><html lang=en><title>t</title><h1>Home</h1></html>';

let site: Listening;
beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
  });
});
afterAll(() => site.close());

type Bundles = Pick<Parameters<typeof startEdge>[0], 'bundle' | 'objects'>;

async function start(stateFolder: string, bundles: Bundles): Promise<RunningEdge> {
  const allowed = { SONDE_ALLOW_PRIVATE: site.origin, SONDE_PROXY_ALLOW: `private:127.0.0.1:${site.port}` };
  return startEdge({
    stateFolder,
    pages: false,
    variables: { ...EDGE_VARIABLES, ...allowed },
    ...bundles,
  });
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sonde-edge-releases-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const TEXT = { 'content-type': 'text/plain' };
const read = async (url: string) => (await fetch(url)).text();
const readJson = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

async function write({ url }: RunningEdge, name: string): Promise<Written> {
  expect((await fetch(`${url}/v1/stream/${name}`, { method: 'PUT', headers: TEXT })).status).toBe(201);
  const append = { method: 'POST', headers: TEXT, body: 'one ' };
  expect((await fetch(`${url}/v1/stream/${name}`, append)).status).toBe(204);
  const proxied = await fetch(`${url}/v1/proxy`, {
    method: 'POST',
    headers: { 'upstream-url': `${site.origin}/`, 'upstream-method': 'GET', 'idempotency-key': name },
  });
  expect(proxied.status).toBe(201);
  const { pathname, search } = new URL(proxied.headers.get('location') ?? '');
  const sides = { leftUrl: `${site.origin}/l`, rightUrl: `${site.origin}/${name}` };
  const body = JSON.stringify({ ...sides, samples: 1, profile: 'core' });
  const headers = { 'content-type': 'application/json' };
  const compared = await fetch(`${url}/api/compare`, { method: 'POST', headers, body });
  expect(compared.ok, await compared.clone().text()).toBe(true);
  return {
    stream: name,
    proxied: pathname + search,
    compared: new URL(compared.headers.get('location') ?? '').pathname,
  };
}

interface Written {
  readonly stream: string;
  readonly proxied: string;
  readonly compared: string;
}

async function check({ url }: RunningEdge, { stream, proxied, compared }: Written): Promise<void> {
  expect(await read(`${url}/v1/stream/${stream}?offset=-1`)).toMatch(/^one /);
  expect(await read(`${url}${proxied}&offset=-1`)).toBe(PAGE);
  await vi.waitFor(
    async () => expect(await readJson(url + compared)).toMatchObject({ status: 'completed' }),
    { timeout: 40_000, interval: 200 },
  );
  const { jobs } = (await readJson(`${url}/api/jobs`)) as { jobs: { status: string }[] };
  expect(jobs.map(({ status }) => status)).not.toContain('failed');
}

describe.each<[string, Bundles]>([
  ["the previous release's objects behind today's Worker", { objects: BEFORE }],
  ["today's objects behind the previous release's Worker", { bundle: BEFORE, objects: TODAY }],
])('%s', (_title, bundles) => {
  test('streams, proxied responses and comparisons work', async () => {
    const edge = await start(folder(), bundles);
    onTestFinished(() => edge.stop());
    const written = await write(edge, 'mixed');
    await check(edge, written);
    const { url } = edge;
    const append = { method: 'POST', headers: TEXT, body: 'two' };
    expect((await fetch(`${url}/v1/stream/mixed`, append)).status).toBe(204);
    expect(await read(`${url}/v1/stream/mixed?offset=-1`)).toBe('one two');
    expect((await fetch(`${url}/v1/stream/mixed`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${url}/v1/stream/mixed`)).status).toBe(404);
    expect((await readJson(`${url}/api/pairs`))['pairs']).toHaveLength(1);
  }, 90_000);
});

test('a rollback leaves nothing unreachable, and the next upgrade finds everything', async () => {
  const state = folder();
  const today = await start(state, {});
  const first = await write(today, 'today');
  await check(today, first);
  await today.stop();
  const before = await start(state, { bundle: BEFORE });
  await check(before, first);
  const second = await write(before, 'before');
  await check(before, second);
  await before.stop();
  const again = await start(state, {});
  onTestFinished(() => again.stop());
  for (const written of [first, second]) await check(again, written);
}, 180_000);
