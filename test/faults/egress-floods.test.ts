/** Targets that send without end: every flood stops at a limit, and memory stays flat. */
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { brotliCompressSync, constants, createGzip } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createOutboundClient, type OutboundRequest, readBody } from '../../src/runtimes/node/net.js';
import { listenTcp } from '../support/listen.js';

const MiB = 1024 * 1024;
const limits = { totalMs: 20_000, bodyBytes: MiB, wireBytes: 4 * MiB };

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Resolves when more can be written, or when nothing ever will be. */
function drained(stream: Writable): Promise<void> {
  const events = ['drain', 'close', 'error'];
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}

/** Sends `piece` repeatedly until the client hangs up, honouring back-pressure. */
async function flood(socket: Socket, head: string, piece: Buffer): Promise<number> {
  let sent = 0;
  socket.write(head);
  while (!socket.destroyed && sent < 512 * MiB) {
    sent += piece.length;
    if (!socket.write(piece)) await drained(socket);
  }
  return sent;
}

interface Outcome {
  code: string;
  bytes: number;
  sent: number;
  grownMiB: number;
}

async function attack(
  serve: (socket: Socket) => Promise<number>,
  request: Partial<OutboundRequest> = {},
): Promise<Outcome> {
  let sending: Promise<number> = Promise.resolve(0);
  const server = await listenTcp((socket) => {
    socket.once('data', () => {
      sending = serve(socket).catch(() => 0);
    });
  });
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const before = process.memoryUsage().rss;
  const result = await outbound.fetch({ url: server.origin, limits, ...request });
  let code = 'none';
  let bytes = 0;
  if (!result.ok) code = result.error.code;
  else {
    const read = await readBody(result.response.body, 1e9).catch((error) => error);
    code = read.code ?? 'none';
    bytes = read.bytes?.length ?? 0;
  }
  const grownMiB = (process.memoryUsage().rss - before) / MiB;
  await server.idle();
  return { code, bytes, sent: await sending, grownMiB };
}

/** Far below what each attack sends, with room for the garbage collector. */
const FLAT_MIB = 64;

test('a gzip bomb stops at the limit on decoded bytes', async () => {
  const outcome = await attack(async (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n');
    const gzip = createGzip({ level: 9 });
    gzip.pipe(socket);
    const zeros = Buffer.alloc(MiB);
    for (let i = 0; i < 256 && !socket.destroyed; i++) {
      if (!gzip.write(zeros)) await drained(gzip);
    }
    gzip.end();
    return 256 * MiB;
  });
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('a brotli bomb of a hundred bytes stops at the limit', async () => {
  const bomb = brotliCompressSync(Buffer.alloc(64 * MiB), { params: { [constants.BROTLI_PARAM_LGWIN]: 22 } });
  expect(bomb.length).toBeLessThan(1024);
  const outcome = await attack(async (socket) => {
    socket.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
    );
    return bomb.length;
  });
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('an endless identity body stops at the limit', async () => {
  const outcome = await attack((socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(64 * 1024, 'x')),
  );
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('endless headers stop at the head limit', async () => {
  const piece = Buffer.from(`X-Filler: ${'y'.repeat(1000)}\r\n`);
  const outcome = await attack((socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', piece));
  expect(outcome.code).toBe('header_too_large');
  expect(outcome.sent).toBeLessThan(64 * MiB);
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('an endless reason phrase stops at the head limit', async () => {
  const outcome = await attack((socket) => flood(socket, 'HTTP/1.1 200 ', Buffer.alloc(64 * 1024, 'r')));
  expect(outcome.code).toBe('header_too_large');
  expect(outcome.sent).toBeLessThan(64 * MiB);
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('endless early hints stop at the head limit', async () => {
  const piece = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000));
  const outcome = await attack((socket) => flood(socket, '', piece));
  expect(outcome.code).toBe('header_too_large');
  expect(outcome.sent).toBeLessThan(64 * MiB);
});

test('endless chunk extensions stop at the wire limit', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;';
  const outcome = await attack((socket) => flood(socket, head, Buffer.alloc(64 * 1024, 'e')));
  expect(outcome.code).toBe('response_too_large');
  expect(outcome.sent).toBeLessThan(64 * MiB);
  expect(outcome.grownMiB).toBeLessThan(FLAT_MIB);
});

test('endless trailers are cut off', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n';
  const outcome = await attack((socket) => flood(socket, head, Buffer.from(`T: ${'z'.repeat(1000)}\r\n`)));
  expect(['header_too_large', 'response_too_large']).toContain(outcome.code);
  expect(outcome.sent).toBeLessThan(64 * MiB);
});

test('a reader that does not read slows the target down', async () => {
  let sent = 0;
  const server = await listenTcp((socket) => {
    socket.once('data', () => {
      void (async () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const piece = Buffer.alloc(64 * 1024, 'b');
        while (!socket.destroyed && sent < 256 * MiB) {
          const flushed = socket.write(piece);
          sent += piece.length;
          if (!flushed) await drained(socket);
        }
      })();
    });
  });
  const outbound = createOutboundClient({ allowPrivate: [server.origin] });
  cleanups.push(
    () => server.close(),
    () => outbound.close(),
  );
  const result = await outbound.fetch({
    url: server.origin,
    limits: { bodyBytes: 512 * MiB, totalMs: 20_000 },
  });
  if (!result.ok) throw result.error;
  // The sender is stuck once its counter stays the same over many turns of the loop.
  let still = 0;
  for (let last = -1; still < 50; still = last === sent ? still + 1 : 0) {
    last = sent;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(sent).toBeLessThan(32 * MiB);
  result.response.body.cancel();
  await server.idle();
});
