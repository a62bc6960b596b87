/** Request bodies that stream to the upstream, and response bodies that are passed on as they were received. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { can } from '../support/engine-capabilities.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { locationOf, type ProxyBench, readToEnd, refusal, startProxyBench } from '../support/proxy-bench.js';
import { wireGet } from '../support/wire-get.js';

const MIB = 1024 * 1024;
const LIMIT = 24 * MIB;

interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly headers: IncomingMessage['headers'];
  readonly isWhole: boolean;
}

let upstream: Listening;
let bench: ProxyBench;
let received: Received[] = [];
let onReceived: () => void = () => {};
let respond: (response: ServerResponse, request: IncomingMessage) => void;

beforeAll(async () => {
  upstream = await listenHttp((request, response) => {
    const hash = createHash('sha256');
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      hash.update(piece);
      bytes += piece.length;
    });
    request.on('error', () => {});
    request.on('close', () => {
      const { headers, complete } = request;
      received.push({ bytes, sha256: hash.digest('hex'), headers, isWhole: complete });
      onReceived();
      if (complete) respond(response, request);
    });
  });
  bench = await startProxyBench({
    proxy: {
      routes: {
        up: { url: upstream.origin, private: true, credential: 'caller' },
        slow: { url: upstream.origin, private: true, credential: 'caller', headersMs: 150 },
      },
      allow: [`private:127.0.0.1:${upstream.port}`],
      bodyBytesMax: LIMIT,
      urlMs: 5_000,
    },
  });
});
afterAll(async () => {
  await bench.stop();
  await upstream.close();
});
beforeEach(() => {
  received = [];
  respond = (response) => void response.end('ok');
});

const bytesOf = (length: number, seed = 7) => Buffer.alloc(length, `some bytes ${seed} `);
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns a body without a length. */
const chunked = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 100_000) controller.enqueue(bytes.subarray(at, at + 100_000));
      controller.close();
    },
  });

function send(body: BodyInit, headers: Record<string, string> = {}, path = '/r/up/files'): Promise<Response> {
  return bench.ask(path, {
    method: 'POST',
    body,
    headers: { 'sonde-authorization': bench.bearer, ...headers },
    ...{ duplex: 'half' },
  });
}

