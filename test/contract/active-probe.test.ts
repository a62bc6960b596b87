/**
 * What only the active provider does: refusals of the egress layer, exchanges, deadlines, and credentials of one side.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { ProbeContext, SignalEnvelope } from '../../src/probe/index.js';
import { EXCHANGE_REQUESTS_MAX, FOREIGN_ORIGIN } from '../../src/probe/index.js';
import {
  activeProbeProvider,
  openProbeClient,
  type ProbeClientOptions,
} from '../../src/runtimes/node/probe.js';
import { startDnsServer } from '../support/dns-server.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { startSite } from '../support/site-server.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function keep<T extends { close(): Promise<void> }>(thing: T): T {
  closing.push(() => thing.close());
  return thing;
}

async function probe(
  url: string,
  options: ProbeClientOptions,
  context: ProbeContext = { profile: 'full' },
): Promise<SignalEnvelope> {
  return keep(openProbeClient(options)).provider.probe(url, context);
}

const errorOf = ({ result }: SignalEnvelope) => ('error' in result ? result.error : undefined);
const responseOf = ({ result }: SignalEnvelope) => ('response' in result ? result.response : undefined);

describe('faults of the public implementation', () => {
  it('a redirect to a metadata address is refused and stays in the chain', async () => {
    const site = keep(
      await listenHttp((_request, response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      ),
    );
    const envelope = await probe(`${site.origin}/`, { allowPrivate: [site.origin] });
    expect(errorOf(envelope)).toMatchObject({ code: 'ssrf_blocked', details: { step: 'address', hop: 1 } });
    expect(envelope.result.redirects).toEqual([
      { fromUrl: `${site.origin}/`, toUrl: 'http://169.254.169.254/latest/meta-data/', status: 302 },
    ]);
    expect(envelope.exchanges?.requests ?? 0).toBe(0);
  });

  it.each([
    'http://[fc00::1]/',
    'http://[::]/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://app.localhost/',
    'http://metadata.google.internal/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'http://localhost./',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://example.com:22/',
  ])('refuses an address that passes both checks of that implementation: %s', async (url) => {
    expect(errorOf(await activeProbeProvider.probe(url))?.code).toBe('ssrf_blocked');
  });

  it('userinfo is refused and not stored', async () => {
    const envelope = await activeProbeProvider.probe('https://bob:hunter2secret@example.com/');
    expect(errorOf(envelope)).toMatchObject({ code: 'invalid_url', details: { rule: 'userinfo' } });
    expect(JSON.stringify(envelope)).not.toContain('hunter2secret');
  });

  it.each([
    ['app.example.com', '10.0.0.7'],
    ['127.0.0.1.nip.io', '127.0.0.1'],
  ])('a name that resolves to a private address is refused: %s', async (name, address) => {
    const dns = keep(await startDnsServer(() => [address]));
    const envelope = await probe(`http://${name}/`, { dnsServers: [dns.address] });
    expect(errorOf(envelope)).toMatchObject({ code: 'ssrf_blocked', details: { step: 'dns' } });
    expect(envelope.exchanges?.dns?.error?.code).toBe('ssrf_blocked');
    expect(JSON.stringify(envelope.exchanges)).not.toContain(`"${address}"]`);
  });

  it('every request sends Accept and User-Agent, and the envelope records both', async () => {
    const asked: unknown[] = [];
    const site = keep(
      await listenHttp((request, response) => {
        const { accept, 'user-agent': agent, 'accept-encoding': encoding } = request.headers;
        asked.push([accept, agent, typeof encoding]);
        response.end('text');
      }),
    );
    const { request } = await probe(`${site.origin}/`, { allowPrivate: [site.origin] }, {});
    expect(asked).toEqual([['*/*', 'SondeBot/1.0', 'string']]);
    expect(request).toMatchObject({ accept: '*/*', userAgent: 'SondeBot/1.0' });
  });

  it('follows exactly 10 redirects', async () => {
    const site = keep(await startSite());
    const envelope = await probe(`${site.origin}/hops/10`, { allowPrivate: [site.origin] });
    expect(envelope.result).toMatchObject({ ok: true, response: { status: 200 } });
  });

  it('an unresolvable name is a dns_error, not a status', async () => {
    const dns = keep(await startDnsServer(() => []));
    const envelope = await probe('http://nowhere.example.com/', { dnsServers: [dns.address] });
    expect(errorOf(envelope)).toMatchObject({ code: 'dns_error', details: { phase: 'dns' } });
    expect(envelope.result.durationMs).toBeGreaterThan(0);
  });

  it('response bodies are read or canceled, and the deadline leaves no timer behind', async () => {
    const site = keep(
      await listenHttp((_request, response) => {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 5);
        response.on('close', () => clearInterval(timer));
      }),
    );
    const envelope = await probe(`${site.origin}/`, { allowPrivate: [site.origin] }, {});
    expect(responseOf(envelope)?.status).toBe(200);
    await site.idle();
  });

  it('keeps Location of a response that is not a redirect, and every line of a list field', async () => {
    const site = keep(
      await listenHttp((_request, response) =>
        response
          .writeHead(
            201,
            [
              ['location', '/made/1'],
              ['vary', 'accept'],
              ['vary', 'origin'],
              ['via', '1.1 a'],
              ['via', '1.1 b'],
            ].flat(),
          )
          .end(),
      ),
    );
    const response = responseOf(await probe(`${site.origin}/`, { allowPrivate: [site.origin] }));
    expect(response?.headers.core).toEqual({ location: '/made/1', vary: 'accept, origin' });
    expect(response?.headers.extended?.['via']).toEqual(['1.1 a', '1.1 b']);
  });

  it('records phases, protocol, address and several samples', async () => {
    const site = keep(await startSite());
    const outbound = keep(openProbeClient({ allowPrivate: [site.origin] }));
    for (let n = 0; n < 3; n += 1) {
      const envelope = await outbound.provider.probe(`${site.origin}/json`, {
        profile: 'full',
        exchanges: false,
      });
      expect(envelope.phases?.ttfb).toBeGreaterThan(0);
      expect(envelope.phases?.download).toBeGreaterThanOrEqual(0);
      expect(envelope).toMatchObject({
        protocol: 'http/1.1',
        address: { ip: '127.0.0.1', port: site.port, family: 4 },
        source: { kind: 'active', runner: 'node', assurance: 'pinned' },
      });
      expect(envelope).not.toHaveProperty('exchanges');
      expect(envelope.coverage?.gaps).toMatchObject({ 'exchanges.head': 'profile' });
    }
  });
});

