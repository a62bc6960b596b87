/** Starting and stopping the embedded server: draining, refused options, login and limits. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mintToken, type TokenGrant } from '../../src/api/auth/mint-token.js';
import { type RunningServer, startServer } from '../../src/runtimes/node/server/index.js';
import { DEFAULT_HTTP_LIMITS } from '../../src/runtimes/node/server/open-http-server.js';
import { secretFiles } from '../../src/runtimes/node/server/secrets.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { useLoopTime } from '../support/loop-time.js';
import { rawExchange } from '../support/raw-exchange.js';
import { makeTenants, serveOptions, type TestOptions } from '../support/serve.js';

let data: string;
let running: RunningServer | undefined;
let lines: LogLine[];
const loopMs = useLoopTime();

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sonde-server-'));
  lines = [];
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await rm(data, { recursive: true, force: true });
});

const options = (changes: TestOptions = {}) =>
  serveOptions(data, {
    auth: 'jwt',
    bodyBytesMax: 1024,
    headerBytesMax: 8192,
    drainMs: 5000,
    log: keepingLog(lines),
    ...changes,
  });

async function start(changes: TestOptions = {}): Promise<{ server: RunningServer; port: number }> {
  running = await startServer(options(changes));
  return { server: running, port: Number(new URL(running.url).port) };
}

class Client {
  readonly socket: Socket;
  text = '';
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8');
    this.socket.on('data', (part: string) => {
      this.text += part;
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  async until(words: string): Promise<void> {
    await expect.poll(() => this.text, { interval: 5 }).toContain(words);
  }
}

const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n';
const LOGIN = (length: number) =>
  `POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`;

/** Opens a request that the app has started and that waits for the rest of its body. */
async function slowRequest(port: number): Promise<Client> {
  const client = new Client(port);
  client.socket.write(LOGIN(14));
  await client.until('100 Continue');
  client.socket.write('{"code"');
  return client;
}

describe('stopping', () => {
  test('a running request finishes, with Connection: close', async () => {
    const { server, port } = await start();
    const client = await slowRequest(port);
    const stopped = server.stop();
    client.socket.write(':"abc"}');
    expect(await stopped).toEqual({ drained: true });
    await client.closed;
    expect(client.text).toContain('INVALID_LOGIN_CODE');
    expect(client.text).toMatch(/\r\nConnection: close\r\n/i);
  });

  test('idle connections close at once: kept alive, never used, and in the middle of a head', async () => {
    const { server, port } = await start({ drainMs: 60_000 });
    const [idle, silent, half] = [new Client(port), new Client(port), new Client(port)];
    idle.socket.write(HEALTH);
    await idle.until('"status":"ok"');
    half.socket.write('GET / HTTP/1.1\r\nHo');
    await expect
      .poll(
        async () =>
          (await (await fetch(`${server.url}/metrics`)).text()).match(/connections_open (\d+)/)?.[1],
      )
      .toBe('4');
    const before = loopMs();
    expect(await server.stop()).toEqual({ drained: true });
    // No other limit would have closed all of them by then.
    expect(loopMs() - before).toBeLessThan(DEFAULT_HTTP_LIMITS.headMs);
    await Promise.all([idle.closed, silent.closed, half.closed]);
  });

  test('a request that does not finish within the drain is cut', async () => {
    const { server, port } = await start({ drainMs: 100 });
    const client = await slowRequest(port);
    expect(await server.stop()).toEqual({ drained: false });
    await client.closed;
    expect(client.text).not.toContain('HTTP/1.1 4');
  });

  test('a new request during the drain gets 503 with Retry-After', async () => {
    const { server, port } = await start();
    const client = await slowRequest(port);
    const stopped = server.stop();
    const refused = await fetch(`${server.url}/api/health`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ error: { code: 'SERVER_STOPPING' } });
    client.socket.write(':"abc"}');
    expect(await stopped).toEqual({ drained: true });
  });

  test('no new connection is accepted afterwards, and stopping twice is stopping once', async () => {
    const { server, port } = await start();
    const [first, second] = [server.stop(), server.stop()];
    expect(first).toBe(second);
    await first;
    await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
  });
});

