/** Requirement S11 of the audit design: an audit connects only to the address that the policy checked. */
import { pipeline } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { AuditFetcher, FETCH_LIMITS, type FetchedResponse } from '../../src/audits/crawl/audit-fetcher.js';
import { HostGate } from '../../src/audits/crawl/host-gate.js';
import { createRedactor } from '../../src/net/index.js';
import { createOutboundClient, type OutboundOptions } from '../../src/runtimes/node/net.js';
import { startDnsServer } from '../support/dns-server.js';
import { listenHttp } from '../support/listen.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Handler = Parameters<typeof listenHttp>[0];
async function listen(handler: Handler) {
  const server = await listenHttp(handler);
  cleanups.push(() => server.close());
  return server;
}

async function resolving(response: Parameters<typeof startDnsServer>[0]) {
  const dns = await startDnsServer(response);
  cleanups.push(() => dns.close());
  return dns;
}

function fetchOnce(url: string, options: OutboundOptions): Promise<FetchedResponse> {
  const outbound = createOutboundClient(options);
  cleanups.push(() => outbound.close());
  const clock = { now: Date.now, sleep: (ms: number) => wait(ms) };
  const fetcher = new AuditFetcher({
    ports: {
      egress: outbound.egress,
      clock,
      documents: { read: () => Promise.reject(new Error('nothing is read')) },
      random: () => 0,
    },
    gate: new HostGate({ concurrency: 4, delayMs: 0 }, clock),
    userAgent: 'SondeBot/1.0',
    redactor: createRedactor(),
    signal: new AbortController().signal,
  });
  return fetcher.fetch({ url, keep: 'any', tries: 1 });
}

const textOf = ({ bytes }: FetchedResponse) => new TextDecoder().decode(bytes ?? undefined);

test('S11: every address of a name is checked, not just the first', async () => {
  const server = await listen((_request, response) => response.end('inside'));
  const dns = await resolving(() => ['127.0.0.1', '169.254.169.254']);
  const origin = `http://mixed.sonde-tests.com:${server.port}`;
  const { facts } = await fetchOnce(origin, { dnsServers: [dns.address], allowPrivate: [origin] });
  expect(facts).toMatchObject({ status: null, error: { code: 'ssrf_blocked' } });
  expect(server.accepted()).toBe(0);
});

test('S11: the name is not resolved again to connect', async () => {
  const server = await listen((_request, response) => response.end('inside'));
  const dns = await resolving((_name, turn) => (turn === 0 ? ['127.0.0.1'] : ['169.254.169.254']));
  const origin = `http://flip.sonde-tests.com:${server.port}`;
  const reply = await fetchOnce(origin, { dnsServers: [dns.address], allowPrivate: [origin] });
  expect(reply.facts).toMatchObject({ status: 200, error: null });
  expect(textOf(reply)).toBe('inside');
  expect(dns.asked).toHaveLength(1);
});

test('S11: a relative Location is resolved against the URL that sent it', async () => {
  const server = await listen((request, response) => {
    if (request.url === '/dir/page') return void response.writeHead(302, { location: 'next?x=1' }).end();
    response.end(request.url);
  });
  const reply = await fetchOnce(`${server.origin}/dir/page`, { allowPrivate: [server.origin] });
  expect(textOf(reply)).toBe('/dir/next?x=1');
  expect(reply.facts.redirects).toEqual([
    { fromUrl: `${server.origin}/dir/page`, toUrl: `${server.origin}/dir/next?x=1`, status: 302 },
  ]);
});

test.each([
  ['ftp://files.example.com/', 'invalid_url'],
  ['file:///etc/passwd', 'invalid_url'],
  ['http://user:hunter2hunter2@example.com/', 'invalid_url'],
  ['http://169.254.169.254/latest/meta-data/', 'ssrf_blocked'],
])('S11: a hop is checked like the first request: %s', async (location, code) => {
  const server = await listen((_request, response) => response.writeHead(302, { location }).end());
  const { facts } = await fetchOnce(`${server.origin}/`, { allowPrivate: [server.origin] });
  expect(facts).toMatchObject({ status: null, error: { code }, redirects: [{ status: 302 }] });
  expect(JSON.stringify(facts)).not.toContain('hunter2');
});

test('S11: an endless body is cut at the limit and marked, and little more is ever sent', async () => {
  let sent = 0;
  const piece = Buffer.alloc(64 * 1024, 'x');
  async function* endless() {
    for (;;) {
      sent += piece.length;
      yield piece;
    }
  }
  const server = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    pipeline(endless, response, () => {});
  });
  const { facts, bytes } = await fetchOnce(`${server.origin}/`, { allowPrivate: [server.origin] });
  expect(FETCH_LIMITS.bodyBytesMax).toBe(10_000_000);
  expect(bytes).toHaveLength(FETCH_LIMITS.bodyBytesMax);
  expect(facts).toMatchObject({ status: 200, error: null, truncated: true, bodyBytes: 10_000_000 });
  // The socket buffers of both sides come on top.
  expect(sent).toBeLessThan(30_000_000);
});
