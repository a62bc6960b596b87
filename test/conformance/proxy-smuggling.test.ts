import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { can } from '../support/engine-capabilities.js';
import {
  createHead,
  FRAMED_WRONGLY,
  inlineHead,
  type Place,
  TRAILING_CREATE,
} from '../support/framing-attacks.js';
import { HEADER_INJECTIONS } from '../support/header-injections.js';
import { Upstream } from '../support/proxy-bench.js';
import { rawExchange } from '../support/raw-exchange.js';
import { type SocketBench, startSocketBench } from '../support/socket-bench.js';

/**
 * Malformed framing and header injection, byte for byte over raw sockets. However the server responds, the upstream
 * sees at most the one request that was made, at its own path, and nothing of the attacker's prefix.
 */
let upstream: Upstream;
let bench: SocketBench;

const startBench = () => startSocketBench(upstream, '/inline');

beforeAll(async () => {
  upstream = await Upstream.start();
  bench = await startBench();
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});

beforeEach(() => upstream.reset());

const FRAMING_ATTACKS = [...FRAMED_WRONGLY, ...HEADER_INJECTIONS];
/** Cases sent concurrently: most of them only wait. */
const SIDE_BY_SIDE = 8;
/** Long enough for a server that is busy with other cases; some cases never get a response. */
const PATIENCE = { firstMs: 1_000, quietMs: 100 };
/** The response of a platform's own parser, which has no error code of ours. */
const PARSER_FAILED = 'Internal Server Error';
/** Cases that a parser reads as the caller's own header lines if it accepts a lone CR or LF as the end of a line. */
const INJECTED_BY_HALVES = HEADER_INJECTIONS.filter(([name]) => / with "\\[rn]"$/.test(name));

/** Checks that none of our code failed. A response may be cut short when the wait ends. */
function expectNoFault(got: string, name: string): void {
  for (const response of got.split(/^HTTP\/1\.1 /m).filter((each) => each.startsWith('500 '))) {
    const body = response.split('\r\n\r\n')[1] ?? '';
    expect(!can('refusesFramingByCode') && PARSER_FAILED.startsWith(body), `${name}: ${response}`).toBe(true);
  }
}

const place = (tag: string, { secret } = bench): Place => ({ secret, origin: upstream.origin, tag });

/** The requests with this tag only: a request of an earlier test may arrive late, after its caller has given up. */
const askedFor = (tag: string) => upstream.asked.filter(({ url }) => url === `/asked-${tag}`);

