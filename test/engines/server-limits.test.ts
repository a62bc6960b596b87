import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  DEFAULT_HTTP_LIMITS,
  type HttpServer,
  openHttpServer,
} from '../../src/runtimes/node/server/open-http-server.js';
import { keepingLog } from '../support/keeping-log.js';

/** Writes to a raw socket and collects the response until the other side closes. */
function exchange(port: number, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1');
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      got += text;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
    for (const part of parts) socket.write(part, 'latin1');
  });
}

const codes = (responses: string) => [...responses.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code);

let server: HttpServer;
let port: number;
let release: () => void;
let heard: { path: string; peer: string | undefined }[];

/** Requests that never arrive end after this long; others must arrive in time even on a busy machine. */
const HASTY_MS = 1_000;
const PATIENT_MS = 120_000;

async function open(requestMs: number): Promise<void> {
  heard = [];
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: keepingLog(),
    limits: {
      ...DEFAULT_HTTP_LIMITS,
      headerBytesMax: 4096,
      headMs: requestMs,
      requestMs,
      checkEveryMs: 50,
      connectionsMax: 4,
    },
    async fetch(request, { peerAddress }) {
      const { pathname } = new URL(request.url);
      heard.push({ path: pathname, peer: peerAddress });
      if (pathname === '/gated') await gate;
      if (pathname === '/reads') await request.text();
      if (pathname === '/throws') throw new Error('secret text');
      return new Response(`response to ${pathname}`);
    },
  });
  port = server.address.port;
}

async function close(): Promise<void> {
  release();
  await server.stop({ drainMs: 0, quiet: async () => {} });
}

async function timeOutSoon(): Promise<void> {
  await close();
  await open(HASTY_MS);
}

beforeEach(() => open(PATIENT_MS));
afterEach(close);

