import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cachePolicy, isSharedCacheable } from './cache-policy.js';
import { canonicalField, LIST_FIELDS } from './canonical-field.js';
import { rayColo } from './cf-ray.js';
import { challengeText, parseChallenges } from './challenges.js';
import { byCodeUnit, sortedSet } from './code-unit-order.js';
import { cspText, effectiveSources, parseCsp } from './content-security-policy.js';
import { directivesText, parseDirectives, seconds } from './directives.js';
import { listMembers, splitOutsideQuotes, tokenSet, unquote } from './list-field.js';
import { parseMediaType } from './media-type.js';
import { isAllowedByRobots } from './robots-rules.js';
import { structuredDictionary, structuredText } from './structured-field.js';

const token = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/);
const quoted = fc
  .string({ unit: fc.constantFrom('a', ',', ';', ' ', '=', '\\"', '\\\\'), maxLength: 8 })
  .map((text) => `"${text}"`);
const blanks = fc.constantFrom('', ' ', '\t', '  ');

describe('lists', () => {
  test('splitting, joining, blanks and empty members do not change the members', () => {
    const member = fc.oneof(
      token,
      fc.tuple(token, quoted).map(([name, text]) => `${name}=${text}`),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(member, blanks, fc.boolean()), { minLength: 1 }), (parts) => {
        const members = parts.map(([text]) => text);
        const lines: string[] = [''];
        for (const [text, blank, breaks] of parts) {
          if (breaks) lines.push(blank + text);
          else lines[lines.length - 1] += `${blank},${blank}${text}`;
        }
        expect(listMembers(lines)).toEqual(members);
      }),
    );
  });

  test('a quoted string is one member, whatever it contains', () => {
    fc.assert(
      fc.property(quoted, (text) => {
        expect(splitOutsideQuotes(text, ',')).toEqual([text]);
      }),
    );
    expect(unquote('"a\\"b"')).toBe('a"b');
    expect(unquote('"')).toBe('"');
  });

  test('token sets ignore order, case and repetition', () => {
    fc.assert(
      fc.property(fc.array(token), fc.array(fc.nat()), (tokens, order) => {
        const shuffled = tokens
          .map((text, index) => [order[index] ?? 0, text.toUpperCase()] as const)
          .sort(([a], [b]) => a - b);
        expect(tokenSet(shuffled.map(([, text]) => text))).toEqual(tokenSet([tokens.join(', '), ...tokens]));
      }),
    );
  });

  test('every field accepts any text and gives the same result again', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom(...LIST_FIELDS, 'content-type', 'strict-transport-security', 'x-frame-options', 'x'),
        (text, name) => {
          const once = canonicalField(name, [text]);
          expect(typeof once).toBe('string');
          expect(canonicalField(name, [text])).toBe(once);
        },
      ),
    );
  });
});

test('order is by code unit, not by locale', () => {
  expect(['ä', 'z', 'Z', 'a', '\u{1f600}', '\uffee'].sort(byCodeUnit)).toEqual([
    'Z',
    'a',
    'z',
    'ä',
    '\u{1f600}',
    '\uffee',
  ]);
  expect(sortedSet(['b', 'a', 'b'])).toEqual(['a', 'b']);
});

