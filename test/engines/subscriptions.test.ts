import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SUBSCRIPTION_BODY_BYTES_MAX } from '../../src/streams/subscriptions/subscription-limits.js';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { track } from '../support/listen.js';
import { makeTenants, type ServedForTest, serveForTest } from '../support/serve.js';

/** Subscriptions over the server's real port, with real receivers on loopback. */
const ending: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

type Options = NonNullable<Parameters<typeof serveForTest>[0]>;

async function serve(options: Options = {}): Promise<ServedForTest> {
  const server = await serveForTest(options);
  ending.push(() => server.stop());
  return server;
}

interface Notification {
  readonly raw: string;
  readonly signature: string;
  readonly path: string;
  readonly body: {
    readonly wake_id: string;
    readonly generation: number;
    readonly callback_url: string;
    readonly callback_token: string;
    readonly streams: readonly { path: string; tail_offset: string; has_pending: boolean }[];
  };
}

type Responder = (response: ServerResponse, count: number) => void;

const done: Responder = (response) => response.end('{"done":true}');
const silentOk: Responder = (response) => response.end('{}');

class Receiver {
  readonly got: Notification[] = [];
  readonly url: string;
  readonly origin: string;
  #waiting: (() => void)[] = [];

  private constructor(origin: string) {
    this.origin = origin;
    this.url = `${origin}/hook`;
  }

  /** On its own port, or on one that was refused before. */
  static async open(reply: Responder, port = 0): Promise<Receiver> {
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const raw = Buffer.concat(pieces).toString('utf8');
      const signature = String(request.headers['webhook-signature']);
      receiver.got.push({ raw, signature, path: request.url ?? '', body: JSON.parse(raw) });
      for (const wake of receiver.#waiting.splice(0)) wake();
      reply(response, receiver.got.length);
    });
    if (port > 0) {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ending.push(() => {
        server.closeAllConnections();
        server.close();
      });
    } else {
      const listening = await track(server);
      ending.push(() => listening.close());
    }
    const address = server.address();
    const bound = typeof address === 'object' && address ? address.port : port;
    const receiver = new Receiver(`http://127.0.0.1:${bound}`);
    return receiver;
  }

  async nth(count: number): Promise<Notification> {
    while (this.got.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const notification = this.got[count - 1];
    if (!notification) throw new Error('no notification');
    return notification;
  }
}

type Fields = Record<string, unknown>;

async function ask(url: string, method: string, fields?: Fields, token?: string) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(fields && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(fields && { body: JSON.stringify(fields) }),
  });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Fields & { error?: Fields };
  return { status: response.status, headers: response.headers, body, code: body.error?.['code'] };
}

const subscriptionUrl = (base: string, id = 'one') => `${base}/v1/stream/__ds/subscriptions/${id}`;
const webhook = (url: string, more: Fields = {}): Fields => ({
  type: 'webhook',
  pattern: 'events/*',
  webhook: { url },
  lease_ttl_ms: 1000,
  ...more,
});

async function append(base: string, path: string, token?: string): Promise<void> {
  const url = `${base}/v1/stream/${path}`;
  const made = await ask(url, 'PUT', { event: 1 }, token);
  if (made.status === 201) return;
  expect((await ask(url, 'POST', { event: 2 }, token)).status).toBe(204);
}

test('a webhook is signed so that anyone can verify it, and its response settles the wake', async () => {
  const [server, receiver] = [await serve(), await Receiver.open(done)];
  const created = await ask(subscriptionUrl(server.url), 'PUT', webhook(receiver.url));
  expect(created.status).toBe(201);
  await append(server.url, 'events/a');
  const { raw, signature, body } = await receiver.nth(1);
  const [, seconds, kid, signed = ''] = /^t=(\d+),kid=(ds_[\w-]+),ed25519=([\w-]+)$/.exec(signature) ?? [];
  const jwks = await ask(`${server.url}/v1/stream/__ds/jwks.json`, 'GET');
  expect(jwks.headers.get('content-type')).toBe('application/jwk-set+json');
  const [key] = jwks.body['keys'] as (JsonWebKey & { kid: string })[];
  expect(key).toMatchObject({ kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
  expect(key).not.toHaveProperty('d');
  const publicKey = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
  const holds = (text: string) =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signed, 'base64url'));
  expect(holds(`${seconds}.${raw}`)).toBe(true);
  expect(holds(`${seconds}.${raw} `)).toBe(false);
  expect(body.streams).toMatchObject([{ path: 'events/a', has_pending: true }]);
  const acked = { path: 'events/a', acked_offset: body.streams[0]?.tail_offset };
  await expect
    .poll(async () => (await ask(subscriptionUrl(server.url), 'GET')).body['streams'])
    .toMatchObject([acked]);
});

