/** The rules that the published JSON schema cannot express. The others are compared with that file. */
import { expect, test } from 'vitest';
import {
  connectTo,
  dnsServer,
  ipOrCidr,
  origin,
  path,
  postgresUrl,
  secret,
  size,
  time,
  urlOrPath,
} from './value-schemas.js';

const SCHEMAS = { path, urlOrPath, origin, ipOrCidr, dnsServer, connectTo, postgresUrl };

const CASES: Record<
  keyof typeof SCHEMAS,
  { readonly accepted: readonly unknown[]; readonly refused: readonly unknown[] }
> = {
  path: { accepted: ['a', '/a b/ü', 'x'.repeat(4096)], refused: ['', 'a\0b', '\0', 'x'.repeat(4097)] },
  urlOrPath: {
    accepted: ['./keys.json', 'https://a.example/jwks?x', 'HTTP://a.example', 'xhttps:'],
    refused: ['', 'https:', 'HTTPS://', 'http://a b/', 'a\0b'],
  },
  origin: {
    accepted: ['https://a.example', 'HTTP://a.example/', 'http://[::1]:8080'],
    refused: [
      ...['a.example', 'ftp://a.example', 'https://', 'https://a.example/path', 'x https://a.example'],
      ...['https://a.example?', 'https://a.example?x', 'https://a.example#', 'https://a.example#x'],
      ...['https://u@a.example', 'https://:p@a.example', 'https://@a.example'],
      `https://a.example:80${' '.repeat(2048)}`,
    ],
  },
  ipOrCidr: {
    accepted: ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    refused: ['', 'a.example', '10.0.0', '10.0.0.0/33', '::/129'],
  },
  dnsServer: {
    accepted: ['9.9.9.9', '9.9.9.9:1', '9.9.9.9:65535', '2620:fe::fe', '[2620:fe::fe]:53'],
    refused: [
      ...['', 'a.example', 'a.example:53', '9.9.9.9:', '9.9.9.9:0', '9.9.9.9:65536', '9.9.9.9:000053'],
      ...[
        '[9.9.9.9]:53',
        '[2620:fe::fe]',
        '2620:fe::fe::53',
        '[2620:fe::fe]:0',
        'x9.9.9.9:53',
        '9.9.9.9:53x',
      ],
    ],
  },
  connectTo: {
    accepted: [
      { 'a.example': '192.0.2.1:80' },
      { 'a.example:443': '[::1]:8443' },
      { '[2001:db8::1]:443': '127.0.0.1:1' },
      {},
    ],
    refused: [
      ...[{ 'a.example': '192.0.2.1' }, { 'a.example': '::1' }, { 'a.example': 'b.example:80' }],
      ...[{ 'a.example': '192.0.2.1:0' }, { 'a b': '192.0.2.1:80' }, { 'a.example:': '192.0.2.1:80' }],
    ],
  },
  postgresUrl: {
    accepted: ['postgres://h/d', 'postgresql://u:p@h:5432/d', 'postgres:///d?host=/tmp'],
    refused: ['', 'mysql://h/d', ' postgres://h/d', 'postgres://h:x/d', 'postgres:h'],
  },
};

const rows = Object.entries(CASES).flatMap(([name, { accepted, refused }]) => [
  ...accepted.map((given) => [name, given, true] as const),
  ...refused.map((given) => [name, given, false] as const),
]);

test.each(rows)('%s accepts %j: %s', (name, given, isAccepted) => {
  expect(SCHEMAS[name as keyof typeof SCHEMAS].safeParse(given).success).toBe(isAccepted);
});

test('an origin is returned without its slash and in lower case', () => {
  expect(origin.parse('HTTPS://A.example:443/')).toBe('https://a.example');
});

test('a secret is measured in bytes', () => {
  const given = ['x'.repeat(31), 'é'.repeat(16), 'x'.repeat(4096), 'x'.repeat(4097)];
  expect(given.map((each) => secret.safeParse(each).success)).toEqual([false, true, true, false]);
});

test.each([
  ['size', size, '4KiB', 4096],
  ['time', time, '4s', 4000],
] as const)('a %s is a number, or text with a unit, within its bounds', (_name, schema, text, parsed) => {
  const bounded = schema(text, text);
  expect([bounded.parse(text), bounded.parse(parsed)]).toEqual([parsed, parsed]);
  for (const given of [parsed - 1, parsed + 1, `${parsed + 1}`, parsed + 0.5, `x${text}`, '', null]) {
    expect(bounded.safeParse(given).success).toBe(false);
  }
});
