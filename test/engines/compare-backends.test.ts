/**
 * Faults that only some requests show, over real sockets: a robots.txt that only the first sample fetches, and one of
 * two backends that lacks something, in both directions. Equal sides that vary stay quiet.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { compareSites, type EnvDiff } from '../../src/runtimes/node/compare-sites.js';
import { type Listening, listenHttp } from '../support/listen.js';

interface Backend {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Site {
  /** Takes a turn for every request. */
  readonly backends: readonly Backend[];
  readonly robots?: string;
  /** Redirects to the page, so that every sample takes two turns. */
  readonly redirects?: true;
}

const words = (count: number) =>
  Array.from({ length: count }, (_, n) => `</p><p>Line ${n} of everything that a plumb line needs.`).join('');
const page = (text: string) =>
  `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><p>${text}</p></main></html>`;
const GOOD: Backend = {
  headers: {
    'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'",
    'set-cookie': 'session=a; HttpOnly; Path=/',
    'cache-control': 'private',
  },
  body: page(words(40)),
};
const without = (name: string): Backend => {
  const { [name]: _, ...headers } = GOOD.headers ?? {};
  return { ...GOOD, headers };
};
const withHeader = (name: string, value: string): Backend => ({
  ...GOOD,
  headers: { ...GOOD.headers, [name]: value },
});

let servers: Listening[] = [];
afterEach(async () => {
  for (const server of servers) await server.close();
  servers = [];
});

async function open({ backends, robots = 'User-agent: *\nDisallow:\n', redirects }: Site) {
  let turn = 0;
  const server = await listenHttp((request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = backends[turn++ % backends.length] ?? GOOD;
    if (request.url === '/robots.txt')
      return response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
    if (redirects && request.url === '/') return response.writeHead(302, { location: '/home' }).end();
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    return response.end(request.method === 'HEAD' ? undefined : body);
  });
  servers.push(server);
  return { origin: server.origin, requests: () => turn };
}

type Options = NonNullable<Parameters<typeof compareSites>[2]>;

async function compare(left: Site, right: Site, options: Options = {}) {
  const [a, b] = [await open(left), await open(right)];
  const report = await compareSites(`${a.origin}/`, `${b.origin}/`, {
    allowPrivate: [a.origin, b.origin],
    ...options,
  });
  const [pair] = report.pairs;
  if (!pair) throw new Error('there is no pair');
  return {
    diff: pair.diff,
    summary: pair.explanation.summary,
    requests: { left: a.requests(), right: b.requests() },
  };
}

const loud = ({ findings }: EnvDiff) =>
  findings.filter(({ severity, explainedBy }) => severity !== 'info' && explainedBy === undefined);
const steady: Site = { backends: [GOOD] };

describe('robots.txt, which is fetched with the first sample only', () => {
  const closed: Site = { backends: [GOOD], robots: 'User-agent: *\nDisallow: /\n' };

  test.each([1, 3, 5])('closes the candidate in %i samples', async (samples) => {
    const { diff } = await compare(closed, steady, { samples });
    expect(diff.verdict).toBe('fail');
    expect(loud(diff).map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      'INDEXABILITY_DRIFT critical',
    ]);
  });

  test('closes the reference only', async () => {
    const { diff } = await compare(steady, closed);
    expect(diff).toMatchObject({ verdict: 'pass', samples: { left: { total: 3 } } });
    expect(diff.findings).toMatchObject([{ code: 'INDEXABILITY_DRIFT', effect: 'improvement' }]);
  });
});

const SPLITS: Readonly<Record<string, readonly [code: string, broken: Backend]>> = {
  'no content security policy': ['SECURITY_HEADER_MISSING', without('content-security-policy')],
  noindex: ['INDEXABILITY_DRIFT', withHeader('x-robots-tag', 'noindex')],
  'a session cookie without HttpOnly': ['COOKIE_FLAGS_DRIFT', withHeader('set-cookie', 'session=a; Path=/')],
  'a cookie that shared caches store': [
    'CACHEABLE_COOKIE',
    withHeader('cache-control', 'public, max-age=60'),
  ],
  'half of the text': ['TEXT_LOST', { ...GOOD, body: page(words(15)) }],
};