describe('starting', () => {
  test('a port in use is LISTEN_FAILED and named', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
      await expect(startServer(options({ port }))).rejects.toMatchObject({
        code: 'LISTEN_FAILED',
        details: { host: '127.0.0.1', port },
        message: expect.stringContaining(`port ${port}`) as string,
      });
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'sonde.test'])(
    'auth none on %s is refused before listening',
    async (host) => {
      await expect(startServer(options({ auth: 'none', host }))).rejects.toMatchObject({
        code: 'CONFIG_INVALID_VALUE',
        details: { key: 'server.auth' },
      });
    },
  );

  test('auth none responds on loopback without a credential, but not to another Host', async () => {
    const { server, port } = await start({ auth: 'none', host: 'localhost' });
    expect(server.loginUrl).toBeUndefined();
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
    const client = new Client(port);
    client.socket.write('GET /api/health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n');
    await client.closed;
    expect(client.text).toContain('ORIGIN_REFUSED');
  });

  test.each([
    [{ trustProxy: ['proxy.test'] }, 'server.trustProxy'],
    [{ publicUrl: 'sonde.test' }, 'server.publicUrl'],
    [{ publicUrl: 'https://sonde.test/?a=b' }, 'server.publicUrl'],
    [{ jwt: { secret: 'x'.repeat(40), loadJwks: async () => ({ keys: [] }) } }, 'auth.jwks'],
    [{ serviceTokens: [{ token: 'short', tenant: 'a', scopes: [] }] }, 'auth.serviceTokens'],
  ])('%o is refused by its key', async (changes, key) => {
    await expect(startServer(options(changes))).rejects.toMatchObject({
      code: 'CONFIG_INVALID_VALUE',
      details: { key },
    });
  });

  test('metrics are public here, and protected behind a proxy or a public URL', async () => {
    const { server } = await start();
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200);
    await server.stop();
    const behind = await start({ publicUrl: 'https://sonde.test' });
    expect(behind.server.loginUrl).toMatch(/^https:\/\/sonde\.test\/#code=/);
    expect((await fetch(`${behind.server.url}/metrics`)).status).toBe(401);
  });
});

test('the login link works once, and no secret is logged', async () => {
  const { server } = await start();
  const code = new URL(server.loginUrl ?? '').hash.replace('#code=', '');
  const post = () =>
    fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  const response = await post();
  expect([response.status, (await post()).status]).toEqual([200, 401]);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect((await fetch(`${server.url}/api/session`, { method: 'DELETE', headers: { cookie } })).status).toBe(
    403,
  );
  const logged = JSON.stringify(lines);
  expect(logged).not.toContain(code);
  expect(logged).not.toContain(cookie.split('=')[1]);
});

test('tokens minted with the data folder secret are accepted', async () => {
  const { server } = await start({ publicUrl: 'https://sonde.test' });
  await makeTenants(data, 'acme');
  const { jwtSecret } = await secretFiles(data).auth();
  const ask = async (path: string, grant: TokenGrant) => {
    const token = await mintToken({ secret: jwtSecret, expiresInSeconds: 60, ...grant });
    return fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  };
  const admin = { tenant: 'acme', scopes: ['admin'] };
  expect((await ask('/api/jobs', admin)).status).toBe(200);
  expect((await ask('/metrics', admin)).status).toBe(403);
  const metrics = await ask('/metrics', { operator: true });
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).toContain('process_resident_memory_bytes');
});

test('a body without a length is refused once it is over the limit', async () => {
  const { server } = await start();
  const chunk = `258\r\n${'x'.repeat(600)}\r\n`;
  const head =
    'POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const text = await rawExchange(Number(new URL(server.url).port), [head, chunk, chunk], { firstMs: 20_000 });
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('"code":"BODY_TOO_LARGE"');
});
