import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tryUrl } from '../try-url.js';
import { classifyAddress } from './classify-address.js';
import { ANSWER_ADDRESSES_MAX, createPolicy, type PolicyOptions } from './policy.js';

const judge = (url: string, options: PolicyOptions = {}, from?: string) => {
  const verdict = createPolicy(options).judgeUrl(url, from === undefined ? undefined : new URL(from));
  return verdict.ok ? 'allowed' : `${verdict.refusal.code}/${verdict.refusal.step}/${verdict.refusal.rule}`;
};

test.each([
  ['https://example.com/', 'allowed'],
  ['https://example.com.:8443/a?b#c', 'allowed'],
  ['https://bücher.example.com/', 'allowed'],
  ['https://xn--bcher-kva.example.com/', 'allowed'],
  ['https://my_bucket.example.com/', 'allowed'],
  ['not a url', 'invalid_url/url/unparsable'],
  ['http://', 'invalid_url/url/no_hostname'],
  ['https:///?x', 'invalid_url/url/no_hostname'],
  ['file:///etc/passwd', 'invalid_url/url/invalid_scheme'],
  ['http://user@example.com/', 'invalid_url/url/userinfo'],
  ['http://@example.com/', 'invalid_url/url/userinfo'],
  ['http:\\\\@example.com/', 'invalid_url/url/userinfo'],
  [' http://example.com/', 'invalid_url/url/blank_or_control'],
  ['http://exam\nple.com/', 'invalid_url/url/blank_or_control'],
  [`http://example.com/${'a'.repeat(9000)}`, 'invalid_url/url/too_long'],
  ['http://example.com:25/', 'ssrf_blocked/port/bad_port'],
  ['http://example.com:0/', 'ssrf_blocked/port/bad_port'],
  ['http://a..b.com/', 'ssrf_blocked/host/host_grammar'],
  ['http://-a.example.com/', 'ssrf_blocked/host/host_grammar'],
  ['http://localhost/', 'ssrf_blocked/host/private_name'],
  ['http://a.b.localhost/', 'ssrf_blocked/host/private_name'],
  ['http://intranet/', 'ssrf_blocked/host/private_name'],
  ['http://x.svc.cluster.local/', 'ssrf_blocked/host/private_name'],
  ['http://metadata.google.internal/', 'ssrf_blocked/host/metadata_name'],
  ['http:/example.com/', 'invalid_url/url/ambiguous_host'],
  ['http:example.com/', 'invalid_url/url/ambiguous_host'],
  ['http:///example.com/', 'invalid_url/url/ambiguous_host'],
  ['http:\\\\example.com/', 'invalid_url/url/ambiguous_host'],
  ['http://example.com\\.evil.com/', 'invalid_url/url/ambiguous_host'],
  ['http://example.com\\@evil.com/', 'invalid_url/url/ambiguous_host'],
  ['http://example.com#@evil.com/', 'invalid_url/url/ambiguous_host'],
  ['http://example.com?@evil.com/', 'invalid_url/url/ambiguous_host'],
  ['HTTP://example.com?@evil.com/', 'invalid_url/url/ambiguous_host'],
  ['HTTP:example.com/', 'invalid_url/url/ambiguous_host'],
  ['http://example.com?mail=a@example.com', 'allowed'],
  ['http://example.com/a//b?c@d', 'allowed'],
  ['http://example.com/a\\b', 'allowed'],
  ['HTTPS://EXAMPLE.com', 'allowed'],
  ['http://api.default.svc/', 'ssrf_blocked/host/private_name'],
  ['http://web.service.consul/', 'ssrf_blocked/host/private_name'],
  ['http://vm.internal.cloudapp.net/', 'ssrf_blocked/host/private_name'],
  ['http://1.0.0.127.in-addr.arpa/', 'ssrf_blocked/host/private_name'],
  ['http://127.1/', 'ssrf_blocked/address/loopback'],
  ['http://[::1]/', 'ssrf_blocked/address/loopback'],
  ['http://169.254.169.254/', 'ssrf_blocked/address/link_local'],
])('judges %s as %s', (url, expected) => {
  expect(judge(url)).toBe(expected);
});

test('refuses a malformed A-label on every engine', () => {
  for (const host of ['xn--a.com', 'xn--.com', 'xn--0.com', 'xn--a-.com'])
    expect(judge(`http://${host}/`)).not.toBe('allowed');
});