describe('raw framing', () => {
  test('there are at least 150 cases', () => {
    expect(FRAMING_ATTACKS.length).toBeGreaterThanOrEqual(150);
  });

  test('the plain request behind the cases reaches the upstream', async () => {
    const head = ['Content-Length: 4'];
    void rawExchange(bench.port, [createHead(place('plain'), { lines: head }), 'body'], { quietMs: 5_000 });
    await upstream.untilAsked(1);
    void rawExchange(bench.port, [inlineHead(place('plain'), head), 'body'], { quietMs: 5_000 });
    await upstream.untilAsked(2);
    expect(upstream.asked.map(({ url, body }) => `${url} ${body}`)).toEqual([
      '/asked-plain body',
      '/inline/asked-plain body',
    ]);
  });

  test('the upstream sees at most one request per case, unchanged', async () => {
    const own = await startBench();
    const attacks = FRAMING_ATTACKS.map(([name, parts], index) => ({ name, parts, tag: String(index) }));
    const sent = attacks.values();
    const sendAll = async () => {
      for (const { name, parts, tag } of sent) {
        expectNoFault(await rawExchange(own.port, parts(place(tag, own)), PATIENCE), name);
      }
    };
    // Stopping waits for everything that is still in flight.
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, sendAll)).finally(() => own.stop());
    const counts = new Map<string, number>();
    for (const { method, url, headers, body } of upstream.asked) {
      const tag = /^\/(?:inline\/)?asked-(\d+)/.exec(url)?.[1] ?? `none: ${url}`;
      const name = FRAMING_ATTACKS[Number(tag)]?.[0] ?? tag;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      expect(url, name).toMatch(/^\/(?:inline\/)?asked-\d+(?:%0[ad]|\\[rn]|%20|\/)*/i);
      expect(url, name).not.toMatch(/^\/smuggled/);
      expect(method, name).toBe('POST');
      expect(headers.host, name).toBe(new URL(upstream.origin).host);
      if (can('linesEndInCrLf') || !INJECTED_BY_HALVES.some(([each]) => each === name)) {
        expect(Object.keys(headers), name).not.toContain('x-injected');
      }
      expect(headers['transfer-encoding'], name).toBeUndefined();
      // The upstream gets exactly what the server read as the body, with its length.
      expect(Number(headers['content-length'] ?? 0), name).toBe(Buffer.byteLength(body));
    }
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    expect([...counts].filter(([name]) => name.startsWith('none'))).toEqual([]);
  }, 180_000);

  test.each(INJECTED_BY_HALVES)('%s does no more than CR LF would', async (_name, parts) => {
    const seen: string[] = [];
    for (const [value, eol] of Object.entries({ value1: '\r\n', value2: '$&' })) {
      const sent = parts(place('line')).map((part) =>
        part.replaceAll(/\r\n|\r|\n/g, eol).replace(': value', `: ${value}`),
      );
      await rawExchange(bench.port, sent, PATIENCE);
      seen.push(JSON.stringify(upstream.asked).replace(value, 'value'));
      upstream.reset();
    }
    const [whole, half] = seen;
    expect(can('linesEndInCrLf') ? ['[]'] : ['[]', whole]).toContain(half);
  });

  test('trailers that spell a whole create do nothing', async () => {
    const got = await rawExchange(bench.port, TRAILING_CREATE(place('trailing')), PATIENCE);
    expectNoFault(got, 'trailing');
    const ofThis = upstream.asked.filter(({ url }) => /^\/(asked-trailing|smuggled)/.test(url));
    const seen = ofThis.map(({ url, body }) => `${url} ${body}`);
    const own = '/asked-trailing hello';
    expect([[], [own], ...(can('readsTrailers') ? [] : [[own, '/smuggled ']])]).toContainEqual(seen);
  });

  test('pipelined requests are forwarded in order, each after the response to the one before', async () => {
    const one = createHead(place('piped'), { lines: ['Content-Length: 1'] });
    const askedMeanwhile: number[] = [];
    upstream.respond = (response, { url }) => {
      if (url !== '/asked-piped') return void response.end('ok');
      const askedBefore = askedFor('piped').length;
      setTimeout(() => {
        askedMeanwhile.push(askedFor('piped').length - askedBefore);
        response.end('ok');
      }, 100);
    };
    void rawExchange(bench.port, [`${one}a${one}b${one}c`], { quietMs: 5_000 });
    await vi.waitUntil(() => askedMeanwhile.length === 3, 20_000);
    expect(askedFor('piped').map(({ body }) => body)).toEqual(['a', 'b', 'c']);
    // A create responds once the upstream's head has arrived, which comes with the body here.
    expect(askedMeanwhile).toEqual([0, 0, 0]);
  });

  test('a truncated body sends nothing', async () => {
    await rawExchange(bench.port, [createHead(place('cut'), { lines: ['Content-Length: 100'] }), 'half'], {
      endInput: true,
    });
    await rawExchange(
      bench.port,
      [createHead(place('cut'), { lines: ['Transfer-Encoding: chunked'] }), '5\r\nhello\r\n'],
      {
        endInput: true,
      },
    );
    expect(askedFor('cut')).toHaveLength(0);
  });

  test('a body over the limit sends nothing', async () => {
    const got = await rawExchange(
      bench.port,
      [createHead(place('large'), { lines: ['Content-Length: 999999999'] }), 'half'],
      {
        quietMs: 300,
      },
    );
    expect(got).toContain('413');
    expect(askedFor('large')).toHaveLength(0);
  });
});