describe('directives', () => {
  test('order, case of names, quotes and repetition do not matter', () => {
    const directives = fc.uniqueArray(fc.tuple(token, fc.option(fc.nat(9999))), {
      selector: ([name]) => name.toLowerCase(),
    });
    fc.assert(
      fc.property(directives, fc.boolean(), (list, reverse) => {
        const text = list.map(([name, value]) => (value === null ? name : `${name}=${value}`));
        const other = list.map(([name, value]) =>
          value === null ? name.toUpperCase() : `${name.toUpperCase()}="${value}"`,
        );
        if (reverse) other.reverse();
        expect(directivesText(parseDirectives([text.join(', ')], ','))).toBe(
          directivesText(parseDirectives(other, ',')),
        );
      }),
    );
  });

  test('the first of a repeated name counts; seconds are whole and bounded', () => {
    const directives = parseDirectives(['max-age=5, max-age=9, s-maxage=99999999999, x=1.5, y=-1, =z'], ',');
    expect(seconds(directives, 'max-age')).toBe(5);
    expect(seconds(directives, 's-maxage')).toBe(2_147_483_648);
    expect([seconds(directives, 'x'), seconds(directives, 'y'), seconds(directives, 'z')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test.each([
  ['text/html; charset=UTF-8', 'text', 'html', 'utf-8'],
  ['Application/JSON', 'application', 'json', undefined],
  ['text/plain;charset="utf8";x=y', 'text', 'plain', 'utf-8'],
])('parses the media type %s', (text, type, subtype, charset) => {
  expect(parseMediaType(text)).toMatchObject({ type, subtype, charset });
});
test.each(['', 'html', 'text/', '/html', 'text/h tml'])('%j is not a media type', (text) => {
  expect(parseMediaType(text)).toBeUndefined();
});

test('commas separate both challenges and their parameters', () => {
  const lines = ['Basic realm="a, b", charset="UTF-8", Digest qop="auth", nonce="x", Negotiate', 'Bearer'];
  expect(parseChallenges(lines).map(challengeText)).toEqual([
    'basic charset="UTF-8", realm="a, b"',
    'digest qop="auth"',
    'negotiate',
    'bearer',
  ]);
  expect(parseChallenges(['Negotiate YWJj==']).map(challengeText)).toEqual(['negotiate']);
  expect(parseChallenges(['realm="lost"'])).toEqual([]);
});

describe('content security policies', () => {
  test('order, case, nonces and line splitting do not matter; several policies stay separate', () => {
    const a = parseCsp([
      "default-src 'self' https://CDN.example/Path; SCRIPT-SRC 'nonce-abc'",
      "img-src 'none'",
    ]);
    const b = parseCsp([
      "img-src 'none', script-src 'nonce-xyz'; default-src https://cdn.example/Path 'self'",
    ]);
    expect(cspText(a)).toBe(cspText(b));
    expect(a).toHaveLength(2);
    expect(cspText(parseCsp(["default-src 'self' https://cdn.example/path"]))).not.toBe(
      cspText(a.slice(0, 1)),
    );
  });

  test('ignores a repeated directive, and uses the fallbacks of the standard', () => {
    const [policy] = parseCsp(["default-src 'self'; default-src *; child-src 'none'"]);
    if (!policy) throw new Error('no policy');
    expect(effectiveSources(policy, 'script-src')).toEqual(["'self'"]);
    expect(effectiveSources(policy, 'frame-src')).toEqual(["'none'"]);
    expect(effectiveSources(new Map(), 'script-src')).toBeUndefined();
  });
});

describe('structured fields', () => {
  test('every spelling has the same text, and an invalid field has none', () => {
    expect(structuredText(['b=2, a=(1 "x");p'], 'dictionary')).toBe(
      structuredText(['a=(1  "x");p', 'b=2'], 'dictionary'),
    );
    expect(structuredText(['sugar, tea;q=1.5'], 'list')).toBe('sugar, tea;q=1.5');
    expect(structuredText(['@1659578233'], 'item')).toBe('@1659578233');
    expect(structuredText(['a=,'], 'dictionary')).toBeUndefined();
    expect(structuredDictionary(['camera=*, geo=(self "https://a.example")'])?.get('geo')).toEqual([
      '"https://a.example"',
      'self',
    ]);
    expect(structuredDictionary(['==='])).toBeUndefined();
  });

  test('never throws', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('dictionary', 'list', 'item'),
        (text, kind) => void structuredText([text], kind),
      ),
    );
  });
});

describe('caching', () => {
  const policy = (cacheControl: string, expires?: string, date?: string) =>
    cachePolicy({ cacheControl: parseDirectives([cacheControl], ','), expires, date });

  test.each([
    ['max-age=60', undefined, 60],
    ['s-maxage=10, max-age=60', undefined, 10],
    ['no-cache, max-age=60', undefined, 0],
    ['no-store, max-age=60', undefined, 0],
    ['', 'Tue, 03 Mar 2026 10:01:00 GMT', 60],
    ['', 'Tue, 03 Mar 2026 09:00:00 GMT', 0],
    ['', '0', 0],
    ['', undefined, undefined],
  ])('%s with Expires %s is fresh for %s s', (control, expires, sharedSeconds) => {
    expect(policy(control, expires, 'Tue, 03 Mar 2026 10:00:00 GMT').sharedSeconds).toBe(sharedSeconds);
  });

  test.each([
    ['no-store', 'none', false],
    ['private, max-age=9', 'private', false],
    ['public', 'shared', true],
    ['', 'shared', false],
    ['max-age=9', 'shared', true],
  ])('%s has the scope %s', (control, scope, cacheable) => {
    expect(policy(control).scope).toBe(scope);
    expect(
      isSharedCacheable({
        cacheControl: parseDirectives([control], ','),
        expires: undefined,
        date: undefined,
      }),
    ).toBe(cacheable);
  });
});

test.each([
  ['8f1b2c3d4e5f6a7b-FRA', 'FRA'],
  ['8f1b2c3d4e5f6a7b-fra', 'FRA'],
  ['x', undefined],
])('reads the data centre from cf-ray %s', (ray, colo) => expect(rayColo([ray])).toBe(colo));

test.each([
  [[], ['/'], '/a', false],
  [['/a'], ['/'], '/a/b', true],
  [[], ['/*.pdf$'], '/x/y.pdf', false],
  [[], ['/*.pdf$'], '/x/y.pdf?z', true],
  [[], ['/a*a$'], '/a', true],
  [[], ['/a*a$'], '/aa', false],
  [[], ['/a$'], '/a', false],
  [[], ['/a$'], '/ab', true],
  [[], ['/*b*c'], '/abxcx', false],
  [[], ['/*b*c'], '/acb', true],
  [[], ['*/a'], '/a', false],
  [[], [''], '/a', true],
  [['/p'], ['/p'], '/p', true],
])('robots: allow %j, disallow %j, path %s → %s', (allow, disallow, path, expected) => {
  expect(isAllowedByRobots([{ agents: ['*'], allow, disallow }], path)).toBe(expected);
});
