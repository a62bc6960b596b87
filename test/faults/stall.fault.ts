/**
 * Sends hostile input of the documented maximum size to every operation of the API document and from a hostile target,
 * and measures how long the server's event loop stalls: the worst delay minus the worst idle delay of the same run,
 * median of five. `SONDE_SURFACE` is a regular expression for the names of the surfaces to measure; the default is all.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { report } from '../support/fault-report.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { LARGE_PAGES, largeSurfaces } from './stall-large.js';
import { json, type Measured, MIB, pause, StallServer } from './stall-server.js';

const DELAY_MS_MAX = 50;
const GROWN_MIB_MAX = 500;

/** The most addresses that a name may have (`net/`). */
const ADDRESSES = 64;
const fixture = (name: string) => readFileSync(new URL(`../fixtures/crowded-tls/${name}`, import.meta.url));
const CROWDED = { key: fixture('server-key.pem'), cert: fixture('server.pem') };
const tlsOrigin = () => `https://127.0.0.1:${(tlsTarget.address() as AddressInfo).port}`;

const FLOOD = fileURLToPath(new URL('../support/flood-client.mjs', import.meta.url));
let target: Listening;
let tlsTarget: Server;
let dns: DnsServer;

const server = new StallServer(() => [
  '--allow-private',
  `${target.origin},${tlsOrigin()}`,
  '--proxy-allow',
  `private:${target.origin}/x/*/locations/*/models/*,private:${target.origin}/up/*`,
  '--dns-servers',
  dns.address,
]);
const send = async (method: string, path: string, init: Omit<RequestInit, 'method'> = {}) =>
  (await server.send(method, path, init)).status;

beforeAll(async () => {
  target = await listenHttp((request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? '';
    const large = LARGE_PAGES[path]?.();
    if (large !== undefined)
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(large);
    if (path.startsWith('/small/'))
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>a');
    const [type, body, headers] = HOSTILE[request.url ?? ''] ?? HOSTILE['/'] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type, ...headers }).end(body);
  });
  tlsTarget = createServer(CROWDED, (_request, response) => response.end('hello'));
  await once(tlsTarget.listen(0, '127.0.0.1'), 'listening');
  // Reserved for documentation: checked one by one, refused, and never dialled.
  dns = await startDnsServer(() => Array.from({ length: ADDRESSES }, (_, n) => `203.0.113.${n}`));
});
afterAll(async () => {
  server.stop();
  await target.close();
  await dns.close();
  tlsTarget.close();
});

const names = Array.from(
  { length: 500 },
  (_, n) => `<script src="/${'-'.repeat(1900)}a${n}.js"></script>`,
).join('');
/** What the target serves, by path. */
const HOSTILE: Readonly<
  Record<string, readonly [type: string, body: string, headers?: Readonly<Record<string, string>>]>
> = {
  '/': ['text/html', `<title>a</title>${names}`],
  '/robots.txt': ['text/plain', `${'#'.repeat(500_000)}\u2028`],
  '/sitemap.xml': ['application/xml', `<urlset>${'<a:loc>'.repeat(200_000)}`],
  '/headers': [
    'text/html',
    '<title>a</title>',
    {
      link: '<a>; rel="'.repeat(300),
      'cache-control': 'max-age=1,'.repeat(300),
      'content-security-policy': "default-src 'self' ;".repeat(150),
      'www-authenticate': `Digest ${' '.repeat(3_000)}a="`,
    },
  ],
  '/up/page': ['text/html', `<title>a</title>${names}`],
  '/json': ['application/json', `[${'[],'.repeat(1_000_000)}0]`],
};

const keys = (bytes: number) =>
  `{${Array.from({ length: bytes / 10 }, (_, n) => `"${n.toString(36).padStart(5, 'x')}":1`).join(',')}}`;
const BODIES = {
  deep: '['.repeat(9 * MIB),
  keys: keys(128 * 1024 - 16),
  flat: `[${'[],'.repeat(3 * MIB)}0]`,
};

