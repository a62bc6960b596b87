/** Attempts of a key: which outcomes of the upstream leave it open, and what is stored about every call. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { copyFolder } from '../support/copy-folder.js';
import { can } from '../support/engine-capabilities.js';
import { listenHttp } from '../support/listen.js';
import {
  idOf,
  locationOf,
  type ProxyBench,
  refusal,
  startProxyBench,
  token,
  Upstream,
} from '../support/proxy-bench.js';

let bench: ProxyBench;
let folder: string;
let keys = 0;
let key: string;

const options = (upstream: Upstream, dataDir: string) => ({
  upstream,
  dataDir,
  proxy: { routes: { model: { url: upstream.origin, credential: 'caller', private: true } } },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-attempts-'));
  bench = await startProxyBench(options(await Upstream.start(), folder));
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
  bench = await startProxyBench(options(upstream, folder));
}

type Way = 'create' | 'inline';
const WAYS: readonly Way[] = ['create', 'inline'];

/** Sends the same request each time, with the key of the test unless another one, or none, is given. */
function send(
  way: Way,
  {
    with: given = key,
    path = '/it',
    to = bench,
  }: { with?: string | null; path?: string; to?: ProxyBench } = {},
) {
  const headers = {
    'content-type': 'application/json',
    ...(given !== null && { 'idempotency-key': given }),
  };
  const body = '{"a":1}';
  if (way === 'create') return to.create(path, { method: 'POST', headers, body });
  const own = { 'sonde-authorization': to.bearer, authorization: 'Bearer mine' };
  return to.ask(`/r/model${path}`, { method: 'POST', headers: { ...headers, ...own }, body });
}

/** The upstream's status, however the way reports it. */
const statusOf = (response: Response) => Number(response.headers.get('upstream-status') ?? response.status);

const facts = async (response: Response) => {
  await response.text();
  return {
    status: statusOf(response),
    attempt: response.headers.get('sonde-attempt'),
    replayed: response.headers.get('idempotent-replayed'),
  };
};

/** The upstream fails in this way once, and then succeeds. */
function failOnce(fail: (response: ServerResponse) => void): void {
  bench.upstream.respond = (response) => {
    bench.upstream.respond = (later) => void later.end('ok');
    fail(response);
  };
}

const refuse = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/plain', 'retry-after-ms': '1' }).end('not now');

