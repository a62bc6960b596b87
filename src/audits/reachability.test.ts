/** When a missing response is the target's fault, and when nobody knows. */
import { describe, expect, it } from 'vitest';
import { fetched } from '../../test/support/audit-facts.js';
import type { FetchFacts } from './facts/fetch-facts.js';
import {
  describeResponse,
  isBrokenExternally,
  isBrokenInternally,
  isUnreached,
  Reachability,
  unmeasuredNote,
} from './reachability.js';

type Code = NonNullable<FetchFacts['error']>['code'];
const origin = 'https://www.example.com';
const failed = (url: string, code: string) => fetched(url, { error: { code: code as Code, message: 'x' } });
const reach = (...responses: FetchFacts[]) =>
  new Reachability({ origin, responses: new Map(responses.map((each) => [each.url, each])) });
const FAR = 'https://far.example.net/';

it.each([
  ['dns_error', 'the host name does not resolve'],
  ['connect_error', 'the connection failed'],
  ['timeout', 'no response in time'],
  ['tls_error', 'the TLS handshake failed'],
  ['redirect_loop', 'a redirect loop'],
  ['redirect_limit', 'too many redirects'],
  ['fetch_error', 'the connection was lost'],
  ['ssrf_blocked', 'a private address; no request was sent'],
  ['body_limit', 'no response (body_limit)'],
])('describes %s as %s', (code, text) => {
  expect(describeResponse(failed(FAR, code))).toBe(text);
});

it('describes a response by its status, and one that is not known as such', () => {
  expect(describeResponse(fetched(FAR, { status: 404 }))).toBe('status 404');
  expect(describeResponse({ status: null, error: null })).toBe('no response (unknown)');
});

it.each([
  ['dns_error', true],
  ['connect_error', true],
  ['timeout', true],
  ['tls_error', false],
  ['fetch_error', false],
])('nothing came back after %s: %s', (code, unreached) => {
  expect(isUnreached(failed(FAR, code))).toBe(unreached);
  expect(isUnreached({ ...failed(FAR, code), status: 200 })).toBe(false);
});

describe('a target', () => {
  const isBroken = (status: number) => status >= 400;

  it('works or is broken by its status', () => {
    expect(reach().judge(fetched(FAR, { status: 200 }), isBroken)).toEqual({ state: 'works' });
    expect(reach().judge(fetched(FAR, { status: 404 }), isBroken)).toEqual({
      state: 'broken',
      observed: 'status 404',
    });
  });

  it.each(['dns_error', 'connect_error', 'timeout'])(
    'that ends in %s is broken if another host responded',
    (code) => {
      const target = failed(FAR, code);
      const state = (...others: FetchFacts[]) => reach(...others).judge(target, isBroken).state;
      expect(state()).toBe('not-measured');
      expect(state(fetched(`${origin}/`))).toBe('not-measured');
      expect(state(failed('https://other.example/', 'timeout'))).toBe('not-measured');
      expect(state(failed('https://other.example/', 'ssrf_blocked'))).toBe('not-measured');
      expect(state(fetched('https://other.example/'))).toBe('broken');
      expect(state(fetched('https://other.example/', { status: 500 }))).toBe('broken');
      expect(state(failed('https://other.example/', 'tls_error'))).toBe('broken');
    },
  );

  it('on the site itself is broken, whatever the network does', () => {
    expect(reach().judge(failed(`${origin}/a`, 'timeout'), isBroken).state).toBe('broken');
    expect(reach().judge(failed('https://www.example.com:8443/a', 'timeout'), isBroken).state).toBe(
      'not-measured',
    );
  });

  it.each(['ssrf_blocked', 'invalid_url', 'canceled'])('that we refused (%s) was not measured', (code) => {
    expect(reach(fetched('https://other.example/')).judge(failed(FAR, code), isBroken).state).toBe(
      'not-measured',
    );
    expect(reach().judge(failed(`${origin}/a`, code), isBroken).state).toBe('not-measured');
  });
});

it.each([
  [399, false, false],
  [400, true, false],
  [401, false, false],
  [403, true, false],
  [404, true, true],
  [410, true, true],
  [411, true, false],
  [429, false, false],
  [499, true, false],
  [500, true, true],
  [503, true, false],
  [599, true, true],
  [600, true, false],
])('status %i is broken inside the site: %s, outside: %s', (status, internal, external) => {
  expect([isBrokenInternally(status), isBrokenExternally(status)]).toEqual([internal, external]);
});

it.each([
  [['https://a.example/1'], '1 link on 1 host could'],
  [['https://a.example/1', 'https://a.example/2'], '2 links on 1 host could'],
  [['https://a.example/1', 'https://b.example/2'], '2 links on 2 hosts could'],
])('counts %j', (urls, text) => {
  expect(unmeasuredNote(['link', 'links'], urls)).toContain(text);
});