describe('private origins', () => {
  const allowPrivate = [
    'http://127.0.0.1:8080',
    'http://localhost:3000',
    'https://nas.lan',
    'http://[fd12::5]:81',
  ];

  test.each([
    ['http://127.0.0.1:8080/a', 'allowed'],
    ['http://127.1:8080/', 'allowed'],
    ['http://localhost:3000/', 'allowed'],
    ['https://nas.lan/', 'allowed'],
    ['http://[fd12::5]:81/', 'allowed'],
    ['https://127.0.0.1:8080/', 'ssrf_blocked/address/loopback'],
    ['http://127.0.0.1:8081/', 'ssrf_blocked/address/loopback'],
    ['http://127.0.0.2:8080/', 'ssrf_blocked/address/loopback'],
    ['http://nas.lan/', 'ssrf_blocked/host/private_name'],
  ])('judges %s as %s', (url, expected) => {
    expect(judge(url, { allowPrivate })).toBe(expected);
  });

  test.each(['http://metadata.google.internal', 'http://-bad-.example.com'])(
    'never opens a metadata service or a malformed name: %s',
    (origin) => {
      expect(judge(`${origin}/`, { allowPrivate: [origin] })).toBe(judge(`${origin}/`));
      expect(judge(`${origin}/`, { openOrigins: () => [origin] })).toMatch(/^ssrf_blocked\/host\//);
    },
  );

  test('a redirect reaches an opened origin only from that origin', () => {
    const to = 'http://127.0.0.1:8080/next';
    expect(judge(to, { allowPrivate }, 'http://127.0.0.1:8080/')).toBe('allowed');
    expect(judge(to, { allowPrivate }, 'https://example.com/')).toBe('ssrf_blocked/address/loopback');
    expect(judge(to, { allowPrivate }, 'http://localhost:3000/')).toBe('ssrf_blocked/address/loopback');
  });

  test('a redirect from another origin is refused without naming an origin to open', () => {
    const verdict = createPolicy().judgeUrl('http://127.0.0.1:8080/', new URL('https://example.com/'));
    expect(verdict).toMatchObject({ ok: false, refusal: { rule: 'loopback' } });
    expect(verdict).not.toHaveProperty('refusal.allow');
  });

  test('opens only loopback, private, CGNAT and ULA addresses in a DNS answer', () => {
    const policy = createPolicy({ allowPrivate: ['http://app.example.com'] });
    const judged = policy.judgeUrl('http://app.example.com/');
    if (!judged.ok) throw new Error('refused');
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '172.16.0.1',
      '100.64.0.1',
      'fd12::1',
      '::1',
    ]) {
      expect(policy.judgeResponse(judged.target, [address])).toBeUndefined();
    }
    for (const address of [
      '169.254.169.254',
      '100.100.100.200',
      'fd00:ec2::254',
      'fd20:ce::254',
      '0.0.0.0',
      '224.0.0.1',
      'fe80::1',
      '::',
      'ff02::1',
      '::ffff:10.0.0.1',
      '168.63.129.16',
      '255.255.255.255',
      'fe80::1%eth0',
      'junk',
    ]) {
      expect(policy.judgeResponse(judged.target, [address])?.step).toBe('dns');
      expect(policy.judgePeer(judged.target, address)?.step).toBe('peer');
    }
  });

  test.each([
    'http://127.0.0.1:8080/path',
    'ftp://127.0.0.1',
    '127.0.0.1:80',
    'http://u@127.0.0.1',
    'http://169.254.169.254',
    'http://[fe80::1]',
  ])('rejects the allowPrivate entry %s', (origin) => {
    expect(() => createPolicy({ allowPrivate: [origin] })).toThrow(/net\.allowPrivate/);
  });
});

test("refuses this machine's own public addresses like loopback", () => {
  const ownAddresses = () => ['8.8.8.8'];
  expect(judge('http://8.8.8.8/', { ownAddresses })).toBe('ssrf_blocked/address/own_address');
  expect(judge('http://8.8.8.8/', { ownAddresses, allowPrivate: ['http://8.8.8.8'] })).toBe('allowed');
  expect(judge('http://8.8.4.4/', { ownAddresses })).toBe('allowed');
});