/** Lists are written after the response, and at the edge in another object. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

interface ListedItem {
  readonly id: string;
  readonly upstreamStatus: number | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly route: string | null;
  readonly attempts: number;
  readonly upstreamUrl: string;
}

async function list(query = ''): Promise<readonly ListedItem[]> {
  const response = await bench.ask(`/api/streams?kind=response&limit=200${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { streams: ListedItem[] }).streams;
}

const attemptsOf = async (id: string, bearer?: string) =>
  (await (
    await bench.ask(`/api/streams/attempts?response=${id}`, bearer === undefined ? {} : { token: bearer })
  ).json()) as { attempts: Record<string, unknown>[] };

describe.each(WAYS)('%s', (way) => {
  test.each([408, 409, 425, 429, 500, 502, 503, 529])(
    '%i received whole ends the attempt: the repeat is sent, and its 200 is final',
    async (status) => {
      failOnce(refuse(status));
      const first = await send(way);
      expect(await facts(first)).toEqual({ status, attempt: null, replayed: null });
      expect(await facts(await send(way))).toEqual({ status: 200, attempt: '2', replayed: null });
      expect(await facts(await send(way))).toEqual({ status: 200, attempt: '2', replayed: 'true' });
      expect(bench.upstream.asked).toHaveLength(2);
    },
  );

  test('after a restart, of many simultaneous repeats one is sent', async () => {
    failOnce(refuse(429));
    await facts(await send(way));
    await restart();
    failOnce((response) => void setTimeout(() => response.end('ok'), 100));
    const repeats = await Promise.all(Array.from({ length: 20 }, () => send(way)));
    expect(bench.upstream.asked).toHaveLength(2);
    const others = repeats.filter(({ status }) => status === 409);
    expect(
      repeats.filter((each) => each.headers.get('idempotent-replayed') === null && each.ok),
    ).toHaveLength(1);
    for (const other of others) {
      expect(other.headers.get('retry-after')).toBe('1');
      expect(await refusal(other)).toBe('409 CREATE_IN_PROGRESS');
    }
    expect(repeats.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
  });

  test.each([400, 401, 403, 404, 410, 422, 451])('%i is final', async (status) => {
    failOnce(refuse(status));
    expect(await facts(await send(way))).toMatchObject({ status, replayed: null });
    expect(await facts(await send(way))).toEqual({ status, attempt: null, replayed: 'true' });
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test.each([429, 500])('%i with part of its body is final', async (status) => {
    failOnce((response) => {
      response.writeHead(status, { 'content-length': '100' });
      response.write('part', () => response.socket?.destroy());
    });
    await send(way)
      .then((response) => response.text())
      .catch(() => 'broken');
    await send(way)
      .then((response) => response.text())
      .catch(() => 'broken');
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('a 2xx whose body breaks is final', async () => {
    failOnce((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('part', () => response.socket?.destroy());
    });
    await send(way)
      .then((response) => response.text())
      .catch(() => 'broken');
    await send(way)
      .then((response) => response.text())
      .catch(() => 'broken');
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('a connection that ends without a head is final', async () => {
    failOnce((response) => void response.socket?.destroy());
    expect(await facts(await send(way))).toMatchObject({ status: 502, replayed: null });
    expect(await facts(await send(way))).toEqual({ status: 502, attempt: null, replayed: 'true' });
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('any number of attempts may be refused; each has its row', async () => {
    bench.upstream.respond = refuse(503);
    for (let n = 1; n <= 4; n++)
      expect(await facts(await send(way, { path: '/it?token=secret' }))).toEqual({
        ...{ status: 503, attempt: n === 1 ? null : String(n), replayed: null },
      });
    bench.upstream.respond = (response) => void response.end('ok');
    const last = await send(way, { path: '/it?token=secret' });
    expect(await facts(last)).toMatchObject({ status: 200, attempt: '5' });
    const id = idOf(last);
    const { attempts } = await attemptsOf(id);
    expect(attempts.map(({ n, status, outcome, bytes }) => [n, status, outcome, bytes])).toEqual([
      ...[1, 2, 3, 4].map((n) => [n, 503, 'completed', 7]),
      [5, 200, 'completed', 2],
    ]);
    for (const { target, startedAt, headAt, route, method, error } of attempts) {
      expect([method, error]).toEqual(['POST', null]);
      expect(target).toMatch(/\/it\?token=(…|\[REDACTED\])$/);
      expect(route).toBe(way === 'inline' ? 'model' : null);
      expect(Date.parse(String(headAt))).toBeGreaterThanOrEqual(Date.parse(String(startedAt)));
    }
    await eventually(async () =>
      expect((await list()).find((each) => each.id === id)).toMatchObject({
        ...{ upstreamStatus: 200, attempts: 5, outcome: 'completed' },
      }),
    );
  });

  test('a different request under the same key is refused, also after a refusal', async () => {
    failOnce(refuse(429));
    await facts(await send(way));
    expect(await refusal(await send(way, { path: '/other' }))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(bench.upstream.asked).toHaveLength(1);
  });

  test('an attempt that a crash interrupts leaves the key undecided', async () => {
    failOnce(refuse(429));
    await facts(await send(way));
    bench.upstream.respond = () => {};
    const cut = send(way).catch(() => 'cut');
    await bench.upstream.untilAsked(2);
    const left = mkdtempSync(join(tmpdir(), 'sonde-left-'));
    copyFolder(folder, left);
    const next = await startProxyBench(options(bench.upstream, left));
    expect(await refusal(await send(way, { to: next }))).toBe('409 CREATE_INDETERMINATE');
    expect(bench.upstream.asked).toHaveLength(2);
    await next.stop();
    rmSync(left, { recursive: true, force: true });
    for (const socket of bench.upstream.listening.sockets) socket.destroy();
    await cut;
  });
});

test('a refusal whose body is still arriving is awaited, so that its repeat is sent', async () => {
  let finish = () => {};
  failOnce((response) => {
    response.writeHead(429, { 'content-type': 'text/plain' });
    response.write('not ');
    finish = () => void response.end('now');
  });
  const first = await send('inline');
  const again = send('inline');
  finish();
  expect(await facts(await again)).toEqual({ status: 200, attempt: '2', replayed: null });
  await first.text().catch(() => 'replaced');
  expect(bench.upstream.asked).toHaveLength(2);
});

test('what a refused attempt recorded is replaced, under the same id, by the next response', async () => {
  failOnce(refuse(429));
  const first = await send('inline');
  await first.text();
  expect(await (await fetch(locationOf(first))).text()).toBe('not now');
  const second = await send('inline');
  await second.text();
  expect(idOf(second)).toBe(idOf(first));
  const read = await fetch(locationOf(first));
  expect([await read.text(), read.headers.get('upstream-status'), read.headers.get('sonde-attempt')]).toEqual(
    [...['ok', '200', '2']],
  );
});

describe('lists', () => {
  test('calls without a key that got no head are listed, with the reason', async () => {
    bench.upstream.respond = (response) => void response.socket?.destroy();
    expect((await send('inline', { with: null, path: '/lost?key=secret' })).status).toBe(502);
    await eventually(async () => {
      const found = (await list('&status=none')).find(({ upstreamUrl }) => upstreamUrl.includes('/lost'));
      expect(found).toMatchObject({
        upstreamStatus: null,
        attempts: 1,
        outcome: 'failed',
        error: 'UPSTREAM_ERROR',
        route: 'model',
        upstreamUrl: `${bench.upstream.origin}/lost?key=…`,
      });
      const { attempts } = await attemptsOf(found?.id ?? '');
      expect(attempts).toMatchObject([{ n: 1, headAt: null, status: null, outcome: 'failed' }]);
    });
  });

  test('are filtered by class of status and by route', async () => {
    for (const [status, path] of [
      [200, '/two'],
      [404, '/four'],
      [503, '/five'],
    ] as const) {
      bench.upstream.respond = refuse(status);
      await facts(await send('inline', { with: null, path: `/class${path}` }));
      await facts(await send('create', { with: null, path: `/class${path}` }));
    }
    const paths = async (query: string) =>
      (await list(query))
        .filter(({ upstreamUrl }) => upstreamUrl.includes('/class/'))
        .map(({ upstreamUrl, route }) => `${upstreamUrl.split('/').at(-1)} ${route}`)
        .sort();
    await eventually(async () => {
      expect(await paths('&status=2xx')).toEqual(['two model', 'two null']);
      expect(await paths('&status=4xx')).toEqual(['four model', 'four null']);
      expect(await paths('&status=5xx')).toEqual(['five model', 'five null']);
      expect(await paths('&route=model')).toEqual(['five model', 'four model', 'two model']);
      expect(await paths('&route=model&status=4xx')).toEqual(['four model']);
      expect(await paths('&route=other')).toEqual([]);
      expect(await paths('&status=none')).toEqual([]);
    });
    expect(await refusal(await bench.ask('/api/streams?status=6xx'))).toBe('400 INVALID_REQUEST');
  });

  test('belong to one tenant, and end with the response', async () => {
    const made = await send('create', { with: null });
    const id = idOf(made);
    expect((await attemptsOf(id)).attempts).toHaveLength(1);
    const other = await token('other');
    const ask = (given?: string) =>
      bench.ask(`/api/streams/attempts?response=${id}`, given === undefined ? {} : { token: given });
    expect(await refusal(await ask(other))).toBe('404 STREAM_NOT_FOUND');
    expect(await refusal(await ask(await token('acme', ['proxy:create'])))).toBe('403 FORBIDDEN');
    await bench.ask(`/v1/proxy/${id}`, { method: 'DELETE' });
    expect(await refusal(await ask())).toBe('404 STREAM_NOT_FOUND');
  });
});

if (can('tellsUnsent')) {
  describe('a connection that was never established', () => {
    test('ends the attempt, and is listed', async () => {
      const gone = await listenHttp((_request, response) => void response.end('ok'));
      const { origin } = gone;
      const { port } = gone;
      await gone.close();
      const away = await startProxyBench({
        upstream: bench.upstream,
        proxy: { allow: [`private:${new URL(origin).host}`] },
      });
      const headers = { 'idempotency-key': key, 'upstream-url': `${origin}/x` };
      const refused = await away.create('/', { headers });
      expect(await refusal(refused)).toBe('502 UPSTREAM_ERROR');
      const back = await listenHttp((_request, response) => void response.end('ok'), port);
      const again = await away.create('/', { headers });
      expect([again.status, again.headers.get('sonde-attempt')]).toEqual([201, '2']);
      await back.close();
      const { attempts } = (await (
        await away.ask(`/api/streams/attempts?response=${idOf(again)}`)
      ).json()) as {
        attempts: Record<string, unknown>[];
      };
      expect(attempts).toMatchObject([
        { n: 1, status: null, outcome: 'failed', error: 'UPSTREAM_ERROR' },
        { n: 2, status: 200, outcome: 'completed' },
      ]);
      await away.stop();
    });
  });

  test('calls that a lost process left without a head are listed at the next start', async () => {
    bench.upstream.respond = () => {};
    const cut = send('create', { with: null, path: '/left' }).catch(() => 'cut');
    await bench.upstream.untilAsked(1);
    const left = mkdtempSync(join(tmpdir(), 'sonde-left-'));
    await eventually(async () => {
      copyFolder(folder, left);
      const next = await startProxyBench(options(bench.upstream, left));
      const response = await next.ask('/api/streams?kind=response&status=none&q=/left');
      const { streams } = (await response.json()) as { streams: ListedItem[] };
      await next.stop();
      expect(streams).toMatchObject([{ outcome: 'failed', error: 'PUMP_LOST', upstreamStatus: null }]);
    });
    rmSync(left, { recursive: true, force: true });
    for (const socket of bench.upstream.listening.sockets) socket.destroy();
    await cut;
  });
}
