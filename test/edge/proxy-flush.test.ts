import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  locationOf,
  type ProxyBench,
  startProxyBench,
  Upstream,
  untilShown,
} from '../support/proxy-bench.js';

/**
 * The platform controls the time, so the shortest of several waits is compared with a flush time that none may need.
 */
const FLUSH_MS = 3_000;
const TRIES = 5;
let upstream: Upstream;
let bench: ProxyBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({ upstream, proxy: { flushMs: FLUSH_MS } });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

test('a lone token is shown to a live reader without waiting for more', async () => {
  let spoken: ServerResponse | undefined;
  upstream.respond = (response) => {
    spoken = response;
    response.socket?.setNoDelay(true);
    response.flushHeaders();
  };
  const location = locationOf(await bench.create('/'));
  const waits: number[] = [];
  for (let offset = '-1'; waits.length < TRIES; ) {
    const saidAt = performance.now();
    spoken?.write('token');
    const shown = await untilShown(location, 'token', offset);
    offset = shown.headers.get('stream-next-offset') ?? '';
    waits.push(performance.now() - saidAt);
  }
  expect(Math.min(...waits)).toBeLessThan(FLUSH_MS * 0.8);
});