test('a connectTo entry of a port comes before that of its name', () => {
  const connectTo = { 'APP.example.com:8443': '10.0.0.5:443', 'app.example.com': '8.8.8.8:443' };
  expect(judge('https://app.example.com:8443/', { connectTo })).toBe('ssrf_blocked/address/private');
  expect(judge('https://app.example.com./', { connectTo })).toBe('allowed');
  const { ok, ...verdict } = createPolicy({ connectTo }).judgeUrl('https://app.example.com./');
  expect([ok, verdict]).toMatchObject([true, { target: { fixed: { address: '8.8.8.8', port: 443 } } }]);
});

test('a connectTo entry is judged by address and port', () => {
  const to = (value: string, allowPrivate: string[] = []) =>
    judge('https://app.example.com/', { connectTo: { 'app.example.com': value }, allowPrivate });
  expect(to('8.8.8.8:8443')).toBe('allowed');
  expect(to('[2606:4700::1]:443')).toBe('allowed');
  expect(to('10.0.0.5:443')).toBe('ssrf_blocked/address/private');
  expect(to('10.0.0.5:443', ['https://app.example.com'])).toBe('allowed');
  expect(to('8.8.8.8:25')).toBe('ssrf_blocked/port/bad_port');
  expect(to('8.8.8.8:65535')).toBe('allowed');
  expect(to('[2606:4700::ABCD]:443')).toBe('allowed');
  for (const bad of [
    '8.8.8.8',
    'example.com:80',
    '8.8.8.8:65536',
    '::1:80',
    '8.8.8.8:80x',
    '8.8.8.256:80',
    '',
  ])
    expect(() => to(bad)).toThrow(/net\.connectTo/);
});

const V4_EDGES = [
  '0.0.0.0',
  '10.0.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '172.32.0.0',
  '192.0.0.192',
  '8.8.8.8',
  '255.255.255.255',
];
const v4 = fc.oneof(
  fc.nat(0xffff_ffff),
  fc.constantFrom(
    ...V4_EDGES.map((text) => text.split('.').reduce((value, octet) => value * 256 + Number(octet), 0)),
  ),
);
const radix = fc.constantFrom(
  (n: number) => String(n),
  (n: number) => `0${n.toString(8)}`,
  (n: number) => `0000${n.toString(8)}`,
  (n: number) => `0x${n.toString(16)}`,
  (n: number) => `0X000${n.toString(16).toUpperCase()}`,
);
const DIGITS: readonly string[] = ['０１２３４５６７８９', '⓪①②③④⑤⑥⑦⑧⑨', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'];
const disguise = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => encodeURIComponent(text).replace(/[0-9]/g, (digit) => `%3${digit}`),
  ...DIGITS.map(
    (digits) => (text: string) =>
      text.replace(/[0-9]/g, (digit) => Array.from(digits)[Number(digit)] ?? digit),
  ),
);

test('every spelling of an IPv4 address is judged like its canonical form', () => {
  fc.assert(
    fc.property(
      v4,
      fc.integer({ min: 1, max: 4 }),
      fc.array(radix, { minLength: 4, maxLength: 4 }),
      fc.constantFrom('.', '。', '．', '｡', '%2e'),
      disguise,
      fc.boolean(),
      (value, parts, radixes, dot, dress, trailingDot) => {
        const octets = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);
        const head = octets.slice(0, parts - 1);
        const tail = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
        const spelled =
          [...head, tail].map((part, i) => dress(radixes[i]?.(part) ?? '')).join(dot) +
          (trailingDot ? '.' : '');
        const url = `http://${spelled}/`;
        fc.pre(tryUrl(url) !== undefined);
        expect(new URL(url).hostname).toBe(octets.join('.'));
        const refused = classifyAddress(octets.join('.'));
        expect(judge(url)).toBe(refused ? `ssrf_blocked/address/${refused.rule}` : 'allowed');
      },
    ),
    { numRuns: 2000 },
  );
});

