/** The egress layer leaves no socket behind and limits connections per origin. */
import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createOutboundClient } from '../../src/runtimes/node/net.js';
import { listenTcp } from '../support/listen.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('no socket is left open after 1,000 canceled requests', async () => {
  const server = await listenTcp((socket) => {
    socket.on('data', (data) => {
      // A third never gets a head, a third gets an endless body, and a third gets a full response.
      const kind = /GET \/(\d+)/.exec(String(data))?.[1];
      if (Number(kind) % 3 === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\npart');
      if (Number(kind) % 3 === 2) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );

  const one = async (i: number): Promise<string> => {
    const abort = new AbortController();
    const pending = outbound.fetch({
      url: `${server.origin}/${i}`,
      signal: abort.signal,
      limits: { totalMs: 20_000 },
    });
    if (i % 3 === 0) setImmediate(() => abort.abort());
    const result = await pending;
    if (!result.ok) return result.error.code;
    const first = await result.response.body.read();
    result.response.body.cancel();
    return first ? 'canceled while reading' : 'ended';
  };
  const codes: string[] = [];
  for (let batch = 0; batch < 20; batch++) {
    codes.push(...(await Promise.all(Array.from({ length: 50 }, (_, i) => one(batch * 50 + i)))));
  }
  expect(codes.length).toBe(1000);
  expect(codes.filter((code) => code === 'canceled').length).toBeGreaterThan(300);
  await outbound.close();
  await server.idle();
  expect(server.sockets.size).toBe(0);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length).toBe(0);
});

test('at most 256 connections to one origin are open at once; more requests wait their turn', async () => {
  const held: Socket[] = [];
  const server = await listenTcp((socket) => {
    socket.on('data', () => held.push(socket));
  });
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const all = Array.from({ length: 300 }, (_each, i) =>
    outbound.fetch({ url: `${server.origin}/${i}`, limits: { totalMs: 30_000 } }),
  );
  await vi.waitFor(() => expect(held).toHaveLength(256), { timeout: 20_000 });
  // No other connection can appear: it would have had as many turns as these.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect([held.length, server.sockets.size]).toEqual([256, 256]);
  const response = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  held.forEach(response);
  // Reads to the end, so that the connection is free for a waiting request.
  const done = all.map(async (each) => {
    const result = await each;
    if (!result.ok) return result.error.code;
    while (await result.response.body.read());
    return 'ok';
  });
  await vi.waitFor(() => expect(held).toHaveLength(300), { timeout: 20_000 });
  held.slice(256).forEach(response);
  expect(new Set(await Promise.all(done))).toEqual(new Set(['ok']));
  expect(server.accepted()).toBe(256);
});

test('a connect that nobody waits for is torn down', async () => {
  // A listener with a full backlog would do; a black hole is simpler: a server that never responds to the TLS
  // handshake.
  const server = await listenTcp(() => {});
  const outbound = createOutboundClient({ allowPrivate: [`https://127.0.0.1:${server.port}`] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const abort = new AbortController();
  const pending = outbound.fetch({ url: `https://127.0.0.1:${server.port}/`, signal: abort.signal });
  while (server.accepted() === 0) await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  const result = await pending;
  expect(result.ok ? 'ok' : result.error.code).toBe('canceled');
  await server.idle();
});