describe('bounds', () => {
  it('a side that does not respond ends at its deadline and reports the elapsed time', async () => {
    const { createActiveProbe } = await import('../../src/probe/index.js');
    const site = keep(await listenHttp(() => {}));
    const { outbound } = keep(openProbeClient({ allowPrivate: [site.origin] }));
    const parts = { egress: outbound.egress, clock: Date.now, runner: 'node', totalMs: 60 };
    const envelope = await createActiveProbe(parts).probe(`${site.origin}/`);
    expect(errorOf(envelope)?.code).toBe('timeout');
    expect(envelope.result.durationMs).toBeGreaterThanOrEqual(55);
  });

  it('a body above its limit is truncated, has no hash, and its side still counts as responding', async () => {
    const site = keep(
      await listenHttp((_request, response) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end('a'.repeat(3_000_000)),
      ),
    );
    const envelope = await probe(`${site.origin}/`, { allowPrivate: [site.origin] });
    expect(envelope.body).toMatchObject({ bytes: 2_000_000, truncated: true, kind: 'text' });
    expect(envelope.body).not.toHaveProperty('sha256');
    expect(responseOf(envelope)).not.toHaveProperty('bodyHash');
  });

  it.each([
    ['three bytes per character', '\u6587'],
    ['six bytes per character once escaped', '\u0001'],
  ])('every envelope fits in a step of 1 MiB: %s', async (_name, character) => {
    const long = character.repeat(380);
    const json = JSON.stringify(
      Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`${n}${long}`, n])),
    );
    const lines = Array.from({ length: 40 }, (_, n) => ['via', `1.1 ${'v'.repeat(300)}${n}`]);
    const site = keep(
      await listenHttp((request, response) => {
        const hop = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
        if (hop > 0) {
          return response.writeHead(302, { location: `/${hop - 1}?${'q'.repeat(7_000)}` }).end();
        }
        const head = [['content-type', 'application/json'], ['etag', '"v1"'], ...lines].flat();
        return response.writeHead(200, head).end(json);
      }),
    );
    const envelope = await probe(`${site.origin}/10`, { allowPrivate: [site.origin] });
    expect(responseOf(envelope)?.status).toBe(200);
    expect(envelope.body?.json).toMatchObject({ truncated: true });
    expect(envelope.body?.json?.entries.length).toBeGreaterThan(100);
    expect(Buffer.byteLength(JSON.stringify(envelope))).toBeLessThan(1024 ** 2);
  });

  it('a truncated body keeps its head and reports how it ended', async () => {
    const site = keep(
      await listenHttp((_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('half of', () => response.socket?.end());
      }),
    );
    const envelope = await probe(`${site.origin}/`, { allowPrivate: [site.origin] });
    expect(responseOf(envelope)?.status).toBe(200);
    expect(envelope.body?.error?.code).toBe('fetch_error');
    expect(envelope.coverage?.gaps).toMatchObject({ body: 'failed' });
  });

  it('does not wait for an endless feed to end', async () => {
    const site = keep(
      await listenHttp((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      }),
    );
    const envelope = await probe(`${site.origin}/`, { allowPrivate: [site.origin] });
    expect(responseOf(envelope)?.status).toBe(200);
    expect(envelope).not.toHaveProperty('body');
  });

  it('a caller that gives up gets an envelope', async () => {
    const site = keep(await listenHttp(() => {}));
    const envelope = await probe(
      `${site.origin}/`,
      { allowPrivate: [site.origin] },
      { signal: AbortSignal.timeout(20) },
    );
    expect(errorOf(envelope)?.code).toBe('canceled');
  });

  it('a malformed header of the caller yields an envelope that names it', async () => {
    const envelope = await activeProbeProvider.probe('https://example.com/', {
      headers: [['bad name', 'x']],
    });
    expect(errorOf(envelope)).toMatchObject({ code: 'unknown_error' });
    expect(errorOf(envelope)?.message).toContain('bad name');
  });
});