test('a failed delivery is retried: after a 500, and after a refused connection', async () => {
  const lines: LogLine[] = [];
  const server = await serve({ log: keepingLog(lines) });
  const receiver = await Receiver.open((response, count) => {
    if (count === 1) response.writeHead(500).end();
    else done(response, count);
  });
  const gone = await track(createServer());
  await gone.close();
  await ask(subscriptionUrl(server.url, 'failing'), 'PUT', webhook(receiver.url));
  await ask(subscriptionUrl(server.url, 'refused'), 'PUT', webhook(`${gone.origin}/hook`));
  await append(server.url, 'events/a');
  const [first, second] = [await receiver.nth(1), await receiver.nth(2)];
  expect([second.body.wake_id, second.body.generation]).toEqual([first.body.wake_id, 1]);
  const refused = expect.objectContaining({ why: 'connect_error' });
  await expect.poll(() => lines.map(({ fields }) => fields)).toContainEqual(refused);
  const late = await Receiver.open(done, gone.port);
  expect((await late.nth(1)).body.generation).toBe(1);
});

test('a redirect is a response and is not followed', async () => {
  const server = await serve();
  const receiver = await Receiver.open((response, count) => {
    if (count === 1) response.writeHead(307, { location: '/elsewhere' }).end();
    else done(response, count);
  });
  await ask(subscriptionUrl(server.url), 'PUT', webhook(receiver.url));
  await append(server.url, 'events/a');
  await receiver.nth(2);
  expect(receiver.got.map(({ path }) => path)).toEqual(['/hook', '/hook']);
});

test('wakes, cursors and leases survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonde-subscriptions-'));
  ending.push(() => rmSync(dataDir, { recursive: true, force: true }));
  // The first delivery never gets a response: the server stops while it waits.
  const receiver = await Receiver.open((response, count) => {
    if (count > 1) silentOk(response, count);
  });
  let server = await serveForTest({ dataDir });
  await ask(subscriptionUrl(server.url), 'PUT', webhook(receiver.url, { lease_ttl_ms: 600_000 }));
  const pull = { type: 'pull-wake', streams: ['events/a'], wake_stream: 'wake', lease_ttl_ms: 600_000 };
  await ask(subscriptionUrl(server.url, 'pull'), 'PUT', pull);
  await append(server.url, 'events/a');
  const first = await receiver.nth(1);
  const claimed = await ask(`${subscriptionUrl(server.url, 'pull')}/claim`, 'POST', { worker: 'ann' });
  await server.stop();
  server = await serveForTest({ dataDir });
  ending.push(() => server.stop());
  const second = await receiver.nth(2);
  expect(second.body).toMatchObject({
    wake_id: first.body.wake_id,
    callback_token: first.body.callback_token,
  });
  expect(await ask(`${subscriptionUrl(server.url, 'pull')}/claim`, 'POST', { worker: 'bob' })).toMatchObject({
    status: 409,
    code: 'ALREADY_CLAIMED',
    body: { error: { current_holder: 'ann' } },
  });
  const { wake_id, generation, token } = claimed.body;
  const acks = first.body.streams.map(({ path, tail_offset: offset }) => ({ stream: path, offset }));
  const ackUrl = `${subscriptionUrl(server.url, 'pull')}/ack`;
  const ack = await ask(ackUrl, 'POST', { wake_id, generation, acks, done: true }, String(token));
  expect([ack.status, ack.body]).toEqual([200, { ok: true, next_wake: false }]);
  const view = await ask(subscriptionUrl(server.url, 'pull'), 'GET');
  expect(view.body['streams']).toMatchObject([{ link_type: 'explicit', acked_offset: acks[0]?.offset }]);
});

test('an expired lease starts a new generation, and the old one is fenced', async () => {
  const [server, receiver] = [await serve(), await Receiver.open(silentOk)];
  await ask(subscriptionUrl(server.url), 'PUT', webhook(receiver.url));
  await append(server.url, 'events/a');
  const first = await receiver.nth(1);
  const second = await receiver.nth(2);
  expect(second.body.generation).toBe(2);
  const settle = ({ body }: Notification, more: Fields = {}) => {
    const { wake_id, generation, callback_token, callback_url } = body;
    return ask(callback_url, 'POST', { wake_id, generation, done: true, ...more }, callback_token);
  };
  expect(await settle(first)).toMatchObject({ status: 409, code: 'FENCED' });
  const acks = second.body.streams.map(({ path, tail_offset: offset }) => ({ stream: path, offset }));
  const stolen = { ...second, body: { ...second.body, callback_token: first.body.callback_token } };
  expect(await settle(stolen, { acks })).toMatchObject({ status: 409, code: 'FENCED' });
  expect(await settle(second, { acks })).toMatchObject({ status: 200, body: { next_wake: false } });
});

