import { afterEach, expect, test } from 'vitest';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundRequest,
  readBody,
} from '../../src/runtimes/node/net.js';
import { startDnsServer } from '../support/dns-server.js';
import { listenTcp } from '../support/listen.js';

/**
 * Every call returns within 200 ms of the deadline, whatever the target does. The time is measured from when a timer of
 * the same length fires in this process, because on a busy machine every timer is late.
 */
const GRACE_MS = 200;
const DEADLINE_MS = 300;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Timed {
  readonly code: string;
  readonly ms: number;
  readonly lateMs: number;
}

async function timed(outbound: OutboundClient, request: OutboundRequest): Promise<Timed> {
  const startedAt = performance.now();
  const deadline = new Promise<number>((fired) => {
    setTimeout(() => fired(performance.now()), DEADLINE_MS);
  });
  const result = await outbound.fetch(request);
  let code = 'none';
  if (!result.ok) code = result.error.code;
  else
    code = await readBody(result.response.body, 1e6).then(
      () => 'none',
      (error) => error.code,
    );
  const endedAt = performance.now();
  return { code, ms: endedAt - startedAt, lateMs: endedAt - (await deadline) };
}

async function expectTimely(
  serve: Parameters<typeof listenTcp>[0],
  limits: OutboundRequest['limits'],
): Promise<void> {
  const server = await listenTcp(serve);
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const { code, ms, lateMs } = await timed(outbound, { url: server.origin, ...(limits && { limits }) });
  expect(code).toBe('timeout');
  expect(ms).toBeGreaterThanOrEqual(DEADLINE_MS - 2);
  expect(lateMs).toBeLessThan(GRACE_MS);
  await server.idle();
}

test('a target that never responds times out', () => expectTimely(() => {}, { totalMs: DEADLINE_MS }));

test('a target that sends its head byte by byte times out', () =>
  expectTimely(
    (socket) => {
      const timer = setInterval(() => socket.write('X'), 20);
      socket.write('HTTP/1.1 200 OK\r\nX-');
      socket.on('close', () => clearInterval(timer));
    },
    { totalMs: DEADLINE_MS },
  ));

test('a target that sends its body byte by byte times out', () =>
  expectTimely(
    (socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      socket.on('close', () => clearInterval(timer));
    },
    { totalMs: DEADLINE_MS },
  ));

test('a target that keeps itself alive with early hints times out', () =>
  expectTimely(
    (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    { totalMs: DEADLINE_MS },
  ));

test('a missing head times out at its own limit', () =>
  expectTimely(() => {}, { headersMs: DEADLINE_MS, totalMs: 20_000 }));

test('silence inside the body times out at its own limit', () =>
  expectTimely((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'), {
    idleMs: DEADLINE_MS,
    totalMs: 20_000,
  }));

test('name servers that never respond time out', async () => {
  const dns = await startDnsServer(() => undefined);
  const outbound = createOutboundClient({ dnsServers: [dns.address] });
  cleanups.push(
    () => dns.close(),
    () => outbound.close(),
  );
  const { code, lateMs } = await timed(outbound, {
    url: 'http://hung.sonde-tests.com/',
    limits: { totalMs: DEADLINE_MS },
  });
  expect(code).toBe('timeout');
  expect(lateMs).toBeLessThan(GRACE_MS);
});

test('a redirect chain shares one deadline', async () => {
  let turn = 0;
  const server = await listenTcp((socket) => {
    socket.on('data', () => {
      const timer = setTimeout(() => {
        socket.write(`HTTP/1.1 302 Found\r\nLocation: /hop${turn++}\r\nContent-Length: 0\r\n\r\n`);
      }, 80);
      socket.on('close', () => clearTimeout(timer));
    });
  });
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const { code, lateMs } = await timed(outbound, { url: server.origin, limits: { totalMs: DEADLINE_MS } });
  expect(code).toBe('timeout');
  expect(lateMs).toBeLessThan(GRACE_MS);
  expect(turn).toBeGreaterThan(1);
});
