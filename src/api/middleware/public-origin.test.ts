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
  readonly clientAddress: string;
}

const UNTRUSTED = '192.0.2.1';
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
const MALFORMED = {
  'x-forwarded-host': 'evil.test/path?',
  'x-forwarded-proto': 'javascript',
  'x-forwarded-for': 'unknown',
};

test.each<Row>([
  {
    name: 'uses Host',
    base: 'http://a.test:81',
    peerAddress: UNTRUSTED,
    url: 'http://a.test:81/x',
    clientAddress: UNTRUSTED,
  },
  {
    name: 'ignores forwarded headers of an untrusted peer',
    base: 'http://a.test',
    headers: FORWARDED,
    peerAddress: UNTRUSTED,
    url: 'http://a.test/x',
    clientAddress: UNTRUSTED,
  },
  {
    name: 'uses forwarded headers of a trusted peer',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'prefers --public-url',
    base: 'http://inner',
    headers: FORWARDED,
    peerAddress: PROXY,
    publicUrl: 'https://set.test/base/',
    url: 'https://set.test/base/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'uses only the entries that our own proxies wrote',
    base: 'http://inner',
    headers: CHAIN,
    peerAddress: PROXY,
    url: 'https://public.test/x',
    clientAddress: '203.0.113.7',
  },
  {
    name: 'ignores malformed forwarded headers',
    base: 'http://inner',
    headers: MALFORMED,
    peerAddress: PROXY,
    url: 'http://inner/x',
    clientAddress: PROXY,
  },
  {
    name: 'ignores forwarded headers of an unknown peer',
    base: 'http://b',
    headers: FORWARDED,
    url: 'http://b/x',
    clientAddress: 'unknown',
  },
])('$name', async ({ base, headers = {}, peerAddress, publicUrl, url, clientAddress }) => {
  const { app } = appForTests(publicUrl === undefined ? {} : { publicUrl });
  app.get('/where', (c) =>
    c.json({ url: absoluteUrl(c, '/x'), clientAddress: c.var.publicOrigin.clientAddress }),
  );
  const response = await app.request(
    `${base}/where`,
    { headers },
    peerAddress === undefined ? {} : { peerAddress },
  );
  expect(await response.json()).toEqual({ url, clientAddress });
});