const TOKENS = [
  { token: 'token-of-acme-that-may-write-aaaaaaaa', tenant: 'acme', scopes: ['stream:read', 'stream:write'] },
  {
    token: 'token-of-umbrella-that-may-write-aaaa',
    tenant: 'umbrella',
    scopes: ['stream:read', 'stream:write'],
  },
  { token: 'token-of-acme-that-may-only-read-aaaa', tenant: 'acme', scopes: ['stream:read'] },
];
const [ACME = '', UMBRELLA = '', READER = ''] = TOKENS.map(({ token }) => token);

test('with authentication tenants are separate, scopes apply, and a wake’s token suffices to settle it', async () => {
  const receiver = await Receiver.open(silentOk);
  const net = { allowPrivate: [receiver.origin] };
  const server = await serve({ auth: 'jwt', serviceTokens: TOKENS, net });
  await makeTenants(server.dataDir, 'acme', 'umbrella');
  const url = subscriptionUrl(server.url);
  const fields = webhook(receiver.url, { lease_ttl_ms: 600_000 });
  expect((await ask(url, 'PUT', fields)).status).toBe(401);
  expect(await ask(url, 'PUT', fields, READER)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  expect((await ask(url, 'PUT', fields, ACME)).status).toBe(201);
  expect((await ask(url, 'GET', undefined, READER)).status).toBe(200);
  expect(await ask(url, 'GET', undefined, UMBRELLA)).toMatchObject({
    status: 404,
    code: 'SUBSCRIPTION_NOT_FOUND',
  });
  expect((await ask(url, 'DELETE', undefined, UMBRELLA)).status).toBe(204);
  await append(server.url, 'events/theirs', UMBRELLA);
  await append(server.url, 'events/ours', ACME);
  const { body } = await receiver.nth(1);
  expect(body.streams.map(({ path }) => path)).toEqual(['events/ours']);
  const { wake_id, generation, callback_token } = body;
  const said = { wake_id, generation };
  for (const token of [undefined, 'x', ACME, `${callback_token}x`]) {
    expect(await ask(body.callback_url, 'POST', said, token)).toMatchObject({
      status: 401,
      code: 'TOKEN_INVALID',
    });
  }
  expect((await ask(body.callback_url, 'POST', said, callback_token)).status).toBe(200);
});

test('with authentication, loopback and private receivers are refused unless their origin is allowed', async () => {
  const server = await serve({
    auth: 'jwt',
    serviceTokens: TOKENS,
    net: { allowPrivate: ['http://127.0.0.1:8088'] },
  });
  await makeTenants(server.dataDir, 'acme');
  const codes: unknown[] = [];
  for (const url of [
    'http://127.0.0.1:8089/hook',
    'http://localhost:8088/hook',
    'http://[::1]:8088/hook',
    'http://10.0.0.1/hook',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'http://127.0.0.1:8088/hook',
  ]) {
    const response = await ask(subscriptionUrl(server.url), 'PUT', webhook(url), ACME);
    codes.push(response.status === 201 ? 201 : response.code);
  }
  expect(codes).toEqual([...Array.from({ length: 6 }, () => 'WEBHOOK_URL_REJECTED'), 201]);
});

test('control paths are not streams, and wrong calls are refused with a code', async () => {
  const server = await serve();
  const control = `${server.url}/v1/stream/__ds`;
  for (const path of ['', '/', '/x', '/subscriptions/', '/subscriptions/a/b', '/subscriptions/a/claim/b']) {
    expect(await ask(`${control}${path}`, 'PUT', {})).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
  const fork = await fetch(`${server.url}/v1/stream/f`, {
    method: 'PUT',
    headers: { 'stream-forked-from': '/v1/stream/__ds/x' },
  });
  expect(fork.status).toBe(404);
  const put = await ask(`${control}/jwks.json`, 'PUT', {});
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  expect((await ask(`${subscriptionUrl(server.url)}/claim`, 'GET')).status).toBe(405);
  expect(await ask(subscriptionUrl(server.url, '%ff'), 'GET')).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await ask(subscriptionUrl(server.url, 'x'.repeat(257)), 'GET')).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  const big = { description: 'x'.repeat(SUBSCRIPTION_BODY_BYTES_MAX) };
  expect(await ask(subscriptionUrl(server.url), 'PUT', big)).toMatchObject({
    status: 413,
    code: 'BODY_TOO_LARGE',
  });
  expect(await ask(subscriptionUrl(server.url), 'PUT', { type: 'x' })).toMatchObject({
    code: 'INVALID_REQUEST',
  });
  expect(await ask(`${subscriptionUrl(server.url)}/claim`, 'POST', { worker: 'a' })).toMatchObject({
    status: 404,
  });
  expect(await ask(`${subscriptionUrl(server.url)}/streams`, 'POST', { streams: ['a'] })).toMatchObject({
    code: 'SUBSCRIPTION_NOT_FOUND',
  });
  expect((await ask(subscriptionUrl(server.url), 'DELETE')).status).toBe(204);
});