describe.each(Object.entries(SPLITS))('one of two backends has %s', (_name, [code, broken]) => {
  test.each([
    ['the page', {}],
    ['a page behind a redirect', { redirects: true } as const],
  ])('fails as the candidate: %s', async (_page, more) => {
    const { diff } = await compare({ backends: [GOOD, broken], ...more }, { ...steady, ...more });
    const found = diff.findings.find((finding) => finding.code === code);
    expect(diff.verdict, diff.verdictReasons.join('; ')).not.toBe('pass');
    expect(found).toMatchObject({ stability: 'intermittent', effect: 'regression', occurrence: { of: 12 } });
    expect(found?.message).toMatch(/, in \d+ of 12 samples$/);
    expect(diff.samples).toMatchObject({ left: { total: 12 }, right: { total: 12 } });
    expect(diff.notices.map((notice) => notice.code)).toContain('SAMPLES_ADDED');
  });

  test('passes as the reference, without more samples', async () => {
    const { diff, summary } = await compare(steady, { backends: [GOOD, broken] });
    expect([diff.verdict, loud(diff), diff.samples.left.total]).toEqual(['pass', [], 3]);
    expect(summary).not.toContain('matches');
  });

  test('is found with the limit that was asked for', async () => {
    const { diff } = await compare({ backends: [GOOD, broken] }, steady, { confirmSamples: 5 });
    expect([diff.verdict, diff.samples.left.total]).not.toContain('pass');
    expect(diff.samples.right.total).toBe(5);
  });
});

test('a backend that sends nothing at all now and then is no noise', async () => {
  const binary = { 'content-type': 'application/octet-stream' };
  const [whole, empty] = [
    { headers: binary, body: 'x'.repeat(4_000) },
    { headers: binary, body: '' },
  ];
  const { diff } = await compare({ backends: [whole, empty] }, { backends: [whole] });
  expect(diff.verdict).toBe('fail');
});

describe('equal sides', () => {
  let seed = 7;
  const chance = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  const noisy = (make: () => Backend): Site => ({
    backends: new Proxy([GOOD], {
      get: (list, name) => (name === 'length' ? 1 : name === '0' ? make() : Reflect.get(list, name)),
    }),
  });
  const NOISE: Readonly<Record<string, () => Backend>> = {
    'an offer that rotates': () => ({ ...GOOD, body: page(words(20) + words(chance() < 0.5 ? 6 : 12)) }),
    'a variant of a test': () =>
      chance() < 0.5 ? GOOD : withHeader('x-version', String(Math.floor(chance() * 9))),
    'a price': () => ({ ...GOOD, body: page(`${words(20)} ${Math.floor(chance() * 1e6)}`) }),
  };

  test.each(Object.entries(NOISE))('that vary in %s are quiet, and do not match', async (_name, make) => {
    const { diff, summary } = await compare(noisy(make), noisy(make), { samples: 5 });
    expect([diff.verdict, loud(diff)]).toEqual(['pass', []]);
    expect(summary).toMatch(/varies from request to request/);
    expect(summary).not.toContain('matches');
  });

  test('that vary in values that change by design match, with three samples and no more requests', async () => {
    const make = (): Backend => {
      const nonce = String(chance()).slice(2).padEnd(24, 'a1');
      return {
        ...withHeader(
          'content-security-policy',
          `script-src 'nonce-${nonce}'; object-src 'none'; base-uri 'none'`,
        ),
        body: page(
          `${words(20)} <script nonce="${nonce}"></script> ${new Date(Math.floor(chance() * 1e12)).toISOString()}`,
        ),
      };
    };
    const { diff, summary, requests } = await compare(noisy(make), noisy(make));
    expect([diff.verdict, diff.findings, diff.samples.left.total]).toEqual(['pass', [], 3]);
    expect(summary).toContain('matches');
    expect(requests.left).toBe(requests.right);
  });
});