describe('exchanges', () => {
  async function sideWithLog(): Promise<{ site: Listening; asked: string[] }> {
    const asked: string[] = [];
    const site = keep(
      await listenHttp((request, response) => {
        const { method, url, headers } = request;
        const kind = headers['access-control-request-method'] ? 'preflight' : (headers.origin ?? '');
        asked.push([method, url, kind, headers['if-none-match'] ?? ''].join(' ').trim());
        if (url === '/robots.txt') {
          const text =
            'User-agent: *\nUser-agent: Bing\nDisallow: /admin # no\nDisallow:\nSitemap: https://a.example/s.xml';
          return response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
        }
        if (method === 'OPTIONS') return response.writeHead(204, { allow: 'GET, HEAD' }).end();
        if (headers['if-none-match'] === '"v1"') return response.writeHead(304).end();
        const cors = headers.origin && { 'access-control-allow-origin': headers.origin, vary: 'origin' };
        return response.writeHead(200, { etag: '"v1"', ...cors }).end('text');
      }),
    );
    return { site, asked };
  }

  it('are exactly the listed ones, each sent once and kept with its headers', async () => {
    const { site, asked } = await sideWithLog();
    const { exchanges, coverage } = await probe(`${site.origin}/x`, { allowPrivate: [site.origin] });
    expect(asked.toSorted()).toEqual(
      [
        'GET /x',
        `GET /x ${site.origin}`,
        `GET /x ${FOREIGN_ORIGIN}`,
        'GET /x  "v1"',
        'HEAD /x',
        'OPTIONS /x',
        'OPTIONS /x preflight',
        'GET /robots.txt',
      ].toSorted(),
    );
    expect(exchanges?.requests).toBeLessThanOrEqual(EXCHANGE_REQUESTS_MAX);
    expect(exchanges?.conditional).toMatchObject({ status: 304, validator: 'etag' });
    expect(exchanges?.head?.status).toBe(200);
    expect(exchanges?.options?.headers?.['allow']).toEqual(['GET, HEAD']);
    expect(exchanges?.preflight).toMatchObject({ status: 204, origin: site.origin, method: 'POST' });
    expect(
      exchanges?.origins?.map(({ relation, headers }) => [
        relation,
        headers?.['access-control-allow-origin'],
      ]),
    ).toEqual([
      ['own', [site.origin]],
      ['foreign', [FOREIGN_ORIGIN]],
    ]);
    expect(exchanges?.robots?.robots).toEqual({
      groups: [{ agents: ['*', 'bing'], allow: [], disallow: ['/admin'] }],
      sitemaps: ['https://a.example/s.xml'],
      truncated: false,
    });
    expect(coverage?.observed).toContain('exchanges.conditional');
    expect(coverage?.gaps).toMatchObject({
      'exchanges.httpVariant': 'not-applicable',
      'exchanges.tls': 'not-applicable',
    });
  });

  it('share one deadline; an exchange it cuts off is a gap', async () => {
    const { runExchanges } = await import('../../src/probe/exchanges/run-exchanges.js');
    const { ProbeRedactor } = await import('../../src/probe/probe-redactor.js');
    const site = keep(await listenHttp(() => {}));
    const { outbound } = keep(openProbeClient({ allowPrivate: [site.origin] }));
    const exchanges = await runExchanges(
      { egress: outbound.egress, redactor: new ProbeRedactor() },
      {
        requestedUrl: `${site.origin}/`,
        finalUrl: `${site.origin}/`,
        headers: [],
        responseHeaders: [],
        totalMs: 2_000,
      },
    );
    expect(exchanges.requests).toBe(3);
    expect(exchanges.preflight?.error?.code).toBe('timeout');
    expect(exchanges).not.toHaveProperty('robots');
  });

  it('are not part of profile core', async () => {
    const { site, asked } = await sideWithLog();
    const envelope = await probe(`${site.origin}/x`, { allowPrivate: [site.origin] }, {});
    expect(asked).toEqual(['GET /x']);
    expect(envelope).not.toHaveProperty('exchanges');
    expect(envelope).not.toHaveProperty('body');
    expect(responseOf(envelope)?.headers).toEqual({ core: {} });
    expect(envelope.coverage?.gaps).toMatchObject({ 'headers.extended': 'profile', body: 'profile' });
  });
});

