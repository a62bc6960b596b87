import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  idOf,
  locationOf,
  type ProxyBench,
  readSse,
  readToEnd,
  refusal,
  startProxyBench,
  Upstream,
  untilShown,
} from '../support/proxy-bench.js';

/** The proxy in workerd, where the stream's object calls the upstream and runs the pump. */
const dataDir = mkdtempSync(join(tmpdir(), 'sonde-edge-proxy-'));
let upstream: Upstream;
let bench: ProxyBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({ upstream, dataDir });
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('a response is recorded while it arrives, and reads the same in every mode', async () => {
  upstream.respond = (response) => {
    response.write('one ');
    setTimeout(() => response.end('two'), 100);
  };
  const made = await bench.create('/x');
  expect([made.status, made.headers.get('upstream-status')]).toEqual([201, '200']);
  const location = locationOf(made);
  const [polled, live] = await Promise.all([readToEnd(location), readSse(location)]);
  expect([polled.text, live.text]).toEqual(['one two', 'one two']);
  expect(polled.last.headers.get('upstream-outcome')).toBe('completed');
  expect(live.control).toMatchObject({ streamClosed: true, upstreamOutcome: 'completed' });
});

test('one key is one request to the upstream, however often and how concurrently it is sent', async () => {
  let reply: () => void = () => {};
  upstream.respond = (response) => {
    reply = () => void response.end('once');
  };
  const headers = { 'idempotency-key': 'a key' };
  const first = bench.create('/keyed', { headers: { 'idempotency-key': 'a-key' } });
  await upstream.untilAsked(1);
  const meanwhile = await bench.create('/keyed', { headers: { 'idempotency-key': 'a-key' } });
  expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1']);
  reply();
  const again = await first.then(() => bench.create('/keyed', { headers: { 'idempotency-key': 'a-key' } }));
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(idOf(again)).toBe(idOf(await first));
  expect((await bench.create('/other', { headers: { 'idempotency-key': 'a-key' } })).status).toBe(422);
  expect((await bench.create('/keyed', { headers })).status).toBe(400);
  expect(upstream.asked).toHaveLength(1);
});

