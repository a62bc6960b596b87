import { afterEach, beforeEach, expect, test } from 'vitest';
import { callOf, InlineStreams } from '../../test/support/inline-streams.js';
import { createStream } from './create-stream.js';
import { destroyBefore, type LifetimeClock, trustedClock } from './lifetime-clock.js';
import { findKept, openStream } from './open-stream.js';
import type { StreamDeps } from './stream-deps.js';

let bench: InlineStreams;
let untrustedMs: number;
let deps: StreamDeps;
beforeEach(() => {
  bench = new InlineStreams();
  untrustedMs = 0;
  const lifetime: LifetimeClock = {
    now: () => bench.now,
    isTrusted: () => untrustedMs === 0,
    untrustedForMs: () => untrustedMs,
  };
  deps = { ...bench.deps, lifetime };
});
afterEach(() => bench.close());

const create = (headers: Record<string, string> = {}) =>
  createStream(
    deps,
    callOf('stream/t/a', { headers: { 'content-type': 'text/plain', ...headers }, body: 'x' }),
  );

test('while the clock is not trusted, an expired stream is hidden, kept, and keeps its name', async () => {
  await create({ 'stream-ttl': '1' });
  bench.now += 1_000;
  untrustedMs = 90_500;
  await expect(openStream(deps, 'stream/t/a')).rejects.toMatchObject({ code: 'STREAM_NOT_FOUND' });
  await expect(create()).rejects.toMatchObject({
    code: 'CLOCK_UNTRUSTED',
    details: { retryAfterSeconds: 91 },
  });
  expect(await findKept(deps, 'stream/t/a')).toMatchObject({ totalBytes: 1 });
  untrustedMs = 0;
  expect((await create()).status).toBe(201);
});

test('a create that loses a race to a hidden stream is refused too', async () => {
  bench.before('create', async () => {
    await bench.create('stream/t/a', 'y', { 'stream-ttl': '1' });
    bench.now += 1_000;
    untrustedMs = 1;
  });
  await expect(create()).rejects.toMatchObject({
    code: 'CLOCK_UNTRUSTED',
    details: { retryAfterSeconds: 1 },
  });
});

test('a stream that has not ended is found and can be written, whatever the wall clock says', async () => {
  untrustedMs = 1;
  expect((await create({ 'stream-ttl': '1' })).status).toBe(201);
  expect((await create({ 'stream-ttl': '1' })).status).toBe(200);
  expect((await bench.append('stream/t/a', 'z')).status).toBe(204);
});

test('nothing may be destroyed while the clock is not trusted', () => {
  expect(destroyBefore(deps.lifetime)).toBe(bench.now);
  untrustedMs = 1;
  expect(destroyBefore(deps.lifetime)).toBe(0);
  const trusted = trustedClock(() => 5);
  expect([trusted.now(), trusted.isTrusted(), trusted.untrustedForMs()]).toEqual([5, true, 0]);
});