describe('requests that Node refuses get coded errors', () => {
  test('a head over the limit is 431 and names the limit', async () => {
    const response = await exchange(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(64 * 1024)}\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(response).toContain('"bytesMax":4096');
    expect(heard).toEqual([]);
  });

  test('an endless request line is 431 too', async () => {
    expect(codes(await exchange(port, `GET /${'x'.repeat(64 * 1024)}`))).toEqual(['HEADERS_TOO_LARGE']);
  });

  test('a head that does not end is 408 after its time limit', async () => {
    await timeOutSoon();
    const response = await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(codes(response)).toEqual(['REQUEST_TIMEOUT']);
  });

  test('a silent connection is 408 too', async () => {
    await timeOutSoon();
    expect(codes(await exchange(port))).toEqual(['REQUEST_TIMEOUT']);
  });

  test.each([
    ['REQUEST_TIMEOUT', 'Content-Length: 5\r\n\r\nab'],
    ['REQUEST_TIMEOUT', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab'],
    ['INVALID_REQUEST', 'Transfer-Encoding: chunked\r\n\r\ng\r\nab'],
  ])('a body that cannot arrive is %s, though the app waits for it: %j', async (code, rest) => {
    if (code === 'REQUEST_TIMEOUT') await timeOutSoon();
    const responses = exchange(
      port,
      `GET /gated HTTP/1.1\r\nHost: a\r\n\r\nPOST /reads HTTP/1.1\r\nHost: a\r\n${rest}`,
    );
    // A request with an unsafe method starts only after those before it have their responses.
    await expect.poll(() => heard.map(({ path }) => path)).toEqual(['/gated']);
    release();
    const text = await responses;
    expect(text.indexOf('response to /gated')).toBeGreaterThan(0);
    expect([codes(text), text.includes('response to /reads')]).toEqual([[code], false]);
  });

  test.each([
    ['garbage', '\x00\x01\x02 nonsense\r\n\r\n'],
    ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    [
      'a length together with chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
  ])('%s is 400', async (_name, request) => {
    const response = await exchange(port, request);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(codes(response)).toEqual(['INVALID_REQUEST']);
    expect(response).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(heard).toEqual([]);
  });

  test.each([
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a/b@c\r\nConnection: close\r\n\r\n'],
  ])('%s is 400', async (_name, request) => {
    const response = await exchange(port, request);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(codes(response)).toEqual(['INVALID_REQUEST']);
  });

  test('the error for garbage after a running request waits for its response', async () => {
    const responses = exchange(port, 'GET /gated HTTP/1.1\r\nHost: a\r\n\r\n', '\x00garbage\r\n\r\n');
    await expect.poll(() => heard.length).toBe(1);
    release();
    const text = await responses;
    expect(text.indexOf('response to /gated')).toBeGreaterThan(0);
    expect(text.indexOf('INVALID_REQUEST')).toBeGreaterThan(text.indexOf('response to /gated'));
  });

  test('an uncaught error of the app is 500, without its text', async () => {
    const response = await exchange(port, 'GET /throws HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(codes(response)).toEqual(['INTERNAL']);
    expect(response).not.toContain('secret text');
  });
});

test('pipelined requests get responses in order', async () => {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
  const text = await exchange(port, get('/1'), get('/2'), get('/3', 'Connection: close\r\n'));
  expect([...text.matchAll(/response to (\/\d)/g)].map(([, path]) => path)).toEqual(['/1', '/2', '/3']);
});

test('a response may take longer than a request', async () => {
  await timeOutSoon();
  const slow = exchange(port, 'GET /gated HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await expect.poll(() => heard.length).toBe(1);
  // A request that starts later times out first.
  expect(codes(await exchange(port, 'GET / HTTP/1.1\r\n'))).toEqual(['REQUEST_TIMEOUT']);
  release();
  expect(await slow).toContain('response to /gated');
});

test('the peer address reaches the app', async () => {
  await exchange(port, 'GET /peer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect(heard).toEqual([{ path: '/peer', peer: '127.0.0.1' }]);
});

describe('the connection limit', () => {
  const held = (count: number, method = 'POST') =>
    Array.from({ length: count }, () =>
      exchange(
        port,
        `${method} /gated HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
    );
  const ask = (method: string, path: string) =>
    exchange(port, `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);

  test('one connection too many gets 503 with Retry-After, and probes still get through', async () => {
    const running = held(4);
    await expect.poll(() => heard.length).toBe(4);
    const refused = await ask('POST', '/write');
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/Retry-After: \d/);
    expect(codes(refused)).toEqual(['SERVER_BUSY']);
    expect(await ask('GET', '/api/health')).toContain('response to /api/health');
    expect(await ask('GET', '/api/ready?verbose')).toContain('response to /api/ready');
    release();
    for (const text of await Promise.all(running)) expect(text).toContain('response to /gated');
    expect(server.connections.refused).toBe(1);
  });

  test('reads leave a slot free, so that writes always get through', async () => {
    const readers = held(3, 'GET');
    await expect.poll(() => heard.length).toBe(3);
    expect(server.connections.byKind).toEqual({ read: 3, other: 0, idle: 0 });
    expect(codes(await ask('GET', '/read'))).toEqual(['SERVER_BUSY']);
    expect(await ask('POST', '/write')).toContain('response to /write');
    release();
    for (const text of await Promise.all(readers)) expect(text).toContain('response to /gated');
    expect(await ask('GET', '/read')).toContain('response to /read');
  });

  test('a new connection replaces the one that has been idle longest', async () => {
    await timeOutSoon();
    let ended = 0;
    const silent = Array.from({ length: 4 }, () => exchange(port).then((text) => ({ text, at: ++ended })));
    await expect.poll(() => server.connections.size).toBe(4);
    expect(await ask('POST', '/write')).toContain('response to /write');
    const [first] = await Promise.all(silent);
    expect(first).toEqual({ text: '', at: 1 });
  });
});
