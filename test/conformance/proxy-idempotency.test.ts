/** Idempotency-Key of the proxy: what a repeat gets, across restarts and crashes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyFolder } from '../support/copy-folder.js';
import { can } from '../support/engine-capabilities.js';
import { ManualTimers } from '../support/manual-timers.js';
import {
  type CreateInit,
  idOf,
  locationOf,
  type ProxyBench,
  readToEnd,
  refusal,
  startProxyBench,
  token,
  Upstream,
} from '../support/proxy-bench.js';

let bench: ProxyBench;
let folder: string;
let keys = 0;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-keys-'));
  bench = await startProxyBench({ upstream: await Upstream.start(), dataDir: folder });
});
afterAll(async () => {
  await bench.stop();
  await bench.upstream.listening.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  bench.upstream.reset();
  key = `key-${++keys}`;
});

async function restart(): Promise<void> {
  const { upstream } = bench;
  await bench.stop();
  bench = await startProxyBench({ upstream, dataDir: folder });
}

function create(init: CreateInit & { path?: string; key?: string } = {}): Promise<Response> {
  const { path = '/it', key: given = key, headers = {}, ...rest } = init;
  const base = { method: 'POST', body: '{"a":1}' };
  return bench.create(path, {
    ...base,
    ...rest,
    headers: { 'content-type': 'application/json', ...headers, 'idempotency-key': given },
  });
}

const whole = async (response: Response) => ({
  status: response.status,
  upstreamStatus: response.headers.get('upstream-status'),
  upstreamHeaders: response.headers.get('upstream-headers'),
  contentType: response.headers.get('content-type'),
  body: await response.text(),
});

describe('a repeat', () => {
  test.each([false, true])(
    'returns 200 and a Location for the same stream, and sends nothing (restart between: %s)',
    async (between) => {
      const first = await create();
      await readToEnd(locationOf(first));
      if (between) await restart();
      const second = await create();
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(idOf(second)).toBe(idOf(first));
      expect(second.headers.get('upstream-status')).toBe('200');
      expect(second.headers.get('upstream-outcome')).toBe('completed');
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await (await fetch(locationOf(second))).text()).toBe('ok');
      expect(bench.upstream.asked).toHaveLength(1);
      expect(bench.upstream.asked[0]?.headers['idempotency-key']).toBe(key);
    },
  );

  test.each([false, true])(
    'of a failed create returns the same status, headers and body (restart between: %s)',
    async (between) => {
      bench.upstream.respond = (response) =>
        void response
          .writeHead(403, { 'content-type': 'text/x', 'retry-after': '9' })
          .end('slow \u00fc down');
      const first = await whole(await create());
      if (between) await restart();
      const second = await create();
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await whole(second)).toEqual(first);
      expect(first).toMatchObject({
        status: 502,
        upstreamStatus: '403',
        contentType: 'text/x',
        body: 'slow \u00fc down',
      });
      expect(bench.upstream.asked).toHaveLength(1);
    },
  );

  test.each([
    [
      'a redirect',
      (r: { writeHead(n: number, h: object): { end(): void } }) => r.writeHead(302, { location: '/' }).end(),
      400,
    ],
    ['a hang-up', (r: { socket?: { destroy(): void } | null }) => r.socket?.destroy(), 502],
  ] as const)('of %s returns the same response', async (_name, reply, status) => {
    bench.upstream.respond = (response) => void reply(response as never);
    const first = await whole(await create());
    expect(first.status).toBe(status);
    expect(await whole(await create())).toEqual(first);
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('returns the stream while the response is still arriving', async () => {
    bench.upstream.respond = (response) => void response.write('x');
    const first = await create();
    const second = await create();
    expect([second.status, idOf(second)]).toEqual([200, idOf(first)]);
    expect(second.headers.get('upstream-outcome')).toBeNull();
    await fetch(`${locationOf(first)}&action=abort`, { method: 'PATCH' });
    expect((await create()).headers.get('upstream-outcome')).toBe('aborted');
  });

  test('of a deleted stream is 404 and sends nothing', async () => {
    const first = await create();
    await bench.ask(`/v1/proxy/${idOf(first)}`, { method: 'DELETE' });
    expect(await refusal(await create())).toBe('404 STREAM_NOT_FOUND');
    expect(bench.upstream.asked).toHaveLength(1);
  });
});

describe('what makes a request different', () => {
  test.each([
    ['a different method', { method: 'PUT' }],
    ['a different URL', { path: '/other' }],
    ['a different query', { path: '/it?x=1' }],
    ['a different content type', { headers: { 'content-type': 'text/plain' } }],
    ['a different body', { body: '{"a":2}' }],
  ])('%s: 422 IDEMPOTENCY_KEY_REUSED', async (_name, init) => {
    expect((await create()).status).toBe(201);
    expect(await refusal(await create(init))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('other headers do not matter', async () => {
    const first = await create();
    const second = await create({
      headers: { 'x-attempt': '2', 'upstream-authorization': 'Bearer rotated' },
    });
    expect(idOf(second)).toBe(idOf(first));
  });

  test('a key belongs to one tenant', async () => {
    await create();
    const other = await create({ token: await token('other') });
    expect(other.status).toBe(201);
    expect(bench.upstream.asked).toHaveLength(2);
  });
});

describe('in progress', () => {
  test('409 CREATE_IN_PROGRESS with Retry-After; a different request is 422 at once', async () => {
    let reply: () => void = () => {};
    bench.upstream.respond = (response) => {
      reply = () => void response.end('late');
    };
    const first = create();
    await bench.upstream.untilAsked(1);
    const second = await create();
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await refusal(second)).toBe('409 CREATE_IN_PROGRESS');
    expect(await refusal(await create({ body: 'other' }))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    reply();
    expect((await first).status).toBe(201);
    expect((await create()).status).toBe(200);
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('only one of 30 concurrent requests is sent', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => create()));
    expect(bench.upstream.asked).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
  });

  test('after a crash: 409 CREATE_INDETERMINATE, and nothing is resent', async () => {
    bench.upstream.respond = () => {};
    const cut = create().catch(() => 'cut');
    await bench.upstream.untilAsked(1);
    // The process ends while the upstream has the request: the key was taken and nothing else was written.
    const { upstream } = bench;
    const left = mkdtempSync(join(tmpdir(), 'sonde-left-'));
    copyFolder(folder, left);
    const next = await startProxyBench({ upstream, dataDir: left });
    const again = await next.create('/it', {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
    expect(await refusal(again)).toBe('409 CREATE_INDETERMINATE');
    expect(upstream.asked).toHaveLength(1);
    await next.stop();
    rmSync(left, { recursive: true, force: true });
    for (const socket of upstream.listening.sockets) socket.destroy();
    await cut;
  });
});

describe('a key under which nothing was sent is free again', () => {
  test('after the egress layer refused the target', async () => {
    const { host } = new URL(bench.upstream.origin);
    const closed = await startProxyBench({ upstream: bench.upstream, proxy: { allow: [host] } });
    const init = { headers: { 'idempotency-key': key } };
    for (let i = 0; i < 2; i++)
      expect(await refusal(await closed.create('/', init))).toBe('403 UPSTREAM_NOT_ALLOWED');
    await closed.stop();
  });
});

if (can('manualTimers')) {
  test('a key is kept for 24 h', async () => {
    const timers = new ManualTimers();
    const timed = await startProxyBench({ upstream: bench.upstream, proxy: { timers } });
    const init = { headers: { 'idempotency-key': key } };
    expect((await timed.create('/', init)).status).toBe(201);
    timers.pass(86_399_000);
    expect((await timed.create('/', init)).status).toBe(200);
    timers.pass(2_000);
    expect((await timed.create('/', init)).status).toBe(201);
    expect(bench.upstream.asked).toHaveLength(2);
    await timed.stop();
  });
}

describe('stopping by key', () => {
  const abort = (init: { key?: string | null; token?: string; query?: string } = {}) => {
    const { key: given = key, token: bearer, query = '?action=abort' } = init;
    return bench.ask(`/v1/proxy${query}`, {
      method: 'PATCH',
      ...(bearer !== undefined && { token: bearer }),
      ...(given !== null && { headers: { 'idempotency-key': given } }),
    });
  };

  test('reaches an upstream that has not responded yet; a repeat gets 409 UPSTREAM_ABORTED', async () => {
    bench.upstream.respond = () => {};
    const asked = create();
    await bench.upstream.untilAsked(1);
    expect((await abort()).status).toBe(204);
    expect(await refusal(await asked)).toBe('409 UPSTREAM_ABORTED');
    await bench.upstream.listening.idle();
    expect(await refusal(await create())).toBe('409 UPSTREAM_ABORTED');
    expect(bench.upstream.asked.length).toBe(1);
  });

  test('stops a response in progress, and can be repeated', async () => {
    bench.upstream.respond = (response) => void response.write('half');
    const location = locationOf(await create());
    expect((await abort()).status).toBe(204);
    expect((await abort()).status).toBe(204);
    expect((await readToEnd(location)).last.headers.get('upstream-outcome')).toBe('aborted');
  });

  test('prevents a request that has not arrived yet from being sent', async () => {
    expect((await abort()).status).toBe(204);
    expect(await refusal(await create())).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(bench.upstream.asked.length).toBe(0);
  });

  test("does not reach another tenant's request", async () => {
    bench.upstream.respond = (response) => void response.write('half');
    const location = locationOf(await create());
    expect((await abort({ token: await token('other') })).status).toBe(204);
    expect((await fetch(location)).headers.get('stream-closed')).toBe('false');
    await abort();
  });

  test('needs a key, the scope proxy:create and action=abort', async () => {
    expect(await refusal(await abort({ key: null }))).toBe('400 INVALID_REQUEST');
    expect(await refusal(await abort({ key: 'ü'.repeat(300) }))).toBe('400 INVALID_IDEMPOTENCY_KEY');
    expect(await refusal(await abort({ query: '' }))).toBe('400 INVALID_ACTION');
    expect(await refusal(await abort({ token: await token('acme', ['proxy:read']) }))).toBe('403 FORBIDDEN');
  });
});
