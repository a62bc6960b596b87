import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../test/support/dns-server.js';
import { createCaresResolver } from '../runtimes/node/egress/cares-resolver.js';
import { explainUrl } from './explain-url.js';
import { createPolicy } from './policy.js';

const ADDRESSES: Readonly<Record<string, string[]>> = {
  'public.sonde-tests.com': ['93.184.216.34', '93.184.216.35'],
  'mixed.sonde-tests.com': ['93.184.216.34', '10.0.0.1'],
};

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer((name) => ADDRESSES[name] ?? []);
});
afterAll(() => dns.close());

const explained = (url: string) =>
  explainUrl(createPolicy(), createCaresResolver({ servers: [dns.address] }), url);

test('an allowed name has the addresses that it resolves to', async () => {
  expect(await explained('HTTPS://public.sonde-tests.com')).toEqual({
    url: 'https://public.sonde-tests.com/',
    verdict: 'allowed',
    step: 'dns',
    message: 'every address may be reached',
    addresses: ['93.184.216.34', '93.184.216.35'],
  });
});

test('an allowed address is not resolved', async () => {
  const asked = dns.asked.length;
  expect(await explained('http://93.184.216.34:8080/a')).toEqual({
    url: 'http://93.184.216.34:8080/a',
    verdict: 'allowed',
    step: 'address',
    message: 'the address may be reached',
    addresses: ['93.184.216.34'],
  });
  expect(dns.asked).toHaveLength(asked);
});

test('a refused URL is shown as it was given', async () => {
  expect(await explained('HTTP://127.1/')).toMatchObject({
    ...{ url: 'HTTP://127.1/', verdict: 'refused', addresses: [] },
    ...{ code: 'ssrf_blocked', step: 'address', rule: 'loopback' },
  });
});

test('a name is refused for one of its addresses', async () => {
  expect(await explained('http://mixed.sonde-tests.com/')).toMatchObject({
    ...{ url: 'http://mixed.sonde-tests.com/', verdict: 'refused' },
    ...{ addresses: ['93.184.216.34', '10.0.0.1'], code: 'ssrf_blocked', step: 'dns', rule: 'private' },
  });
});

test('a name without addresses is unresolved', async () => {
  expect(await explained('http://nobody.sonde-tests.com/')).toMatchObject({
    ...{ url: 'http://nobody.sonde-tests.com/', verdict: 'unresolved' },
    ...{ step: 'dns', code: 'dns_error', addresses: [] },
  });
});