describe('an upload', () => {
  test.each([3 * MIB, (can('streamsUploads') ? 20 : 8) * MIB])(
    'of %i bytes reaches the upstream with its length',
    async (length) => {
      const bytes = bytesOf(length);
      expect(await (await send(bytes)).text()).toBe('ok');
      expect(received).toMatchObject([{ bytes: length, sha256: digest(bytes) }]);
      expect(received[0]?.headers['content-length']).toBe(String(length));
    },
  );

  test.each([10, 3 * MIB])('of %i bytes without a length arrives whole', async (length) => {
    const bytes = bytesOf(length);
    expect(await (await send(chunked(bytes))).text()).toBe('ok');
    expect(received).toMatchObject([{ bytes: length, sha256: digest(bytes) }]);
  });

  test('with a key is compared by its bytes, with or without a length', async () => {
    const bytes = bytesOf(3 * MIB);
    const key = { 'idempotency-key': 'upload' };
    await (await send(bytes, key)).text();
    const again = await send(bytes, key);
    expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', 'ok']);
    expect(await refusal(await send(bytesOf(3 * MIB, 8), key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(await refusal(await send('short', key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(await (await send(chunked(bytes), key)).text()).toBe('ok');
    expect(received.length).toBe(1);
  });

  if (can('lingers')) {
    test.each([
      ['with a length', (bytes: Buffer) => new Uint8Array(bytes)],
      ['without one', chunked],
    ] as [string, (bytes: Buffer) => BodyInit][])(
      'over the limit %s: the client receives the 413',
      async (_what, bodyOf) => {
        const bytes = bytesOf(LIMIT + 8 * MIB);
        for (let i = 0; i < 3; i++) {
          expect(await refusal(await send(bodyOf(bytes)))).toBe('413 BODY_TOO_LARGE');
        }
        expect(received.filter(({ isWhole }) => isWhole)).toEqual([]);
      },
    );
  }

  test('that is truncated never reaches a handler whole, and its key is free again', async () => {
    const socket = connect(Number(new URL(bench.url).port), '127.0.0.1');
    const lines = [
      'POST /r/up/files HTTP/1.1',
      'Host: 127.0.0.1',
      `Sonde-Authorization: ${bench.bearer}`,
      'Idempotency-Key: broken',
      `Content-Length: ${4 * MIB}`,
    ];
    const broke = new Promise<void>((resolve) => {
      onReceived = resolve;
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(bytesOf(2 * MIB), () => socket.destroy());
    if (can('streamsUploads')) await broke;
    expect(received.filter(({ isWhole }) => isWhole)).toEqual([]);
    const bytes = bytesOf(4 * MIB);
    const key = { 'idempotency-key': 'broken' };
    await expect.poll(async () => (await send(bytes, key)).status).toBe(200);
    expect(received.at(-1)).toMatchObject({ sha256: digest(bytes), isWhole: true });
  });
});

describe('a response body is passed on as it was received', () => {
  const text = 'words of a model '.repeat(500);

  const gzipped = () => {
    respond = (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
    const headers = { 'accept-encoding': 'gzip;q=0.7', 'sonde-authorization': bench.bearer };
    return wireGet(`${bench.url}/r/up/coded`, headers);
  };

  if (can('keepsCodings')) {
    test("the client's Accept-Encoding is forwarded, and the Content-Encoding of the response is kept", async () => {
      const raw = await gzipped();
      expect(received[0]?.headers['accept-encoding']).toBe('gzip;q=0.7');
      expect(raw.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(raw.body).toString()).toBe(text);
      const location = String(raw.headers['stream-location']);
      expect(await (await fetch(location)).text()).toBe(text);
      const part = await fetch(`${location}&offset=-1&skip=5`);
      expect(part.headers.get('content-encoding')).toBeNull();
      expect(part.headers.get('cache-control')).toContain('no-transform');
      expect(Buffer.from(await part.arrayBuffer())).toEqual(gzipSync(text).subarray(5));
    });
  } else {
    test('no coding is requested, and an unrequested one is decoded', async () => {
      const raw = await gzipped();
      expect(received[0]?.headers['accept-encoding']).toBe('identity');
      expect(raw.body.toString()).toBe(text);
      expect(await (await fetch(String(raw.headers['stream-location']))).text()).toBe(text);
    });
  }

  test('a create requests no coding, so that its bytes can be read from any position', async () => {
    const created = await bench.create('/', {
      headers: { 'upstream-url': `${upstream.origin}/plain`, 'accept-encoding': 'gzip' },
    });
    await readToEnd(locationOf(created));
    expect(received[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('a known length is kept, also for HEAD', async () => {
    respond = (response, { method }) => {
      response.writeHead(200, { 'content-length': String(3 * MIB) });
      response.end(method === 'HEAD' ? undefined : bytesOf(3 * MIB));
    };
    const headers = { 'sonde-authorization': bench.bearer };
    const got = await bench.ask('/r/up/file', { headers });
    expect(got.headers.get('content-length')).toBe(String(3 * MIB));
    expect((await got.arrayBuffer()).byteLength).toBe(3 * MIB);
    const head = await bench.ask('/r/up/file', { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(3 * MIB)]);
  });

  test.each(['close', 'chunked'])('a reset is never the end of a body: %s', async (framing) => {
    respond = (response) => {
      const { socket } = response;
      if (framing === 'close') socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhalf');
      else response.writeHead(200).write('half');
      setTimeout(() => socket?.resetAndDestroy(), 50);
    };
    const headers = { 'upstream-url': `${upstream.origin}/reset` };
    const { text: stored, last } = await readToEnd(locationOf(await bench.create('/', { headers })));
    const error = can('tellsReset') ? 'UPSTREAM_RESET' : 'UPSTREAM_TRUNCATED';
    expect([stored, last.headers.get('upstream-error')]).toEqual(['half', error]);
  });
});

test('a route can have its own timeout for the head', async () => {
  respond = () => {};
  const headers = { 'sonde-authorization': bench.bearer };
  expect(await refusal(await bench.ask('/r/slow/x', { headers }))).toBe('504 UPSTREAM_TIMEOUT');
});

test('signed URLs have their own lifetime', async () => {
  const created = await bench.create('/', { headers: { 'upstream-url': `${upstream.origin}/` } });
  const expires = Number(new URL(locationOf(created)).searchParams.get('expires'));
  expect(expires * 1000 - Date.now()).toBeLessThanOrEqual(5_000);
});

if (can('serverMetrics')) {
  test('retries of an SDK without a key are counted, and logged once', async () => {
    const retry = { 'x-stainless-retry-count': '1' };
    await (await send('{}', retry)).text();
    await (await send('{}', retry)).text();
    await (await send('{}', { 'x-stainless-retry-count': '0' })).text();
    await (await send('{}', { ...retry, 'idempotency-key': 'with-a-key' })).text();
    const metrics = await (await bench.ask('/metrics')).text();
    expect(metrics).toMatch(/^sonde_proxy_unkeyed_retries_total 2$/m);
    const logged = bench.lines.filter((line) => JSON.stringify(line).includes('Idempotency-Key'));
    expect(logged.length).toBe(1);
  });
}
