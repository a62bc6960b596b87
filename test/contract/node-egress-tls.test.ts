/** TLS of the Node egress layer: custom CAs, certificate checks and connectTo. */
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutboundClient, type OutboundOptions } from '../../src/runtimes/node/net.js';
import { type Listening, track } from '../support/listen.js';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

let server: Listening;
beforeAll(async () => {
  const https = createServer({ key: pem('server-key'), cert: pem('server') }, (request, response) =>
    response.end(JSON.stringify({ host: request.headers.host })),
  );
  server = await track(https, 'https');
});
afterAll(() => server.close());

async function ask(url: string, options: OutboundOptions) {
  const outbound = createOutboundClient(options);
  try {
    const result = await outbound.fetch({ url, limits: { totalMs: 10_000 } });
    const body = result.ok ? await result.response.body.read() : undefined;
    return { result, text: new TextDecoder().decode(body) };
  } finally {
    await outbound.close();
  }
}

const mapped = (name: string): OutboundOptions => ({
  ca: pem('ca'),
  allowPrivate: [`https://${name}`],
  connectTo: { [name]: `127.0.0.1:${server.port}` },
});

test('a custom CA and a connectTo entry reach a private server under its public name', async () => {
  const { result, text } = await ask('https://app.example.com/', mapped('app.example.com'));
  if (!result.ok) throw result.error;
  expect(JSON.parse(text)).toEqual({ host: 'app.example.com' });
  const { connection } = result.response;
  expect(connection).toMatchObject({
    address: '127.0.0.1',
    port: server.port,
    alpn: 'http/1.1',
    reused: false,
  });
  expect(connection.tlsVersion).toBe('TLSv1.3');
  expect(connection.certificate).toMatchObject({
    subject: 'CN=app.example.com',
    issuer: 'CN=Sonde test CA',
    altNames: ['DNS:app.example.com', 'DNS:other.example.net', 'IP Address:127.0.0.1'],
  });
  expect(connection.certificate?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(connection.certificate?.validTo).toMatch(/^2126-/);
  const timings = result.response.timings();
  expect(timings.tls).toBeGreaterThan(0);
  expect(timings.connect).toBeGreaterThanOrEqual(0);
  expect(timings.dns).toBeUndefined();
});

test('a server that supports only HTTP/2 is refused with its own code', async () => {
  const http2 = await track(createSecureServer({ key: pem('server-key'), cert: pem('server') }), 'https');
  const { result } = await ask(http2.origin, { ca: pem('ca'), allowPrivate: [http2.origin] });
  expect(result.ok ? 'ok' : result.error.code).toBe('http2_only');
  await http2.close();
});

test('a certificate for a literal address is checked against that address', async () => {
  const { result } = await ask(server.origin, { ca: pem('ca'), allowPrivate: [server.origin] });
  expect(result.ok).toBe(true);
});

test('a name that the certificate does not cover is a tls_error', async () => {
  const { result } = await ask('https://wrong.example.org/', mapped('wrong.example.org'));
  expect(result.ok ? 'ok' : [result.error.code, result.error.details['reason']]).toEqual([
    'tls_error',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]);
});

test('a certificate of an unknown CA is a tls_error', async () => {
  const { ca: _ca, ...options } = mapped('app.example.com');
  const { result } = await ask('https://app.example.com/', options);
  expect(result.ok ? 'ok' : result.error.code).toBe('tls_error');
});

test('a connectTo address is checked like any other', async () => {
  const { allowPrivate: _closed, ...options } = mapped('app.example.com');
  const { result } = await ask('https://app.example.com/', options);
  expect(result.ok ? 'ok' : result.error.details).toMatchObject({ rule: 'loopback', step: 'address' });
  expect(() => createOutboundClient({ connectTo: { a: 'not-an-address:1' } })).toThrow(/net\.connectTo/);
});

test('plain http to a TLS port is a fetch_error', async () => {
  const http = `http://127.0.0.1:${server.port}`;
  const { result } = await ask(http, { allowPrivate: [http] });
  expect(result.ok ? 'ok' : result.error.code).toBe('fetch_error');
});