test('an abort stops the upstream and keeps what arrived; a deletion leaves nothing', async () => {
  const gone = new Promise<void>((resolve) => {
    upstream.respond = (response) => {
      response.on('close', resolve);
      response.write('half');
    };
  });
  const made = await bench.create('/endless');
  const location = locationOf(made);
  expect((await fetch(`${location}&action=abort`, { method: 'PATCH' })).status).toBe(204);
  await gone;
  expect((await readToEnd(location)).last.headers.get('upstream-outcome')).toBe('aborted');
  expect((await bench.ask(`/v1/proxy/${idOf(made)}`, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(location)).status).toBe(404);
});

/** The platform controls the time, so short settings stand for long ones. */
describe('time', () => {
  let hasty: ProxyBench;
  beforeAll(async () => {
    hasty = await startProxyBench({ upstream, proxy: { headersMs: 1_000, idleMs: 1_500 } });
  });
  afterAll(() => hasty.stop());

  const afterMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  /** Sends its head and this much of its body, then nothing more; resolves when it is released. */
  const fallsSilent = (status: number, text: string) =>
    new Promise<void>((resolve) => {
      upstream.respond = (response) => void response.on('close', resolve).writeHead(status).write(text);
    });

  test('an upstream that sends no head times out', async () => {
    upstream.respond = () => {};
    expect(await refusal(await hasty.create('/silent'))).toBe('504 UPSTREAM_TIMEOUT');
    await upstream.listening.idle();
  });

  test('a body that falls silent times out, an error body too, and everything before it is kept', async () => {
    const error = fallsSilent(500, 'half of');
    const refused = await hasty.create('/failing');
    expect(refused.headers.get('upstream-status')).toBe('500');
    expect(await refusal(refused)).toBe('504 UPSTREAM_BODY_TIMEOUT');
    await error;
    const silent = fallsSilent(200, 'hello');
    const location = locationOf(await hasty.create('/stopping'));
    await silent;
    const { text, last } = await readToEnd(location);
    expect(text).toBe('hello');
    expect(last.headers.get('upstream-outcome')).toBe('timeout');
    expect(last.headers.get('upstream-error')).toBe('UPSTREAM_BODY_TIMEOUT');
  });

  test('a response without readers is stopped unless it is to be kept', async () => {
    const proxy = { keepMs: 6_000, urlMs: 6_000, orphanPolicy: 'cancel-after=1s' };
    const patient = await startProxyBench({ upstream, proxy });
    const gone = fallsSilent(200, 'x');
    const dropped = locationOf(await patient.create('/unread'));
    const kept = locationOf(await patient.create('/kept', { headers: { 'orphan-policy': 'keep' } }));
    await gone;
    expect((await readToEnd(dropped)).last.headers.get('upstream-outcome')).toBe('aborted');
    expect((await fetch(kept)).headers.get('stream-closed')).toBe('false');
    // A signed URL expires on its own, whatever happened to its stream.
    await vi.waitFor(async () => expect(await refusal(await fetch(kept))).toBe('401 SIGNATURE_EXPIRED'), {
      timeout: 90_000,
      interval: 200,
    });
    const abort = await fetch(`${kept}&action=abort`, { method: 'PATCH' });
    expect(await refusal(abort)).toBe('401 SIGNATURE_EXPIRED');
    await patient.stop();
  });

  test('live responses last as long as configured, for a stream in its object and for a run in the Worker', async () => {
    const sseMs = 1_000;
    const net = { allowPrivate: [upstream.origin] };
    const brief = await startProxyBench({ upstream, sseMs, net, auth: 'none' });
    const silent = fallsSilent(200, 'x');
    const stream = `${locationOf(await brief.create('/spoke'))}&offset=-1&live=sse`;
    upstream.respond = () => {};
    const sides = { leftUrl: `${upstream.origin}/l`, rightUrl: `${upstream.origin}/r` };
    const run = await brief.ask('/api/compare', {
      method: 'POST',
      body: JSON.stringify(sides),
      headers: { 'content-type': 'application/json' },
    });
    const headers = { accept: 'text/event-stream' };
    for (const url of [stream, `${run.headers.get('location')}/events`]) {
      const askedAt = performance.now();
      const live = await fetch(url, { headers });
      expect(live.headers.get('content-type')).toBe('text/event-stream');
      // Neither has ended: the stream is open, and the run is still waiting.
      expect(await live.text()).not.toMatch(/streamClosed|completed|failed/);
      expect(performance.now() - askedAt).toBeGreaterThan(sseMs * 0.8);
    }
    await brief.stop();
    await silent;
  });

  test('a caller can have its response stopped when it has no reader; a reader keeps it alive', async () => {
    // A closed connection is noticed only when something is written to it, so the upstream keeps sending.
    const gone = new Promise<void>((resolve) => {
      upstream.respond = (response) => {
        const talking = setInterval(() => response.write('x'), 100);
        response.on('close', () => {
          clearInterval(talking);
          resolve();
        });
      };
    });
    const headers = { 'orphan-policy': 'cancel-after=1500ms' };
    const location = locationOf(await bench.create('/read', { headers }));
    const leave = new AbortController();
    const live = await fetch(`${location}&offset=-1&live=sse`, { signal: leave.signal });
    expect(await Promise.race([gone, afterMs(3_000).then(() => 'is read')])).toBe('is read');
    leave.abort();
    await live.text().catch(() => {});
    await gone;
    const { text, last } = await readToEnd(location);
    expect(text).toMatch(/^x{10,}$/);
    expect(last.headers.get('upstream-outcome')).toBe('aborted');
  });
});

test('a stream whose object lost its pump ends as lost, and keeps what was acknowledged', async () => {
  upstream.respond = (response) => void response.write('before');
  const location = locationOf(await bench.create('/cut'));
  await untilShown(location, 'before');
  await bench.stop();
  bench = await startProxyBench({ upstream, dataDir });
  const { pathname, search } = new URL(location);
  const { text, last } = await readToEnd(`${bench.url}${pathname}${search}`);
  expect(text).toBe('before');
  expect(last.headers.get('upstream-outcome')).toBe('failed');
  expect(last.headers.get('upstream-error')).toBe('PUMP_LOST');
});
