import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordsOfStreams } from '../support/object-tables.js';
import {
  locationOf,
  type ProxyBench,
  readToEnd,
  startProxyBench,
  Upstream,
  untilShown,
} from '../support/proxy-bench.js';

/**
 * When the pump in a stream's object writes: at 4 KB, or 50 ms after the first byte. Time is the platform's, so what
 * is held to it is the least of several waits, and how many records can have been written in the time that passed.
 */
const FLUSH_MS = 50;
const TRIES = 10;
let upstream: Upstream;
let bench: ProxyBench;

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startProxyBench({ upstream });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

/** A stream whose upstream has given its head and says what it is told to. */
async function speaking(through = bench): Promise<{ location: string; response: ServerResponse }> {
  let spoken: ServerResponse | undefined;
  upstream.answer = (response) => {
    spoken = response;
    response.socket?.setNoDelay(true);
    response.flushHeaders();
  };
  const location = locationOf(await through.create('/'));
  if (!spoken) throw new Error('the upstream was not asked');
  return { location, response: spoken };
}

/** How long it took, piece by piece, until a live reader had what the upstream said before it fell silent again. */
async function waitsOf(piece: string, { through = bench, tries = TRIES } = {}): Promise<number[]> {
  const { location, response } = await speaking(through);
  const waits: number[] = [];
  for (let offset = '-1'; waits.length < tries; ) {
    const saidAt = performance.now();
    response.write(piece);
    const shown = await untilShown(location, piece, offset);
    offset = shown.headers.get('stream-next-offset') ?? '';
    waits.push(performance.now() - saidAt);
  }
  expect(response.writableEnded).toBe(false);
  return waits;
}

test('a lone token is shown to a live reader by time alone, while its upstream is silent', async () => {
  expect(Math.min(...(await waitsOf('token')))).toBeGreaterThan(FLUSH_MS * 0.8);
});

test('4 KB are stored at once, however long the time is', async () => {
  const flushMs = 3_000;
  const own = await startProxyBench({ upstream, proxy: { settings: { flushMs } } });
  expect(Math.min(...(await waitsOf('x'.repeat(4_096), { through: own })))).toBeLessThan(flushMs * 0.8);
  await own.stop();
});

test('many tokens make few records', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-edge-flush-'));
  const own = await startProxyBench({ upstream, dataDir });
  const { location, response } = await speaking(own);
  // Together they are less than 4 KB.
  const tokens = 600;
  const begunAt = performance.now();
  for (let token = 0; token < tokens; token++) {
    response.write('token ');
    await new Promise((next) => setTimeout(next, 1));
  }
  response.end();
  expect((await readToEnd(location)).text).toBe('token '.repeat(tokens));
  const passedMs = performance.now() - begunAt;
  await own.stop();
  const [records = 0] = recordsOfStreams(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  // One for each 50 ms that have passed, and what is left with the end.
  expect(records).toBeLessThanOrEqual(passedMs / FLUSH_MS + 1);
  expect(records).toBeGreaterThan(1);
  expect(records).toBeLessThan(tokens / 2);
});

test('other bytes and another time act when they are set', async () => {
  const [flushBytes, flushMs] = [16, 3_000];
  const own = await startProxyBench({ upstream, proxy: { settings: { flushBytes, flushMs } } });
  const enough = await waitsOf('x'.repeat(flushBytes), { through: own });
  expect(Math.min(...enough)).toBeLessThan(flushMs * 0.8);
  const [tooFew = 0] = await waitsOf('x'.repeat(flushBytes - 1), { through: own, tries: 1 });
  expect(tooFew).toBeGreaterThan(flushMs * 0.8);
  await own.stop();
});
