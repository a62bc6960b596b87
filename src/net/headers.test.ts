import { expect, test } from 'vitest';
import { carriedAcrossOrigins, cleanRequestHeaders, headerValues, withoutContentHeaders } from './headers.js';

test.each([
  'True-Client-IP',
  'X-Client-IP',
  'Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'X-Cluster-Client-IP',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-AppEngine-User-IP',
  'X-Remote-Addr',
  'X-Originating-IP',
  'X-ProxyUser-Ip',
  'WL-Proxy-Client-IP',
  'X-Vercel-Forwarded-For',
  'X-NF-Client-Connection-IP',
  'X-Forwarded',
  'X-Forwarded-For',
  'X_Forwarded_For',
  'X.Real.IP',
  'X-Envoy-External-Address',
  'X-Remote-User',
  'SSL-Client-Cert',
  'X-ARR-ClientCert',
  'CloudFront-Viewer-Address',
  'X-Akamai-Edgescape',
  'Tailscale-User-Login',
])('drops %s, which claims another client', (name) => {
  expect(cleanRequestHeaders([[name, '10.0.0.1']])).toEqual([]);
});

test.each([
  'X-Original-URL',
  'X-Original-URI',
  'X-Rewrite-URL',
  'X-Override-URL',
  'X-HTTP-Method',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'X_HTTP_Method_Override',
  'X-Original-Method',
  'X-Original-Host',
  'X-Host-Override',
  'X-Forwarded-Prefix',
  'X-Forwarded-Uri',
  'X-Envoy-Original-Path',
])('drops %s, which overrides what was judged', (name) => {
  expect(cleanRequestHeaders([[name, '/admin']])).toEqual([]);
});

test.each([
  'Accept',
  'X-Api-Key',
  'OpenAI-Organization',
  'X-Feature-Override',
  'X-Override-Hosting',
  'X-Outer-Proxy-Id',
  'X-Client-Ip-Version',
  'Forwarded-For-Review',
  'X-Client-Version',
  'User-Agent',
  'X-Real',
])('keeps %s', (name) => {
  expect(cleanRequestHeaders([[name, '1']])).toEqual([[name.toLowerCase(), '1']]);
});

test.each([
  ...['Connection', 'Content-Length', 'Expect', 'Forwarded', 'Host', 'Keep-Alive', 'TE', 'Trailer'],
  ...['Transfer-Encoding', 'Upgrade', 'Via', 'Proxy-Authorization', 'Sec-Fetch-Site'],
])('drops %s, which frames or routes the request', (name) => {
  expect(cleanRequestHeaders([[name, 'x']])).toEqual([]);
});

test.each(['Metadata', 'Metadata-Flavor', 'X-aws-ec2-metadata-token', 'X-Metadata-Token'])(
  'drops %s, which a metadata service requires',
  (name) => {
    expect(cleanRequestHeaders([[name, 'x']])).toEqual([]);
  },
);

test.each([
  ...['Remote-User', 'Script-Name', 'X-Script-Name', 'X-Method', 'X-Host', 'X-Path', 'X-Uri', 'X-Url'],
  ...['X-Caller-IP', 'Peer-Address', 'X-Source-Ip', 'CF-Pseudo-IPv4', 'X-DestinationURL', 'X-URL-Override'],
])('drops %s in every spelling', (name) => {
  for (const spelled of [name, name.toUpperCase(), name.replaceAll('-', '_'), name.replaceAll('-', '.')]) {
    expect(cleanRequestHeaders([[spelled, 'x']])).toEqual([]);
  }
});

test('drops the headers that Connection names', () => {
  const pair = (name: string) => [name, 'x'] as const;
  for (const by of ['Connection', 'proxy-connection']) {
    const headers = [[by, 'close, X-Hop , x-other'] as const, pair('x-hop'), pair('X-Other'), pair('x-kept')];
    expect(cleanRequestHeaders(headers)).toEqual([pair('x-kept')]);
  }
});

test('keeps headers that only other headers name', () => {
  const headers = [['trailers', 'x-a, x-b'] as const, ['x-a', '1'] as const];
  expect(cleanRequestHeaders(headers)).toEqual(headers);
});

test.each(['', 'a b', 'a:b', 'a\r\nb', 'ä'])('rejects %j as a header name', (name) => {
  expect(() => cleanRequestHeaders([[name, 'x']])).toThrow(/not a token/);
});

test.each(['a\r\nb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u0100b'])('rejects %j as a header value', (value) => {
  expect(() => cleanRequestHeaders([['x-a', value]])).toThrow(/control or non-Latin-1/);
  expect(cleanRequestHeaders([['x-a', 'a\tb\u00e4']])).toEqual([['x-a', 'a\tb\u00e4']]);
});

test('drops credentials across origins, and content headers along with the body', () => {
  const list = (...names: string[]) => names.map((name) => [name, 'x'] as const);
  const harmless = ['accept', 'accept-encoding', 'accept-language', 'cache-control', 'pragma', 'user-agent'];
  expect(carriedAcrossOrigins(list(...harmless, 'authorization', 'cookie', 'x-api-key'))).toEqual(
    list(...harmless),
  );
  expect(withoutContentHeaders(list('content-type', 'content-encoding', 'accept', 'x-content-a'))).toEqual(
    list('accept', 'x-content-a'),
  );
  expect(headerValues([...list('a'), ['b', 'y'], ['a', 'z']], 'a')).toEqual(['x', 'z']);
});
