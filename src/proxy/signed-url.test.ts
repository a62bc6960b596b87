import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.js';
import { createSignedUrls, readSignedQuery, type SignedQuery, verifySigned } from './signed-url.js';

const SECRET = 'a-signing-secret-of-more-than-32-bytes';
const OLD = 'the-signing-secret-that-was-replaced-by-it';
const ID = '0198f000-0000-7000-8000-000000000000';
const NOW = Date.UTC(2026, 5, 1);
const EXPIRES = NOW / 1000 + 60;
const urls = createSignedUrls([SECRET, OLD]);

function signed(path: string) {
  const url = new URL(path, 'http://x');
  return { id: decodeURIComponent(url.pathname.split('/').at(-1) ?? ''), query: url.searchParams };
}

function judge(id: string, query: SignedQuery, now = NOW): string {
  try {
    urls.verify(id, query, now);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const partsOf = (access?: 'read') =>
  readSignedQuery(signed(urls.pathFor(ID, EXPIRES, access)).query) ?? { expires: '', signature: '' };
const { expires: goodExpires, signature: goodSignature } = partsOf();
const good = { expires: goodExpires, signature: goodSignature };

describe('signing', () => {
  test('is HMAC-SHA256 over id and expiry, in base64url', () => {
    const expected = createHmac('sha256', SECRET).update(`${ID}:${EXPIRES}`).digest('base64url');
    expect(urls.pathFor(ID, EXPIRES)).toBe(`/v1/proxy/${ID}?expires=${EXPIRES}&signature=${expected}`);
  });

  test('signs the raw id, although the path contains it encoded', () => {
    const path = urls.pathFor('a/b c', EXPIRES);
    const expected = createHmac('sha256', SECRET).update(`a/b c:${EXPIRES}`).digest('base64url');
    expect(path).toContain('/v1/proxy/a%2Fb%20c?');
    expect(path.endsWith(expected)).toBe(true);
  });

  test('requires a secret', () => {
    expect(() => createSignedUrls([])).toThrow();
  });
});

describe('verifying', () => {
  test('accepts a signed URL up to its last millisecond', () => {
    expect(judge(ID, good)).toBe('accepted');
    expect(judge(ID, good, EXPIRES * 1000)).toBe('accepted');
    expect(judge(ID, good, EXPIRES * 1000 + 1)).toBe('SIGNATURE_EXPIRED');
  });

  test('accepts the previous secret, but no other', () => {
    const by = (secret: string) =>
      readSignedQuery(signed(createSignedUrls([secret]).pathFor(ID, EXPIRES)).query) ?? good;
    expect(judge(ID, by(OLD))).toBe('accepted');
    expect(judge(ID, by(`${SECRET}x`))).toBe('SIGNATURE_INVALID');
  });

  test.each([
    '',
    ' ',
    `0${EXPIRES}`,
    `+${EXPIRES}`,
    ` ${EXPIRES}`,
    `${EXPIRES} `,
    `${EXPIRES}.0`,
    `${EXPIRES}e0`,
    `0x${EXPIRES.toString(16)}`,
    `-${EXPIRES}`,
    'Infinity',
    'NaN',
    '9999999999999',
    // In the past, if their number counted.
    ' 1',
    '1 ',
    '01',
    '1e0',
    '١٧٨٠٢٧٢٠٦٠',
  ])('rejects another spelling of the expiry: %j', (expires) => {
    expect(judge(ID, { ...good, expires })).toBe('SIGNATURE_INVALID');
  });

  test('rejects every other spelling of the signature', () => {
    const { signature } = good;
    for (const other of [
      `${signature}=`,
      `${signature} `,
      ` ${signature}`,
      signature.replace(/[-_]/g, (c) => (c === '-' ? '+' : '/')).concat(/[-_]/.test(signature) ? '' : '='),
      signature.toLowerCase() === signature ? signature.toUpperCase() : signature.toLowerCase(),
      signature.slice(0, -1),
      '',
    ]) {
      expect(judge(ID, { ...good, signature: other })).toBe('SIGNATURE_INVALID');
    }
    // The last of 43 characters has two unused bits, so three other characters decode to the same bytes.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const letter of letters) {
      if (letter === signature.at(-1)) continue;
      expect(judge(ID, { ...good, signature: signature.slice(0, -1) + letter })).toBe('SIGNATURE_INVALID');
    }
  });

  test('rejects 10,000 mutations of id, expiry and signature', () => {
    const mutated = fc
      .record({
        field: fc.constantFrom('id', 'expires', 'signature'),
        at: fc.nat(),
        how: fc.constantFrom('replace', 'insert', 'drop', 'swap'),
        with: fc.string({ minLength: 1, maxLength: 3, unit: anyCharacter }),
      })
      .map(({ field, at, how, with: text }) => {
        const whole = { id: ID, ...good };
        return { ...whole, [field]: mutate(whole[field as keyof typeof whole], { at, how, text }) };
      })
      .filter(
        ({ id, expires, signature }) => id !== ID || expires !== good.expires || signature !== good.signature,
      );
    fc.assert(
      fc.property(mutated, ({ id, ...query }) => {
        return judge(id, query).startsWith('SIGNATURE_');
      }),
      { numRuns: 12_000 },
    );
  });

  test('every single bit of the signature matters', () => {
    const bytes = Buffer.from(good.signature, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(judge(ID, { ...good, signature: flipped.toString('base64url') })).toBe('SIGNATURE_INVALID');
    }
  });
});

function mutate(text: string, { at, how, text: other }: { at: number; how: string; text: string }): string {
  const i = at % Math.max(1, text.length);
  if (how === 'replace') return text.slice(0, i) + other + text.slice(i + 1);
  if (how === 'insert') return text.slice(0, i) + other + text.slice(i);
  if (how === 'drop') return text.slice(0, i) + text.slice(i + 1);
  return text.slice(0, i) + (text[i + 1] ?? '') + (text[i] ?? '') + text.slice(i + 2);
}

describe('a URL for reading', () => {
  const verify = (query: URLSearchParams) => verifySigned(urls, ID, { query, now: NOW })?.access;
  const reading = signed(urls.pathFor(ID, EXPIRES, 'read')).query;
  const full = signed(urls.pathFor(ID, EXPIRES)).query;

  test('is told from a full one', () => {
    expect([verify(reading), verify(full), verify(new URLSearchParams())]).toEqual([
      'read',
      'full',
      undefined,
    ]);
  });

  test.each([
    ['without its mark', (query: URLSearchParams) => query.delete('access')],
    ['with an empty mark', (query: URLSearchParams) => query.set('access', '')],
    ['with another mark', (query: URLSearchParams) => query.set('access', 'full')],
    ['with two marks', (query: URLSearchParams) => query.append('access', 'read')],
    ['with a mark in capitals', (query: URLSearchParams) => query.set('access', 'READ')],
    ['with a later expiry', (query: URLSearchParams) => query.set('expires', String(EXPIRES + 1))],
    ['with the mark in its expiry', (query: URLSearchParams) => query.set('expires', `${EXPIRES}:read`)],
    [
      'with the mark in its expiry instead',
      (query: URLSearchParams) => {
        query.set('expires', `${EXPIRES}:read`);
        query.delete('access');
      },
    ],
  ])('%s is refused', (_what, change) => {
    const changed = new URLSearchParams(reading);
    change(changed);
    expect(() => verify(changed)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
  });

  test('is not made by adding the mark to a full one', () => {
    const changed = new URLSearchParams(full);
    changed.set('access', 'read');
    expect(() => verify(changed)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
  });
});

describe('the query', () => {
  const read = (query: string) => readSignedQuery(new URLSearchParams(query));

  test.each(['', 'expires=1', 'signature=x', 'Expires=1&Signature=x', 'secret=x'])(
    '%j has no signature',
    (query) => {
      expect(read(query)).toBeUndefined();
    },
  );

  test.each([
    'expires=1&expires=1&signature=x',
    'expires=1&signature=x&signature=x',
    'expires=1&signature=x&expires=2',
  ])('rejects %j as an invalid signature', (query) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }));
  });

  test('accepts empty parts', () => {
    expect(read('expires=&signature=')).toEqual({ expires: '', signature: '' });
  });
});