test('every spelling of an IPv6 address is judged like its canonical form', () => {
  const group = fc.oneof(
    fc.constant(0),
    fc.constantFrom(1, 0xffff, 0x2001, 0x2002, 0xfe80, 0xfd00, 0x5efe, 0x64, 0xff9b),
    fc.nat(0xffff),
  );
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (groups, upper, padded, dotted) => {
        const texts = groups.map((each) => each.toString(16).padStart(padded ? 4 : 1, '0'));
        if (dotted) {
          const [high = 0, low = 0] = groups.slice(6);
          texts.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join('.'));
        }
        const run = /(^|:)(0+(:0+)+)(:|$)/.exec(texts.join(':'));
        const spelled = run ? texts.join(':').replace(run[0], '::') : texts.join(':');
        const url = `http://[${upper ? spelled.toUpperCase() : spelled}]/`;
        const refused = classifyAddress({ family: 6, groups });
        expect(judge(url)).toBe(refused ? `ssrf_blocked/address/${refused.rule}` : 'allowed');
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['//example.com/', 'allowed'],
  ['/path\\x', 'allowed'],
  ['?q=//x', 'allowed'],
  ['/\\example.com/', 'invalid_url/url/ambiguous_host'],
  ['\\\\example.com/', 'invalid_url/url/ambiguous_host'],
  ['///example.com/', 'invalid_url/url/ambiguous_host'],
  ['https:example.com/', 'invalid_url/url/ambiguous_host'],
])('judges a redirect to %s as %s', (location, expected) => {
  expect(judge(location, {}, 'https://start.example.com/')).toBe(expected);
});

test.each([
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fd00:a9fe:a9fe::1',
  'fdab::a9fe:a9fe',
])('never opens the metadata address %s', (address) => {
  expect(() => createPolicy({ allowPrivate: [`http://[${address}]`] })).toThrow(/never opened/);
  expect(classifyAddress(address)).toMatchObject({ rule: 'metadata', liftable: false });
});

test('refuses a DNS answer with too many addresses', () => {
  const policy = createPolicy();
  const verdict = policy.judgeUrl('http://example.com/');
  if (!verdict.ok) throw new Error('refused');
  expect(ANSWER_ADDRESSES_MAX).toBe(64);
  const addresses = Array.from({ length: ANSWER_ADDRESSES_MAX + 1 }, (_, n) => `93.184.216.${n}`);
  expect(policy.judgeResponse(verdict.target, addresses)).toMatchObject({ rule: 'too_many_addresses' });
  expect(policy.judgeResponse(verdict.target, addresses.slice(1))).toBeUndefined();
});

describe('any port of loopback', () => {
  test('is every port, if this server has none of its own', () => {
    expect(judge('http://localhost:4747/', { allowPrivate: ['http://localhost:*'] })).toBe('allowed');
  });

  const open = { allowPrivate: ['http://localhost:*', 'http://[::1]:*'], ownPorts: () => [4747] };
  test.each([
    ['http://localhost:3000/', 'allowed'],
    ['http://localhost/', 'allowed'],
    ['http://[::1]:8080/', 'allowed'],
    ['http://localhost:4747/', 'ssrf_blocked/host/private_name'],
    ['http://localhost:25/', 'ssrf_blocked/port/bad_port'],
    ['https://localhost:3000/', 'ssrf_blocked/host/private_name'],
    ['http://127.0.0.1:3000/', 'ssrf_blocked/address/loopback'],
  ])('judges %s as %s', (url, expected) => {
    expect(judge(url, open)).toBe(expected);
  });

  test.each([
    ...['http://10.0.0.1:*', 'http://app.example.com:*', 'http://localhost:1', 'http://*:*'],
    ...['http://localhost:*/', 'http://localhost:*0', 'xhttp://localhost:*'],
  ])('rejects the allowPrivate entry %s', (origin) => {
    expect(() => createPolicy({ allowPrivate: [origin] })).toThrow(/net\.allowPrivate/);
  });
});

test('reports every refusal once, at every step', () => {
  const refused: string[] = [];
  const policy = createPolicy({ onRefused: ({ step, rule }) => void refused.push(`${step} ${rule}`) });
  const judged = policy.judgeUrl('https://example.com/');
  if (!judged.ok) throw new Error('refused');
  expect(policy.judgeUrl('http://127.0.0.1/').ok).toBe(false);
  expect(policy.judgeResponse(judged.target, ['10.0.0.1'])?.rule).toBe('private');
  expect(policy.judgePeer(judged.target, '::1')?.rule).toBe('loopback');
  expect(policy.judgeResponse(judged.target, ['93.184.216.34'])).toBeUndefined();
  expect(policy.judgePeer(judged.target, '93.184.216.34')).toBeUndefined();
  expect(refused).toEqual(['address loopback', 'dns private', 'peer loopback']);
});
