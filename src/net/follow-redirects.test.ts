/** Redirect rules that can be tested without a socket; the engines' own suites send real requests. */
import { describe, expect, test } from 'vitest';
import type { Egress, HopRequest, HopResponse } from './egress.js';
import { followRedirects, type OutboundRequest } from './follow-redirects.js';
import { createPolicy } from './policy.js';

interface Page {
  readonly status?: number;
  readonly location?: string;
  /** Chunk lengths of the body; `broken` means reading it fails. */
  readonly body?: readonly number[] | 'broken';
}

/** An egress that responds by URL and records what happened to each body. */
function site(pages: Readonly<Record<string, Page>>) {
  const sent: HopRequest[] = [];
  const bodies: Record<string, string> = {};
  const egress: Egress = {
    assurance: 'pinned',
    policy: createPolicy(),
    async send(request) {
      sent.push(request);
      const { href } = request.target.url;
      const {
        location,
        status = location === undefined ? 200 : 302,
        body = [],
      } = pages[href] ?? { status: 404 };
      const left = body === 'broken' ? [] : [...body];
      bodies[href] = 'open';
      const response: HopResponse = {
        status,
        headers: location === undefined ? [] : [['location', location]],
        body: {
          async read() {
            if (body === 'broken') throw new Error('reset');
            const length = left.shift();
            if (length === undefined) bodies[href] = 'read';
            return length === undefined ? undefined : new Uint8Array(length);
          },
          cancel: () => {
            bodies[href] = 'canceled';
          },
        },
        connection: {},
        timings: () => ({}),
      };
      return response;
    },
    close: async () => undefined,
  };
  const ask = (request: Partial<OutboundRequest> = {}) =>
    followRedirects(egress, { url: 'https://a.example.com/', ...request });
  return { ask, sent, bodies };
}

const codeOf = (result: Awaited<ReturnType<typeof followRedirects>>) =>
  result.ok ? result.response.status : result.error.code;

describe('the body of a redirect', () => {
  const next = { 'https://a.example.com/b': {} };

  test.each([
    ['is read to the end if short, so that the socket can be reused', [4096], 'read'],
    ['is canceled if long', [4096, 1], 'canceled'],
    ['is canceled if broken, and the redirect is still followed', 'broken', 'canceled'],
  ] as const)('%s', async (_name, body, became) => {
    const { ask, bodies } = site({ 'https://a.example.com/': { location: '/b', body }, ...next });
    expect(codeOf(await ask())).toBe(200);
    expect(bodies).toEqual({ 'https://a.example.com/': became, 'https://a.example.com/b': 'open' });
  });

  test('is left to the caller if redirects are not followed', async () => {
    const { ask, bodies } = site({ 'https://a.example.com/': { location: '/b' } });
    expect(codeOf(await ask({ maxRedirects: 0 }))).toBe(302);
    expect(bodies).toEqual({ 'https://a.example.com/': 'open' });
  });
});

/** `count` redirects in a row, from `/0` to `/count`. */
const chain = (count: number) =>
  Object.fromEntries([
    ...Array.from({ length: count }, (_, n) => [`https://a.example.com/${n}`, { location: `/${n + 1}` }]),
    [`https://a.example.com/${count}`, {}],
  ]);

test.each([
  [undefined, 10],
  [1, 1],
  [3, 3],
])('with maxRedirects %s, follows %i redirects and refuses one more', async (maxRedirects, most) => {
  const request = { url: 'https://a.example.com/0', ...(maxRedirects !== undefined && { maxRedirects }) };
  const enough = await site(chain(most)).ask(request);
  expect([codeOf(enough), enough.redirects.length, enough.finalUrl]).toEqual([
    200,
    most,
    `https://a.example.com/${most}`,
  ]);
  const tooMany = await site(chain(most + 1)).ask(request);
  expect([codeOf(tooMany), tooMany.redirects.length]).toEqual(['redirect_limit', most + 1]);
});

