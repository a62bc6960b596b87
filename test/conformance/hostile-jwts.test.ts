/** Hostile tokens: wrong algorithms, keys, claims and encodings. A server must refuse every one of them. */
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JWT_SECRET } from '../support/app-for-tests.js';
import { type ProxyBench, startProxyBench } from '../support/proxy-bench.js';

const b64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);
const now = seconds();
const CLAIMS = { tenant: 'acme', scope: 'proxy:read proxy:create', iat: now, exp: now + 3_600 };
const HEADER = { alg: 'HS256', typ: 'JWT' };

function hs(header: unknown, claims: unknown, secret: string | Buffer = JWT_SECRET, hash = 'sha256'): string {
  const signed = `${b64(header)}.${b64(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

function rs(header: unknown, claims: unknown, key: KeyObject, hash = 'SHA256'): string {
  const signed = `${b64(header)}.${b64(claims)}`;
  return `${signed}.${createSign(hash).update(signed).sign(key).toString('base64url')}`;
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const JWK = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
const good = hs(HEADER, CLAIMS);
const goodRs = rs({ alg: 'RS256', typ: 'JWT', kid: 'one' }, CLAIMS, privateKey);
const [head = '', body = '', signature = ''] = good.split('.');

type Case = readonly [name: string, token: string];
const list = (name: string, tokens: readonly string[]): Case[] =>
  tokens.map((token, index) => [`${name} ${index + 1}`, token]);

const NONE_ALGS = ['none', 'None', 'NONE', 'nOnE', '', ' none', 'none ', 'null', 'HS256none'];
const OTHER_ALGS = [
  'HS384',
  'HS512',
  'RS256',
  'RS512',
  'ES256',
  'PS256',
  'EdDSA',
  'hs256',
  'Hs256',
  'HS-256',
  'SHA256',
  'dir',
  'A256GCM',
  'RSA1_5',
  'PBES2-HS256+A128KW',
];
const JUNK_ALGS: unknown[] = [null, 0, true, [], ['HS256'], {}, { alg: 'HS256' }];
const KIDS = [
  '../../../../dev/null',
  '/dev/null',
  '/etc/passwd',
  "' OR '1'='1",
  '| id',
  '$(id)',
  '{{7*7}}',
  'http://127.0.0.1/k',
  '\u0000',
  '__proto__',
  'constructor',
  'x'.repeat(4_000),
];

/** Tokens that a server with a shared secret refuses. */
const FOR_SECRET: readonly Case[] = [
  ...list(
    'alg none',
    NONE_ALGS.flatMap((alg) => [
      `${b64({ alg })}.${body}.`,
      `${b64({ alg })}.${body}.${signature}`,
      hs({ alg, typ: 'JWT' }, CLAIMS),
    ]),
  ),
  ...list(
    'another alg',
    OTHER_ALGS.flatMap((alg) => [hs({ alg, typ: 'JWT' }, CLAIMS), `${b64({ alg, typ: 'JWT' })}.${body}.`]),
  ),
  ...list('HS384 and HS512 with the right secret', [
    hs({ alg: 'HS384' }, CLAIMS, JWT_SECRET, 'sha384'),
    hs({ alg: 'HS512' }, CLAIMS, JWT_SECRET, 'sha512'),
  ]),
  ...list(
    'junk for alg',
    JUNK_ALGS.map((alg) => hs({ alg, typ: 'JWT' }, CLAIMS)),
  ),
  ...list('no alg', [
    hs({ typ: 'JWT' }, CLAIMS),
    hs({}, CLAIMS),
    hs([], CLAIMS),
    hs('null', CLAIMS),
    hs('"HS256"', CLAIMS),
  ]),
  ...list('another secret', [
    ...KIDS.map((kid) => hs({ ...HEADER, kid }, CLAIMS, '')),
    hs(HEADER, CLAIMS, ''),
    hs(HEADER, CLAIMS, `${JWT_SECRET} `),
    hs(HEADER, CLAIMS, JWT_SECRET.toUpperCase()),
    hs(HEADER, CLAIMS, Buffer.from(JWT_SECRET).toString('base64')),
    hs(HEADER, CLAIMS, 'secret'),
    hs(HEADER, CLAIMS, PEM),
  ]),
  ...list('a key that the token brings', [
    hs({ ...HEADER, jwk: { kty: 'oct', k: b64('mine') } }, CLAIMS, 'mine'),
    hs({ ...HEADER, jku: 'http://127.0.0.1/jwks' }, CLAIMS, 'mine'),
    hs({ ...HEADER, x5u: 'http://127.0.0.1/cert' }, CLAIMS, 'mine'),
    hs({ ...HEADER, x5c: [b64('cert')] }, CLAIMS, 'mine'),
    rs({ alg: 'RS256', jwk: JWK }, CLAIMS, privateKey),
    rs({ alg: 'RS256', kid: 'one' }, CLAIMS, privateKey),
  ]),
  ...list(
    'crit',
    [['b64'], ['exp'], [], ['x'], 'b64', null, ['b64', 'b64'], ['http://x/ext']].map((crit) =>
      hs({ ...HEADER, crit, b64: true, x: 1 }, CLAIMS),
    ),
  ),
  ...list('b64', [
    hs({ ...HEADER, b64: false, crit: ['b64'] }, CLAIMS),
    `${b64({ ...HEADER, b64: false, crit: ['b64'] })}.${JSON.stringify(CLAIMS)}.${signature}`,
  ]),
  ...list(
    'typ',
    [
      'JWE',
      'JWS',
      'jose',
      'sonde-session+jwt',
      'secevent+jwt',
      'dpop+jwt',
      'text/html',
      'JWT ',
      '',
      5,
      null,
      ['JWT'],
      {},
    ].map((typ) => hs({ ...HEADER, typ }, CLAIMS)),
  ),
  ...list(
    'expiry',
    [now - 31, now - 3_600, 0, -1, 1].map((exp) => hs(HEADER, { ...CLAIMS, exp })),
  ),
  ...list(
    'no usable expiry',
    [null, 'soon', String(now + 600), true, [now + 600], {}].map((exp) => hs(HEADER, { ...CLAIMS, exp })),
  ),
  ...list('expiry left out', [
    hs(HEADER, { tenant: 'acme', scope: 'proxy:read' }),
    hs(HEADER, {}),
    hs(HEADER, []),
  ]),
  ...list(
    'not yet valid',
    [now + 1_800, now + 3_600, 2 ** 40, 'later', null, {}].map((nbf) => hs(HEADER, { ...CLAIMS, nbf })),
  ),
  ...list(
    'junk for iat',
    ['then', null, {}].map((iat) => hs(HEADER, { ...CLAIMS, iat })),
  ),
  ...list(
    'tenant',
    [
      undefined,
      null,
      '',
      'A',
      'a b',
      '../x',
      'a/b',
      '-a',
      'a'.repeat(64),
      'a\u0000',
      '\u0430cme',
      5,
      ['acme'],
      {},
      'acme\n',
      '*',
      'stream/acme',
    ].map((tenant) => hs(HEADER, { ...CLAIMS, tenant })),
  ),
  ...list(
    'scope',
    [5, null, true, {}, [5], [['proxy:read']], { '0': 'proxy:read' }].map((scope) =>
      hs(HEADER, { ...CLAIMS, scope }),
    ),
  ),
  ...list(
    'a payload that is no object',
    ['null', '[]', '5', '"x"', '', '{', '{"exp":1', 'x'].map((claims) => hs(HEADER, claims)),
  ),
  ...list('cut and joined', [
    '',
    '.',
    '..',
    '...',
    head,
    `${head}.${body}`,
    `${head}.${body}.`,
    `.${body}.${signature}`,
    `${head}..${signature}`,
    `${good}.`,
    `${good}.${signature}`,
    `${good}..`,
    `${good}.x.y`,
    `${head}.${body}.${signature.slice(0, -2)}`,
    `${head}.${body}.${signature}AA`,
    good.slice(1),
    good.slice(0, 20),
    `${good}${good}`,
  ]),
  ...list('letters that do not belong', [
    `${head}.${body}.${signature}=`,
    `${head}=.${body}.${signature}`,
    `${head}.${body}!.${signature}`,
    `${head}.${body}.${signature.slice(1)}\u00e9`,
    `${head}. ${body}.${signature}`,
  ]),
  ...list('changed after signing', [
    `${b64({ ...HEADER, x: 1 })}.${body}.${signature}`,
    `${head}.${b64({ ...CLAIMS, tenant: 'other' })}.${signature}`,
    `${head}.${b64({ ...CLAIMS, scope: 'admin' })}.${signature}`,
    `${head}.${body}.${hs(HEADER, { ...CLAIMS, x: 1 }).split('.')[2]}`,
  ]),
  ...list('nested', [
    hs({ ...HEADER, cty: 'JWT', typ: 'JWE' }, good),
    `${b64({ alg: 'dir', enc: 'A256GCM' })}..${b64('iv')}.${b64('text')}.${b64('tag')}`,
    hs(HEADER, `"${good}"`),
    b64(good),
  ]),
  ...list('JSON serialisation', [
    JSON.stringify({ payload: body, protected: head, signature }),
    b64(JSON.stringify({ payload: body, signatures: [{ protected: head, signature }] })),
  ]),
  ...list('huge', [
    hs(HEADER, { ...CLAIMS, x: 'x'.repeat(8_000) }),
    'a'.repeat(8_193),
    `${'a'.repeat(5_000)}.${'b'.repeat(3_300)}.c`,
  ]),
];

/** Tokens that a server with a key set refuses. */
const FOR_JWKS: readonly Case[] = [
  ...list(
    'HS256 with a public key as its secret',
    [PEM, PEM.trim(), PEM.replace(/\n/g, '\r\n'), JSON.stringify(JWK), String(JWK.n), JWT_SECRET, ''].flatMap(
      (key) => [hs(HEADER, CLAIMS, key), hs({ ...HEADER, kid: 'one' }, CLAIMS, key)],
    ),
  ),
  ...list(
    'alg none',
    NONE_ALGS.map((alg) => `${b64({ alg, kid: 'one' })}.${body}.`),
  ),
  ...list('another key', [
    rs({ alg: 'RS256', kid: 'one' }, CLAIMS, stranger.privateKey),
    rs({ alg: 'RS256', jwk: stranger.publicKey.export({ format: 'jwk' }) }, CLAIMS, stranger.privateKey),
    rs({ alg: 'RS256', kid: 'one', x5c: ['x'] }, CLAIMS, stranger.privateKey),
    rs({ alg: 'RS256', jku: 'http://127.0.0.1/' }, CLAIMS, stranger.privateKey),
  ]),
  ...list(
    'a key it does not know',
    KIDS.map((kid) => rs({ alg: 'RS256', kid }, CLAIMS, privateKey)),
  ),
  ...list(
    'another alg for that key',
    ['RS384', 'RS512', 'PS256', 'ES256', 'RS1', 'EdDSA'].map((alg) =>
      rs({ alg, kid: 'one' }, CLAIMS, privateKey, alg === 'RS512' ? 'SHA512' : 'SHA256'),
    ),
  ),
  ...list('SHA-1 under RS256', [rs({ alg: 'RS256', kid: 'one' }, CLAIMS, privateKey, 'SHA1')]),
  ...list('changed after signing', [
    `${goodRs.split('.')[0]}.${b64({ ...CLAIMS, tenant: 'x' })}.${goodRs.split('.')[2]}`,
    goodRs.slice(0, -4),
    `${goodRs}AAAA`,
  ]),
  ...list('crit and time', [
    rs({ alg: 'RS256', kid: 'one', crit: ['x'] }, CLAIMS, privateKey),
    rs({ alg: 'RS256', kid: 'one' }, { ...CLAIMS, exp: now - 60 }, privateKey),
  ]),
];

let shared: ProxyBench;
let keyed: ProxyBench;
beforeAll(async () => {
  shared = await startProxyBench();
  keyed = await startProxyBench({ jwt: { loadJwks: async () => ({ keys: [JWK] }) } });
});
afterAll(() => Promise.all([shared.stop(), keyed.stop()]));

const PATH = '/v1/proxy/0198f000-0000-7000-8000-000000000000';
const ways: readonly ((url: string, token: string) => Promise<Response>)[] = [
  (url, token) => fetch(`${url}${PATH}`, { headers: { authorization: `Bearer ${token}` } }),
  (url, token) => fetch(`${url}${PATH}?secret=${encodeURIComponent(token)}`),
];

/** A 404 means that the token was accepted: the stream does not exist. */
async function statusesFor(url: string, token: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const ask of ways) {
    // A token that does not fit into a header cannot arrive that way.
    const response = await ask(url, token).catch(() => undefined);
    if (response) statuses.push(response.status);
    await response?.arrayBuffer();
  }
  return statuses;
}

describe('hostile tokens', () => {
  test('there are at least 200', () => {
    expect(FOR_SECRET.length + FOR_JWKS.length).toBeGreaterThanOrEqual(200);
  });

  test('the valid tokens are accepted, so that a refusal means something', async () => {
    expect(await statusesFor(shared.url, good)).toEqual([404, 404]);
    expect(await statusesFor(keyed.url, goodRs)).toEqual([404, 404]);
    expect(await statusesFor(shared.url, hs(HEADER, { ...CLAIMS, exp: seconds() - 10 }))).toEqual([404, 404]);
    expect(await statusesFor(shared.url, goodRs)).toEqual([401, 401]);
    expect(await statusesFor(keyed.url, good)).toEqual([401, 401]);
  });

  test.each(FOR_SECRET)('with a shared secret: %s', async (_name, token) => {
    for (const status of await statusesFor(shared.url, token)) expect([401, 431]).toContain(status);
  });

  test.each(FOR_JWKS)('with a key set: %s', async (_name, token) => {
    for (const status of await statusesFor(keyed.url, token)) expect([401, 431]).toContain(status);
  });

  test('a claim written twice counts once, as the parser reads it, and never grants more', async () => {
    const twice = hs(
      HEADER,
      `{"tenant":"acme","exp":${now + 600},"scope":"proxy:read","scope":"stream:read"}`,
    );
    expect((await ways[0]?.(shared.url, twice))?.status).toBe(403);
    const expired = hs(
      HEADER,
      `{"tenant":"acme","scope":"proxy:read","exp":${now + 600},"exp":${now - 600}}`,
    );
    expect(await statusesFor(shared.url, expired)).toEqual([401, 401]);
  });
});
