import { expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';
import { absoluteUrl } from './public-origin.js';

interface Row {
  readonly name: string;
  readonly base: string;
  readonly headers?: Record<string, string>;
  readonly peerAddress?: string;
  readonly publicUrl?: string;
  readonly url: string;
  readonly from: string;
}

const STRANGER = '192.0.2.1';
const PROXY = '10.0.0.1';
const FORWARDED = {
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.test',
  'x-forwarded-for': '203.0.113.7',
};
const CHAIN = {
  'x-forwarded-host': 'evil.test, public.test',
  'x-forwarded-proto': 'gopher, https',
  'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.1',
};
const NONSENSE = {
  'x-forwarded-host': 'evil.test/path?',
  'x-forwarded-proto': 'javascript',
  'x-forwarded-for': 'unknown',
};

test.each<Row>([
  {
    name: 'Host decides',
    base: 'http://a.test:81',
    peerAddress: STRANGER,
    url: 'http://a.test:81/x',
    from: STRANGER,
  },
  {
    name: 'a stranger is not believed',
    base: 'http://a.test',
    headers: FORWARDED,
    peerAddress: STRANGER,
    url: 'http://a.test/x',
    from: STRANGER,
  },
  {
    name: 'a trusted peer is',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    from: '203.0.113.7',
  },
  {
    name: '--public-url wins',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    publicUrl: 'https://set.test/base/',
    url: 'https://set.test/base/x',
    from: '203.0.113.7',
  },
  {
    name: 'only what our own proxies wrote counts',
    base: 'http://inner',
    headers: CHAIN,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    from: '203.0.113.7',
  },
  {
    name: 'nonsense is ignored',
    base: 'http://inner',
    headers: NONSENSE,
    peerAddress: PROXY,
    url: 'http://inner/x',
    from: PROXY,
  },
  {
    name: 'an unknown peer is not believed',
    base: 'http://b',
    headers: FORWARDED,
    url: 'http://b/x',
    from: 'unknown',
  },
])('$name', async ({ base, headers = {}, peerAddress, publicUrl, url, from }) => {
  const { app } = appForTests(publicUrl === undefined ? {} : { publicUrl });
  app.get('/where', (c) => c.json({ url: absoluteUrl(c, '/x'), from: c.var.publicOrigin.clientAddress }));
  const response = await app.request(
    `${base}/where`,
    { headers },
    peerAddress === undefined ? {} : { peerAddress },
  );
  expect(await response.json()).toEqual({ url, from });
});
