import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHead, FRAMING_ATTACKS, inlineHead, type Place } from '../support/framing-attacks.js';
import { type ProxyBench, startProxyBench, token, Upstream } from '../support/proxy-bench.js';
import { rawExchange } from '../support/raw-exchange.js';

/**
 * Malformed framing and header injection, byte for byte over raw sockets. Whatever the server answers, the upstream
 * sees at most the one request that was asked for, at its own path, and never anything of the attacker's prefix.
 */
let upstream: Upstream;
let bench: ProxyBench;
let port: number;
let secret: string;

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startBench();
  port = Number(new URL(bench.url).port);
  secret = await token();
});

function startBench(): Promise<ProxyBench> {
  return startProxyBench({
    upstream,
    proxy: {
      routes: { up: { url: `${upstream.origin}/inline`, credential: 'env:K', private: true } },
      env: () => 'sk-k',
    },
  });
}
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

const place = (tag: string): Place => ({ secret, origin: upstream.origin, tag });

describe('raw framing', () => {
  test('there are at least 150 cases', () => {
    expect(FRAMING_ATTACKS.length).toBeGreaterThanOrEqual(150);
  });

  test('the plain request that they are made from does reach the upstream', async () => {
    const head = ['Content-Length: 4'];
    void rawExchange(port, [createHead(place('plain'), { lines: head }), 'body'], { quietMs: 5_000 });
    await upstream.untilAsked(1);
    void rawExchange(port, [inlineHead(place('plain'), head), 'body'], { quietMs: 5_000 });
    await upstream.untilAsked(2);
    expect(upstream.asked.map(({ url, body }) => `${url} ${body}`)).toEqual([
      '/asked-plain body',
      '/inline/asked-plain body',
    ]);
    upstream.reset();
  });

  test.each(FRAMING_ATTACKS.map(([name, parts], index) => [name, parts, String(index)] as const))(
    '%s',
    async (_name, parts, tag) => {
      const got = await rawExchange(port, parts(place(tag)), { quietMs: 40 });
      for (const [status] of got.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) expect(status).not.toMatch(/ 500$/);
    },
  );

  test('of all of them the upstream saw one request at most, as it was asked for', async () => {
    // Stopping waits for whatever is still on its way.
    await bench.stop();
    const counts = new Map<string, number>();
    for (const { url, headers, body } of upstream.asked) {
      const tag = /^\/(?:inline\/)?asked-(\d+)/.exec(url)?.[1] ?? `none: ${url}`;
      const name = FRAMING_ATTACKS[Number(tag)]?.[0] ?? tag;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      expect(url, name).toMatch(/^\/(?:inline\/)?asked-\d+(?:%0[ad]|\\[rn]|%20|\/)*/i);
      expect(url, name).not.toMatch(/^\/smuggled/);
      expect(headers.host, name).toBe(new URL(upstream.origin).host);
      expect(Object.keys(headers), name).not.toContain('x-injected');
      expect(headers['transfer-encoding'], name).toBeUndefined();
      // What the server took for the body is all that the upstream gets, and it has its length.
      expect(Number(headers['content-length'] ?? 0), name).toBe(Buffer.byteLength(body));
    }
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    expect([...counts].filter(([name]) => name.startsWith('none'))).toEqual([]);
    bench = await startBench();
    port = Number(new URL(bench.url).port);
    upstream.reset();
  });

  test('pipelined requests are sent on in order, each with its own body', async () => {
    const one = createHead(place('more'), { lines: ['Content-Length: 1'] });
    void rawExchange(port, [`${one}a${one}b${one}c`], { quietMs: 5_000 });
    await upstream.untilAsked(3);
    expect(upstream.asked.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
    upstream.reset();
  });

  test('a body that breaks off sends nothing', async () => {
    await rawExchange(port, [createHead(place('more'), { lines: ['Content-Length: 100'] }), 'half'], {
      endInput: true,
    });
    await rawExchange(
      port,
      [createHead(place('more'), { lines: ['Transfer-Encoding: chunked'] }), '5\r\nhello\r\n'],
      {
        endInput: true,
      },
    );
    expect(upstream.asked).toHaveLength(0);
  });

  test('a body that is larger than allowed sends nothing', async () => {
    const got = await rawExchange(
      port,
      [createHead(place('more'), { lines: ['Content-Length: 999999999'] }), 'half'],
      {
        quietMs: 300,
      },
    );
    expect(got).toContain('413');
    expect(upstream.asked).toHaveLength(0);
  });
});