/** In addition to the operations of the document: everything else that untrusted parties write. */
const SURFACES = [
  'JSON append of 9 MiB',
  'stream headers',
  'subscription path of slashes',
  'subscription pattern of stars',
  'suite of a 9 MiB recording',
  'suite of 2,000 paths under long bases',
  'suite of a hostile sitemap',
  'path of an allowlist with stars',
  'proxy headers',
  'proxy body of 9 MiB',
  'probe of a page',
  'probe of JSON',
  'probe of hostile headers',
  'probe of a crowded certificate',
  'name with as many addresses as are judged',
  'audit of a hostile site: robots.txt, sitemap, page, assets',
] as const;

const probe = (address: string) => send('GET', `/api/probe?profile=full&url=${encodeURIComponent(address)}`);

/** A surface without a case does not compile. */
const SPECIAL: Readonly<Record<(typeof SURFACES)[number], () => Promise<unknown>>> = {
  'stream headers': () =>
    send('PUT', '/v1/stream/headers', {
      headers: {
        'content-type': `text/plain${' ;'.repeat(2_000)}`,
        'stream-ttl': '0'.repeat(2_000),
        'stream-forked-from': `/v1/stream/${'/'.repeat(2_000)}`,
        'stream-fork-offset': '0'.repeat(2_000),
      },
    }),
  'subscription pattern of stars': () =>
    send(
      'PUT',
      '/v1/stream/__ds/subscriptions/p',
      json({ type: 'pull-wake', wake_stream: 'w', pattern: Array(200).fill('**/a').join('/') }),
    ),
  'suite of a hostile sitemap': () =>
    send(
      'POST',
      '/api/suites',
      json({ leftUrl: `${target.origin}/`, rightUrl: `${target.origin}/`, sitemap: true }),
    ),
  'proxy headers': () =>
    send('POST', '/v1/proxy', {
      headers: {
        'upstream-method': 'POST',
        'upstream-url': `${target.origin}/up/page`,
        'upstream-authorization': `Bearer ${'-'.repeat(3_000)}`,
        'x-a': '-client-'.repeat(1_000),
      },
    }),
  'proxy body of 9 MiB': () =>
    send('POST', '/v1/proxy', {
      headers: { 'upstream-method': 'POST', 'upstream-url': `${target.origin}/up/page` },
      body: BODIES.deep,
    }),
  'probe of hostile headers': () => probe(`${target.origin}/headers`),
  'probe of a crowded certificate': () => probe(tlsOrigin()),
  'name with as many addresses as are judged': () => probe('http://crowd.example.net/'),
  'JSON append of 9 MiB': async () => {
    await send('PUT', '/v1/stream/json', json(''));
    await send('POST', '/v1/stream/json', json(BODIES.flat));
  },
  'subscription path of slashes': () =>
    send(
      'PUT',
      '/v1/stream/__ds/subscriptions/s',
      json({ type: 'pull-wake', wake_stream: 'w', streams: [`a${'/'.repeat(200_000)}a`] }),
    ),
  'suite of a 9 MiB recording': () =>
    send(
      'POST',
      '/api/suites',
      json(
        `{"leftUrl":"${target.origin}/","rightUrl":"${target.origin}/","har":{"log":{"entries":${BODIES.flat}}}}`,
      ),
    ),
  'suite of 2,000 paths under long bases': async () => {
    await send(
      'POST',
      '/api/suites',
      json({
        leftUrl: `${target.origin}/${'a'.repeat(8_000)}`,
        rightUrl: `${target.origin}/${'b'.repeat(8_000)}`,
        paths: Array.from({ length: 2_000 }, (_, n) => `/${n}`),
      }),
    );
    // Next it compares two large pages, many at a time.
    await pause(2_000);
  },
  'path of an allowlist with stars': () =>
    send('POST', '/v1/proxy', {
      headers: {
        'upstream-method': 'GET',
        'upstream-url': `${target.origin}/x/${'/locations//models'.repeat(400)}`,
      },
    }),
  'probe of a page': () => probe(`${target.origin}/`),
  'probe of JSON': () => probe(`${target.origin}/json`),
  'audit of a hostile site: robots.txt, sitemap, page, assets': async () => {
    const { auditId } = await server.post<{ auditId: string }>('/api/audits', {
      url: `${target.origin}/`,
      pages: 1,
    });
    await server.ended(`/api/audits/${auditId}`);
  },
};

