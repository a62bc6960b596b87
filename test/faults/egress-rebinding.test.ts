/** DNS rebinding: the egress layer connects only to the address that it checked. */
import { afterEach, expect, test } from 'vitest';
import { createPolicy, followRedirects, readBody } from '../../src/net/index.js';
import { createCaresResolver } from '../../src/runtimes/node/egress/cares-resolver.js';
import { createSocketDialer } from '../../src/runtimes/node/egress/socket-dialer.js';
import { createNodeEgress } from '../../src/runtimes/node/egress/undici-egress.js';
import { createOutboundClient } from '../../src/runtimes/node/net.js';
import { startDnsServer } from '../support/dns-server.js';
import { listenHttp } from '../support/listen.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startPair(reply: Parameters<typeof startDnsServer>[0]) {
  const server = await listenHttp((_request, response) =>
    response.setHeader('connection', 'close').end('inside'),
  );
  const dns = await startDnsServer(reply);
  cleanups.push(
    () => server.close(),
    () => dns.close(),
  );
  return { server, dns };
}

test('a name that resolves to loopback is refused and nothing connects', async () => {
  const { server, dns } = await startPair(() => ['127.0.0.1']);
  const outbound = createOutboundClient({ dnsServers: [dns.address] });
  cleanups.push(() => outbound.close());
  const result = await outbound.fetch({ url: `http://rebind.sonde-tests.com:${server.port}/` });
  expect(result.ok ? 'ok' : [result.error.code, result.error.details]).toEqual([
    'ssrf_blocked',
    { rule: 'loopback', step: 'dns', allow: `http://rebind.sonde-tests.com:${server.port}` },
  ]);
  expect(server.accepted()).toBe(0);
});

test('one refused address among good ones refuses the name', async () => {
  const { server, dns } = await startPair(() => ['127.0.0.1', '169.254.169.254']);
  const origin = `http://mixed.sonde-tests.com:${server.port}`;
  const outbound = createOutboundClient({ dnsServers: [dns.address], allowPrivate: [origin] });
  cleanups.push(() => outbound.close());
  const result = await outbound.fetch({ url: origin });
  expect(result.ok ? 'ok' : result.error.details).toEqual({ rule: 'link_local', step: 'dns' });
  expect(server.accepted()).toBe(0);
});

test('a socket connects to the checked address: the name is resolved once', async () => {
  // The origin is allowed, so that the good answer can be loopback; the rebound address can never be reached.
  const { server, dns } = await startPair((_name, turn) =>
    turn === 0 ? ['127.0.0.1'] : ['169.254.169.254'],
  );
  const origin = `http://flip.sonde-tests.com:${server.port}`;
  const outbound = createOutboundClient({ dnsServers: [dns.address], allowPrivate: [origin] });
  cleanups.push(() => outbound.close());

  const first = await outbound.fetch({ url: origin });
  if (!first.ok) throw first.error;
  expect(new TextDecoder().decode((await readBody(first.response.body, 100)).bytes)).toBe('inside');
  expect(first.response.connection.address).toBe('127.0.0.1');
  expect(dns.asked.length).toBe(1);

  await server.idle();
  const second = await outbound.fetch({ url: origin });
  expect(second.ok ? 'ok' : second.error.details).toEqual({ rule: 'link_local', step: 'dns' });
  expect(server.accepted()).toBe(1);
});

test('a peer other than the checked address is refused before a byte is sent', async () => {
  let requests = 0;
  const server = await listenHttp((_request, response) => {
    requests++;
    response.end('inside');
  });
  const real = createSocketDialer();
  const egress = createNodeEgress({
    policy: createPolicy(),
    resolver: { resolve: async () => ['93.184.215.14'] },
    // The network itself lies: whatever was checked, the socket ends up on loopback.
    dialer: {
      dial: (request, signal) =>
        real.dial({ ...request, addresses: ['127.0.0.1'], port: server.port }, signal),
    },
    userAgent: 'test',
  });
  cleanups.push(
    () => server.close(),
    () => egress.close(),
  );
  const result = await followRedirects(egress, { url: 'http://lied-to.sonde-tests.com/' });
  expect(result.ok ? 'ok' : result.error.details).toEqual({
    rule: 'loopback',
    step: 'peer',
    allow: 'http://lied-to.sonde-tests.com',
  });
  await server.idle();
  expect(requests).toBe(0);
});

test('a redirect to loopback is refused at the second hop and stays in the chain', async () => {
  const inside = await listenHttp((_request, response) => response.end('inside'));
  const outside = await listenHttp((_request, response) =>
    response.writeHead(302, { location: `${inside.origin}/admin` }).end(),
  );
  const outbound = createOutboundClient({ allowPrivate: [outside.origin] });
  cleanups.push(
    () => inside.close(),
    () => outside.close(),
    () => outbound.close(),
  );
  const result = await outbound.fetch({ url: `${outside.origin}/start` });
  expect(result.ok ? 'ok' : result.error.code).toBe('ssrf_blocked');
  expect(result.redirects).toEqual([
    { fromUrl: `${outside.origin}/start`, toUrl: `${inside.origin}/admin`, status: 302 },
  ]);
  expect(inside.accepted()).toBe(0);
});

test('an allowed origin stays closed to a redirect from another one, even with a warm socket', async () => {
  const dns = await startDnsServer(() => ['127.0.0.1']);
  const inside = await listenHttp((_request, response) => response.end('inside'));
  const privateOrigin = `http://app.sonde-tests.com:${inside.port}`;
  const outside = await listenHttp((_request, response) =>
    response.writeHead(302, { location: privateOrigin }).end(),
  );
  const outbound = createOutboundClient({
    dnsServers: [dns.address],
    allowPrivate: [privateOrigin, outside.origin],
  });
  cleanups.push(
    () => dns.close(),
    () => inside.close(),
    () => outside.close(),
    () => outbound.close(),
  );

  const direct = await outbound.fetch({ url: privateOrigin });
  if (!direct.ok) throw direct.error;
  await readBody(direct.response.body, 100);

  const redirected = await outbound.fetch({ url: outside.origin });
  expect(redirected.ok ? 'ok' : redirected.error.code).toBe('ssrf_blocked');
});

test('hosts-file names work for allowed origins only', async () => {
  const resolver = createCaresResolver({ hostsFile: new URL('../fixtures/hosts', import.meta.url).pathname });
  const origin = 'http://printer.local:8080';
  const judged = createPolicy({ allowPrivate: [origin] }).judgeUrl(origin);
  if (!judged.ok) throw new Error('refused');
  const { signal } = new AbortController();
  expect(await resolver.resolve(judged.target, signal)).toEqual(['10.1.2.3']);
  const localhost = createPolicy({ allowPrivate: ['http://localhost:1234'] }).judgeUrl(
    'http://localhost:1234',
  );
  if (!localhost.ok) throw new Error('refused');
  expect(await resolver.resolve(localhost.target, signal)).toEqual(['127.0.0.1', '::1']);
});
