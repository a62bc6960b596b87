import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { locationOf, readToEnd, refusal, Upstream, untilShown } from '../support/proxy-bench.js';

/** Nothing is acknowledged while a stream's object cannot store anything. */
let upstream: Upstream;
let edge: FaultyEdge;
let folder: string;

beforeAll(async () => {
  upstream = await Upstream.start();
  folder = mkdtempSync(join(tmpdir(), 'sonde-edge-full-'));
  edge = await startFaultyEdge({
    folder,
    abortable: true,
    variables: { SONDE_PROXY_ALLOW: `private:${upstream.origin}/*` },
  });
});
beforeEach(() => upstream.reset());
afterEach(() => full('no more'));
afterAll(async () => {
  await edge.stop();
  await upstream.listening.close();
  rmSync(folder, { recursive: true, force: true });
});

async function full(where: 'in transactions' | 'at commits' | 'no more'): Promise<void> {
  await fetch(`${edge.url}/test/full`, { method: 'PUT', body: where });
}

const TEXT = { 'content-type': 'text/plain' };
const ask = (method: string, name: string, body?: string) =>
  fetch(`${edge.url}/v1/stream/${name}`, { method, headers: TEXT, ...(body !== undefined && { body }) });

const create = (key?: string) =>
  fetch(`${edge.url}/v1/proxy`, {
    method: 'POST',
    headers: {
      'upstream-url': `${upstream.origin}/answer`,
      'upstream-method': 'GET',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });

test('a transaction without room is 507 STORAGE_FULL and leaves nothing; the next one succeeds', async () => {
  await ask('PUT', 'a', 'kept');
  await full('in transactions');
  expect(await refusal(await ask('POST', 'a', ' lost'))).toBe('507 STORAGE_FULL');
  expect(await refusal(await ask('PUT', 'b', 'lost'))).toBe('507 STORAGE_FULL');
  expect(await (await ask('GET', 'a')).text()).toBe('kept');
  await full('no more');
  expect((await ask('GET', 'b')).status).toBe(404);
  expect((await ask('POST', 'a', ' again')).status).toBe(204);
  expect(await (await ask('GET', 'a')).text()).toBe('kept again');
});

test('a failed commit is never acknowledged, and the object recovers', async () => {
  await ask('PUT', 'c', 'kept');
  await full('at commits');
  const response = await ask('POST', 'c', ' unsure');
  expect(await refusal(response)).toMatch(/^50[37] STORAGE_(UNAVAILABLE|FULL)$/);
  await full('no more');
  expect((await ask('POST', 'c', ' again')).status).toBe(204);
  expect(await (await ask('GET', 'c')).text()).toMatch(/^kept( unsure)? again$/);
});

test("a response that cannot be stored is 502 STORAGE_ERROR with the upstream's status", async () => {
  upstream.respond = (response) =>
    void full('in transactions').then(() => response.writeHead(203).end('for nobody'));
  const refused = await create();
  expect(refused.headers.get('upstream-status')).toBe('203');
  expect(await refusal(refused)).toBe('502 STORAGE_ERROR');
  await full('no more');
  upstream.respond = (response) => void response.end('for somebody');
  expect((await create()).status).toBe(201);
});

test('nothing is sent if the key cannot be stored; if its result cannot be stored, a repeat is refused', async () => {
  await full('in transactions');
  expect(await refusal(await create('k1'))).toBe('507 STORAGE_FULL');
  expect(upstream.asked).toEqual([]);
  await full('no more');
  upstream.respond = (response) => void full('in transactions').then(() => response.end('for nobody'));
  const refused = await create('k1');
  expect(refused.headers.get('upstream-status')).toBe('200');
  expect(await refusal(refused)).toBe('502 STORAGE_ERROR');
  await full('no more');
  expect(await refusal(await create('k1'))).toMatch(/^\d+ CREATE_INDETERMINATE$/);
  expect(upstream.asked).toHaveLength(1);
});

test.each([
  ['in transactions', 'STORAGE_ERROR', /^the first words$/],
  // The platform decides whether the data of a failed commit is there afterwards.
  ['at commits', 'PUMP_LOST', /^the first words(, and others)?$/],
] as const)(
  'a response whose rest finds no room %s ends as failed, with everything that was shown',
  async (where, code, kept) => {
    let rest = () => {};
    upstream.respond = (response) => {
      response.write('the first words');
      rest = () => void response.write(', and others');
    };
    const location = locationOf(await create());
    await untilShown(location, 'the first words');
    await full(where);
    rest();
    await upstream.listening.idle();
    await full('no more');
    const { text, last } = await readToEnd(location);
    expect(text).toMatch(kept);
    expect([last.headers.get('upstream-outcome'), last.headers.get('upstream-error')]).toEqual([
      'failed',
      code,
    ]);
  },
);