test('the chain contains every hop, including a refused one', async () => {
  const { ask, sent } = site({ 'https://a.example.com/': { location: 'http://127.0.0.1/', status: 301 } });
  const startedAt = performance.now();
  const result = await ask();
  expect(result.durationMs).toBeLessThanOrEqual(performance.now() - startedAt);
  expect([codeOf(result), result.finalUrl, result.redirects, sent.length]).toEqual([
    'ssrf_blocked',
    'http://127.0.0.1/',
    [{ fromUrl: 'https://a.example.com/', toUrl: 'http://127.0.0.1/', status: 301 }],
    1,
  ]);
});

test('a request that is refused at once has its own URL as the final one', async () => {
  const result = await site({}).ask({ url: 'http://127.0.0.1' });
  expect([codeOf(result), result.finalUrl, result.redirects]).toEqual([
    'ssrf_blocked',
    'http://127.0.0.1',
    [],
  ]);
});

test('refuses a redirect from https to http unless allowed', async () => {
  const pages = {
    'https://a.example.com/': { location: 'http://a.example.com/' },
    'http://a.example.com/': {},
  };
  expect(codeOf(await site(pages).ask())).toBe('redirect_downgrade');
  expect(codeOf(await site(pages).ask({ allowDowngrade: true }))).toBe(200);
  const up = {
    'http://a.example.com/': { location: 'https://a.example.com/' },
    'https://a.example.com/': {},
  };
  expect(codeOf(await site(up).ask({ url: 'http://a.example.com/' }))).toBe(200);
});

test('refuses to repeat a request as a loop, but allows the same URL with another method', async () => {
  const loop = { 'https://a.example.com/': { location: '/b' }, 'https://a.example.com/b': { location: '/' } };
  const { ask, sent } = site(loop);
  expect([codeOf(await ask()), sent.length]).toEqual(['redirect_loop', 2]);
  const post = site({ 'https://a.example.com/': { location: '/', status: 303 } });
  expect(codeOf(await post.ask({ method: 'post' }))).toBe('redirect_loop');
  expect(post.sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('mayFollow can stop at a redirect, which becomes the response', async () => {
  const { ask, sent } = site({ 'https://a.example.com/': { location: '/b' } });
  const asked: string[] = [];
  const result = await ask({
    mayFollow: ({ href }) => {
      asked.push(href);
      return false;
    },
  });
  expect([codeOf(result), asked, sent.length]).toEqual([302, ['https://a.example.com/b'], 1]);
});

test('onResponse gets every response head, including the last', async () => {
  const { ask } = site({ 'https://a.example.com/': { location: '/b' }, 'https://a.example.com/b': {} });
  const seen: [string, number][] = [];
  await ask({ onResponse: ({ pathname }, { status }) => void seen.push([pathname, status]) });
  expect(seen).toEqual([
    ['/', 302],
    ['/b', 200],
  ]);
});

test('options apply to every hop, and an unknown method is never sent', async () => {
  const { ask, sent } = site({ 'https://a.example.com/': { location: '/b' }, 'https://a.example.com/b': {} });
  const { signal } = new AbortController();
  await ask({ signal, keepCoding: true, method: 'head' });
  expect(sent.map(({ method, keepCoding }) => [method, keepCoding])).toEqual([
    ['HEAD', true],
    ['HEAD', true],
  ]);
  expect(sent.every((each) => each.signal === signal)).toBe(true);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { ask: send, sent: requests } = site({});
    await send({ method });
    expect(requests.map((each) => each.method)).toEqual([method]);
  }
  await expect(ask({ method: 'TRACE' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  expect(sent).toHaveLength(2);
});

test('all hops share one deadline', async () => {
  const { ask, sent } = site(chain(1));
  expect(codeOf(await ask({ url: 'https://a.example.com/0', limits: { totalMs: 0 } }))).toBe('timeout');
  const startedAt = performance.now();
  await ask({ url: 'https://a.example.com/0', limits: { totalMs: 5_000 } });
  const totals = sent.map(({ limits }) => limits.totalMs);
  expect(totals).toHaveLength(2);
  expect(totals[1]).toBeGreaterThanOrEqual(5_000 - (performance.now() - startedAt));
  expect(totals[0]).toBeLessThanOrEqual(5_000);
  expect(totals[1]).toBeLessThan(totals[0] ?? 0);
});