describe('headers of one side', () => {
  const headers = [
    ['authorization', 'Bearer canary-a81f33c07d'],
    ['x-side', 'canary-77aa51bc90'],
  ] as const;

  it('are sent, and hidden where the target echoes them', async () => {
    const site = keep(await startSite());
    const envelope = await probe(
      `${site.origin}/echo`,
      { allowPrivate: [site.origin] },
      { profile: 'full', headers },
    );
    const entries = envelope.body?.json?.entries ?? [];
    expect(entries.some(({ pointer }) => pointer === '/headers/authorization')).toBe(true);
    expect(envelope.request).toMatchObject({
      hadAuthorization: true,
      sideHeaderNames: ['authorization', 'x-side'],
    });
    const text = JSON.stringify(envelope);
    expect(text).not.toContain('canary-a81f33c07d');
    expect(text).not.toContain('canary-77aa51bc90');
  });

  it('reach no other origin, neither by a redirect nor by an exchange', async () => {
    const seen: (string | undefined)[] = [];
    const other = keep(
      await listenHttp((request, response) => {
        seen.push(request.headers.authorization);
        response.end('other');
      }),
    );
    const site = keep(
      await listenHttp((_request, response) => response.writeHead(302, { location: other.origin }).end()),
    );
    // A redirect across origins meets the closed policy: only the address is allowed, not the name.
    const envelope = await probe(
      `${site.origin}/`,
      { allowPrivate: [site.origin, other.origin] },
      { profile: 'full', headers },
    );
    expect(errorOf(envelope)?.code).toBe('ssrf_blocked');
    expect(seen.every((value) => value === undefined)).toBe(true);
  });
});