interface Operation {
  readonly requestBody?: unknown;
}

async function operations(): Promise<readonly (readonly [string, string, Operation])[]> {
  const document = await server.get<{ paths: Record<string, Record<string, Operation>> }>('/openapi.json');
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|put|post|patch|delete|head)$/.test(method))
      .map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );
}

type Surface = readonly [name: string, act: () => Promise<unknown>];

function surfacesOf([method, template, { requestBody }]: readonly [string, string, Operation]): Surface[] {
  const path = template.replace(/\{[^}]+\}/g, 'a'.repeat(1_000));
  const query = `?x=${'%2F'.repeat(2_000)}`;
  const bodies = requestBody === undefined ? [] : Object.entries(BODIES);
  return [
    [`${method} ${template}`, () => send(method, path + query)],
    ...bodies.map(
      ([name, body]): Surface => [
        `${method} ${template}, ${name} body`,
        () => send(method, path, json(body)),
      ],
    ),
  ];
}

/** The work they start continues after the response and overlaps the next measurement. */
const LEAVES_WORK = /^suite/;

const wanted = new RegExp(process.env['SONDE_SURFACE'] ?? '');

function judge(rows: readonly (readonly [name: string, measured: Measured])[]): void {
  for (const [surface, { ms, grownMiB }] of [...rows].sort(([, a], [, b]) => b.ms - a.ms))
    report('stall', { ms: Number(ms.toFixed(1)), grownMiB, surface });
  expect(rows.filter(([, { ms }]) => ms > DELAY_MS_MAX)).toEqual([]);
  expect(rows.filter(([, { grownMiB }]) => grownMiB > GROWN_MIB_MAX)).toEqual([]);
}

test('no surface stalls the event loop', async () => {
  await server.restart();
  const surfaces = [...(await operations()).flatMap(surfacesOf), ...Object.entries(SPECIAL)];
  const rows: [string, Measured][] = [];
  for (const [name, act] of surfaces) {
    if (!wanted.test(name)) continue;
    rows.push([name, await server.measure(act)]);
    if (LEAVES_WORK.test(name)) await server.restart();
  }
  judge(rows);
});

test('no product of two inputs stalls the event loop or fills the memory', async () => {
  await server.restart();
  const rows: [string, Measured][] = [];
  rows.push(['nothing, twice', await server.measure(() => pause(1_000))]);
  for (const { name, prepare, end } of largeSurfaces(server, target.origin)) {
    if (!wanted.test(name)) continue;
    try {
      rows.push([name, await server.measure(await prepare())]);
    } finally {
      end?.();
    }
    await server.restart();
  }
  judge(rows);
});

async function healthP99(samples: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < samples; n++) {
    const startedAt = performance.now();
    await server.send('GET', '/api/health');
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(samples * 0.99)] ?? 0;
}

test('fifty connections without a credential delay no one and fill no memory', async () => {
  await server.restart();
  await healthP99(300);
  const idle = await healthP99(300);
  const { rssBytes: before } = await server.meter('read');
  const attacker = fork(FLOOD, [server.url, '50', String(9 * MIB)]);
  const sent = async () => {
    attacker.send('count');
    const [counted] = (await once(attacker, 'message')) as [{ sent: number }];
    return counted.sent;
  };
  while ((await sent()) < 50) await pause(10);
  const attacked = await healthP99(300);
  const { rssBytes: after } = await server.meter('read');
  const attempts = await sent();
  attacker.disconnect();
  const grownMiB = (after - before) / MIB;
  report('flood', {
    attempts,
    idleP99Ms: Number(idle.toFixed(1)),
    attackedP99Ms: Number(attacked.toFixed(1)),
    grownMiB: Math.round(grownMiB),
  });
  expect(attacked - idle).toBeLessThan(50);
  expect(grownMiB).toBeLessThan(100);
});
