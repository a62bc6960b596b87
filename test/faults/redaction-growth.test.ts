/**
 * Redaction is linear on hostile input, for repeats of every rule's opening and for openings that are never closed:
 * four times the text takes about four times the processor time, where a quadratic rule would take sixteen. There is no
 * absolute limit, because machines differ and growth does not.
 */
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/net/redact/redactor.js';

const { text } = createRedactor({ secrets: ['a-live-secret', 'aaaaaaaaaaaaab'] });

const REPEATED = [
  ...[
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    'eyJaaaaaaaaaaaa.',
    'ZXlK',
    'LS0tLS1CRUdJTi',
    'aB3/',
    'a',
    ' ',
  ],
  ...[
    '"',
    "'",
    '\\',
    '\\"',
    '\\u0022',
    'a=',
    'a:',
    '=',
    ':',
    '%3D',
    '&',
    '&quot;',
    ',',
    ';',
    '[',
    '{"a":',
    '<',
    '>',
    '-',
  ],
  ...['://', '//', '//a:b/', '@', '//a@', '%2F%2F', '%2f%2fa%40'],
  ...[
    'token=',
    'token= ',
    'token="',
    "token='",
    'token=\\"',
    'token="a\n',
    'token=&quot;',
    'token%3Da%26',
    'token: a\n',
  ],
  ...[
    'token:[',
    '"token":{',
    'token: |\n ',
    '"token","',
    '["token",',
    '"name":"token",',
    '{"value":"a","name":"token"}',
  ],
  ...[
    'token:\n',
    'token:\n ',
    'token:\n "',
    'tokens:\n- a1\n',
    '- a1\n',
    'token: a | ',
    'token: a = "',
    'token: a<',
    'token+=',
    'token<-',
    'token[a]=',
    'token[1]',
    '[token]',
    '"token" ,',
    '("token",',
    ';token=a ',
    'Server=a;token=a b;',
    'connectionString=Server=a; ',
    '<token><![CDATA[',
  ],
  ...[
    'Authorization: ',
    'Authorization: Digest a="',
    'Cookie: a=',
    'Cookie: a\n',
    'Bearer ',
    'basic aaaaaaaa ',
    '"token: ',
  ],
  ...[
    '-u ',
    '-u "',
    '--token "',
    '<token>',
    '<token ',
    'login a password ',
    "password '",
    'mysql ',
    'api key: ',
  ],
  ...[
    'ghp_',
    'sk-',
    'AKIA',
    'SG.',
    'xoxb-',
    '0123456789abcdef',
    'hooks.slack.com/services/',
    'aaa1Q~',
    '123456:',
  ],
  ...[
    '?code=',
    '?key=aaaaaaaaaaaaaaa',
    'kty"d":"',
    'grant_type"code":"',
    '[REDACTED]',
    '[REDACTED',
    'a-live-secre',
  ],
];
const OPENED_ONCE = [
  'token="',
  '{"token":{',
  'Cookie: ',
  '//a:',
  '<token>',
  'token: |\n',
  'token:\n ',
  'tokens:\n- ',
  'Server=a;token=a ',
  'connectionString=Server=a; ',
  '<token><![CDATA[',
  '-----BEGIN PRIVATE KEY-----',
];

const hostile: readonly (readonly [string, (size: number) => string])[] = [
  // Whole repeats only: a cut in the last one could add a round for one size and not for the other.
  ...REPEATED.map((unit) => [unit, (size: number) => unit.repeat(Math.floor(size / unit.length))] as const),
  ...OPENED_ONCE.flatMap((opening) => [
    [`${opening}, then blanks`, (size: number) => opening + ' '.repeat(size)] as const,
    [`${opening}, then letters`, (size: number) => opening + 'a'.repeat(size)] as const,
  ]),
];

/** The minimum of several runs in processor time, which other work on the machine hardly affects. */
function leastCpu(input: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    text(input);
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  return least;
}

const SIZE = 40_000;
/** The geometric middle between linear (4) and quadratic (16). */
const GROWTH_MAX = 8;

/** Garbage collection or compilation can hit every run of one attempt; a quadratic rule takes sixteen in each. */
const ATTEMPTS = [
  // Enough for almost every text. The others repeat what was disturbed.
  { large: 1, small: 3 },
  ...Array.from({ length: 4 }, () => ({ large: 3, small: 5 })),
];

test.each(hostile)('%j', (_name, generate) => {
  const small = generate(SIZE);
  const large = generate(4 * SIZE);
  leastCpu(small, 1);
  let growth = Number.POSITIVE_INFINITY;
  for (const runs of ATTEMPTS) {
    growth = Math.min(growth, leastCpu(large, runs.large) / leastCpu(small, runs.small));
    if (growth <= GROWTH_MAX) break;
  }
  expect(growth).toBeLessThanOrEqual(GROWTH_MAX);
});
