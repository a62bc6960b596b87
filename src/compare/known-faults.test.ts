/**
 * Regression tests for wrong results found in a public implementation of the same idea. Its faults of stored state are
 * covered in test/contract/comparison-store-contract.ts.
 */
import { describe, expect, test } from 'vitest';
import { makeEnvelope, type Sketch } from '../../test/support/make-envelope.js';
import { type CompareOptions, computeDiff } from './compute-diff.js';
import { pairKeyIn, pairKeyOf } from './pair-key.js';
import { RULES } from './rules/index.js';
import { serializeDiff } from './serialize-diff.js';
import { diffSentence } from './verdict-sentence.js';

const L = 'https://staging.example.com';
const R = 'https://www.example.com';
const dead = { error: { code: 'dns_error' as const, message: 'no such host' } };
const compare = (left: Sketch, right: Sketch, options: CompareOptions = {}) =>
  computeDiff([makeEnvelope('left', left)], [makeEnvelope('right', right)], options);
const codes = (left: Sketch, right: Sketch) => compare(left, right).findings.map(({ code }) => code);
const finding = (code: string, left: Sketch, right: Sketch) =>
  compare(left, right).findings.find((one) => one.code === code);

describe('results', () => {
  test.each([404, 500, 302])('fails if one side is dead and the other returns %i', (status) => {
    const diff = compare({ status }, dead);
    expect(diff).toMatchObject({ verdict: 'fail', maxSeverity: 'critical' });
    expect(diff.findings).toMatchObject([
      { code: 'PROBE_FAILURE', severity: 'critical', direction: 'right_weaker' },
    ]);
    expect(compare(dead, { status }).findings[0]).toMatchObject({
      code: 'PROBE_FAILURE',
      direction: 'left_weaker',
    });
  });

  test.each([
    ['http://a.example/', 'https://b.example/'],
    ['http://a.example/x', 'https://a.example/y'],
  ])('compares final URLs that differ in the scheme and more: %s, %s', (left, right) => {
    const diff = compare({ url: `${L}/`, finalUrl: left }, { url: `${R}/`, finalUrl: right });
    expect(diff.ruleErrors).toEqual([]);
    expect(diff.findings.map(({ code }) => code)).toContain('FINAL_URL_MISMATCH');
  });

  test('different hosts alone are not a finding', () => {
    const chain = (host: string) => [{ fromUrl: `${host}/page`, toUrl: `${host}/en`, status: 301 }];
    expect(compare({ redirects: chain(L) }, { redirects: chain(R) })).toMatchObject({
      findings: [],
      verdict: 'pass',
    });
  });

  test('a redirect from http to https is info if the other side was requested over https', () => {
    const http = 'http://www.example.com/page';
    const upgrade = { url: http, redirects: [{ fromUrl: http, toUrl: `${R}/page`, status: 301 }] };
    const severities = compare({}, upgrade).findings.map(({ code, severity }) => `${code} ${severity}`);
    expect(severities).toEqual(['REDIRECT_CHAIN_CHANGED info']);
  });

  test('reports 301 against 302, and compares the paths of hops case-sensitively', () => {
    const hop = (host: string, path: string, status: number) => ({
      redirects: [{ fromUrl: `${host}/page`, toUrl: host + path, status }],
    });
    expect(codes(hop(L, '/a', 301), hop(R, '/a', 302))).toEqual(['REDIRECT_STATUS_DRIFT']);
    expect(codes(hop(L, '/A', 301), hop(R, '/a', 301))).toContain('REDIRECT_CHAIN_CHANGED');
  });

  test('warns about max-age 3600 against 0, and ignores order, case and blanks', () => {
    const cache = (value: string) => ({ headers: { 'cache-control': value } });
    expect(finding('CACHE_HEADER_DRIFT', cache('max-age=0'), cache('max-age=3600'))).toMatchObject({
      severity: 'warn',
    });
    expect(codes(cache('public, max-age=60'), cache('MAX-AGE=60,  Public'))).toEqual([]);
    expect(codes({ headers: { vary: 'A, b' } }, { headers: { vary: 'B,a' } })).toEqual([]);
  });

  test('reports a different charset, and a different Location without a redirect', () => {
    const type = (value: string) => ({ headers: { 'content-type': value } });
    expect(codes(type('text/html; charset=utf-8'), type('text/html; charset=latin1'))).toContain(
      'CHARSET_DRIFT',
    );
    const location = (value: string) => ({ status: 201, headers: { location: value } });
    expect(codes(location(`${L}/items/1`), location(`${R}/items/2`))).toContain('REDIRECT_CHAIN_CHANGED');
    expect(codes(location(`${L}/items/1`), location(`${R}/items/1`))).toEqual([]);
  });

  test('every finding has the values of both sides as evidence', () => {
    const challenge = finding(
      'AUTH_CHALLENGE_PRESENT',
      { status: 401, headers: { 'www-authenticate': 'Basic realm="a"' } },
      {},
    );
    expect(challenge).toMatchObject({ left_value: ['basic realm="a"'], right_value: null });
    const cors = finding('CORS_HEADER_DRIFT', { headers: { 'access-control-allow-origin': '*' } }, {});
    expect(cors).toMatchObject({
      left_value: '*',
      right_value: null,
      evidence: [{ left: '*', right: null }],
    });
    expect(finding('PROBE_FAILURE', {}, dead)).toMatchObject({
      left_value: 'HTTP 200',
      right_value: expect.stringContaining('dns_error'),
    });
  });

  test('one sample per side is not enough to fail on timing', () => {
    const slow = compare({ durationMs: 100 }, { durationMs: 9000 });
    expect(slow).toMatchObject({ verdict: 'pass', findings: [{ code: 'TIMING_DRIFT', severity: 'info' }] });
  });

  test('is inconclusive if neither side responds', () => {
    expect(compare(dead, dead)).toMatchObject({
      verdict: 'inconclusive',
      findings: [{ code: 'PROBE_FAILURE' }],
    });
  });

  test('the severity is "none" without findings, and "info" with information', () => {
    expect(compare({}, {}).maxSeverity).toBe('none');
    expect(compare({ headers: { server: 'a' } }, { headers: { server: 'b' } }).maxSeverity).toBe('info');
  });

  test('computes the content, timing and Cloudflare sections', () => {
    const ray = (colo: string) => ({ 'cf-ray': `8f1b2c3d4e5f6a7b-${colo}` });
    const cf = (colo: string) => ({ cf: { colo, country: 'DE', asn: 1 } });
    const left = { durationMs: 100, headers: ray('FRA'), more: cf('FRA') };
    const right = {
      durationMs: 900,
      headers: ray('AMS'),
      more: cf('AMS'),
      body: { bytes: 10, sha256: '9'.repeat(64), normalizedSha256: '8'.repeat(64) },
    };
    const diff = compare(left, right);
    expect(diff).toMatchObject({
      content: { contentLength: { left: 4000, right: 10, changed: true }, bodyHash: { changed: true } },
      timing: { durationMs: { left: 100, right: 900 }, ratio: 9, deltaMs: 800 },
      cf: {
        colo: { left: 'FRA', right: 'AMS', changed: true },
        rayColo: { changed: true },
        asn: { changed: false },
      },
    });
    const found = diff.findings.map(({ code }) => code);
    for (const code of ['BODY_HASH_DRIFT', 'CONTENT_LENGTH_DRIFT', 'TIMING_DRIFT', 'CF_CONTEXT_DRIFT'])
      expect(found).toContain(code);
  });
});

describe('state and determinism', () => {
  test('the pair key is directional, unambiguous and independent of spelling', () => {
    const key = (leftUrl: string, rightUrl: string, tenantId = 't') =>
      pairKeyOf({ tenantId, leftUrl, rightUrl });
    expect(key('https://a/', 'https://b/')).not.toBe(key('https://b/', 'https://a/'));
    expect(key('https://a/?x|https://b/', 'https://c/')).not.toBe(
      key('https://a/?x', 'https://b/|https://c/'),
    );
    expect(key('https://a/x/', 'HTTPS://B:443/')).toBe(key('https://a/x', 'https://b'));
    expect(key('https://a/', 'https://b/', 'other')).not.toBe(key('https://a/', 'https://b/'));
    expect(key('https://a/', 'https://b/')).toMatch(/^[0-9a-f]{40}$/);
    expect(pairKeyIn('no')).toBeUndefined();
  });

  test('the order depends on neither locale nor insertion', () => {
    const names = ['x-zeta', 'x-Ärger', 'x-alpha'].map((name) => name.toLowerCase());
    const one = compare({ otherNames: names }, {});
    const two = compare({ otherNames: names.toReversed() }, {});
    expect(serializeDiff(one)).toBe(serializeDiff(two));
  });
});

describe('the runner', () => {
  test('a rule that throws becomes an error result, the others still run, and the verdict is inconclusive', () => {
    const flaky = RULES.find(({ code }) => code === 'PROBE_FLAKY') ?? fail();
    const broken = { ...flaky, compare: () => fail() };
    const diff = compare(
      { headers: { server: 'a' } },
      { headers: { server: 'b' } },
      { rules: RULES.map((rule) => (rule === flaky ? broken : rule)) },
    );
    expect(diff.ruleErrors).toEqual([{ code: 'PROBE_FLAKY', message: 'broken' }]);
    expect(diff.findings).toMatchObject([{ code: 'SERVER_STACK_DRIFT' }]);
    expect(diff.verdict).toBe('inconclusive');
  });

  const robots = (value?: string) => ({ headers: { 'x-robots-tag': value } });
  const noisy = [robots(), robots('noindex'), robots()].map((sketch, n) =>
    makeEnvelope('left', sketch, n + 1),
  );
  const steady = [1, 2, 3].map((n) => makeEnvelope('right', robots('noindex'), n));

  test('a candidate that is better now and then is marked as noise and does not affect the verdict', () => {
    const diff = computeDiff(noisy, steady);
    expect(diff).toMatchObject({
      verdict: 'pass',
      maxSeverity: 'none',
      findings: [{ code: 'INDEXABILITY_DRIFT', severity: 'info', stability: 'noisy', status: 'new' }],
      notices: [{ code: 'NOISE_SUPPRESSED' }],
      counts: { noisy: 1, suppressed: 0 },
    });
  });

  // Any difference within one side was once taken for noise, so a fault on one of two backends passed.
  test.each([0, 1, 2])('a candidate that is worse in sample %i alone fails', (at) => {
    const worse = [0, 1, 2].map((n) => makeEnvelope('left', robots(n === at ? 'noindex' : undefined), n + 1));
    const open = [1, 2, 3].map((n) => makeEnvelope('right', robots(), n));
    const diff = computeDiff(worse, open);
    expect(diff).toMatchObject({ verdict: 'fail', maxSeverity: 'critical', notices: [] });
    expect(diff.findings).toMatchObject([
      {
        code: 'INDEXABILITY_DRIFT',
        severity: 'critical',
        stability: 'intermittent',
        occurrence: { samples: 1, of: 3 },
        message: expect.stringMatching(/hidden from search engines.*, in 1 of 3 samples$/),
      },
    ]);
    // As the reference, the same samples are no reason to fail.
    expect(computeDiff(worse, open, { candidate: 'right' })).toMatchObject({ verdict: 'pass' });
  });

  test('what varies on both sides is noise, and never a match', () => {
    const flipping = (side: 'left' | 'right', first: string | undefined) =>
      [first, first === undefined ? 'noindex' : undefined].map((value, n) =>
        makeEnvelope(side, robots(value), n + 1),
      );
    for (const [left, right] of [
      [undefined, undefined],
      [undefined, 'noindex'],
      ['noindex', undefined],
    ] as const) {
      const diff = computeDiff(flipping('left', left), flipping('right', right));
      expect(diff).toMatchObject({ verdict: 'pass', findings: [{ stability: 'noisy' }] });
      expect(diffSentence(diff)).toMatch(/^nothing on .* is worse .*varies from request to request$/);
    }
  });

  test('a candidate that is worse than every sample of a varying reference fails', () => {
    const policies = ["default-src 'self' https://a.example", "default-src 'self' https://b.example"];
    const varying = policies.map((policy, n) =>
      makeEnvelope('right', { headers: { 'content-security-policy': policy } }, n + 1),
    );
    const without = [1, 2].map((n) => makeEnvelope('left', {}, n));
    expect(computeDiff(without, varying).verdict).toBe('fail');
  });

  test('noise that is ignored is only ignored', () => {
    const diff = computeDiff(noisy, steady, { ignore: [{ code: 'INDEXABILITY_DRIFT' }] });
    expect(diff).toMatchObject({
      verdict: 'pass',
      findings: [{ code: 'INDEXABILITY_DRIFT', status: 'suppressed' }],
      notices: [],
      counts: { noisy: 0, suppressed: 1 },
    });
  });

  test('a value that changes in every response does not hide a real change next to it', () => {
    const body = (n: number, flag: boolean) => ({ json: { at: n, flag } });
    const left = [1, 2, 3].map((n) => makeEnvelope('left', body(n, true), n));
    const right = [4, 5, 6].map((n) => makeEnvelope('right', body(n, false), n - 3));
    const [one] = computeDiff(left, right, { pinned: ['/flag'] }).findings;
    expect(one).toMatchObject({
      code: 'JSON_VALUE_DRIFT',
      severity: 'warn',
      stability: 'stable',
      left_value: 'true',
    });
    expect(one?.evidence).toMatchObject([{ keys: ['/at'], noisy: true }, { keys: ['/flag'] }]);
  });

  test('a finding is stable when resampled, and unverified with one sample', () => {
    const one = finding('STATUS_MISMATCH', {}, { status: 500 });
    expect(one?.stability).toBe('unverified');
    const twice = [1, 2].map((n) => makeEnvelope('right', { status: 500 }, n));
    const diff = computeDiff(
      [1, 2].map((n) => makeEnvelope('left', {}, n)),
      twice,
    );
    expect(diff.findings.find(({ code }) => code === 'STATUS_MISMATCH')?.stability).toBe('stable');
  });

  test('fingerprints contain no host, value or id, and distinguish differences', () => {
    const at = (path: string, sketch: Sketch) => ({ ...sketch, url: R + path });
    const print = (left: Sketch, right: Sketch) => finding('STATUS_MISMATCH', left, right)?.fingerprint;
    expect(print({}, at('/users/17', { status: 500 }))).toBe(print({}, at('/users/18', { status: 500 })));
    expect(print({}, at('/a', { status: 500 }))).not.toBe(print({}, at('/b', { status: 500 })));
    const ver = (a: string, b: string) =>
      finding('BUILD_VERSION_DRIFT', { headers: { 'x-version': a } }, { headers: { 'x-version': b } })
        ?.fingerprint;
    expect(ver('1', '2')).toBe(ver('3', '4'));
  });

  test('limits samples, origins, evidence and values', () => {
    const many = Array.from({ length: 51 }, () => makeEnvelope('left'));
    expect(() => computeDiff(many, [makeEnvelope('right')])).toThrow(/between 1 and 50 samples/);
    expect(() => computeDiff([], [makeEnvelope('right')])).toThrow(/between 1 and 50/);
    const origins = Array.from({ length: 21 }, () => ({ left: L, right: R }));
    expect(() => compare({}, {}, { origins })).toThrow(/at most 20 pairs/);
    const fields = (value: string) =>
      Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`f${n}`, value]));
    const diff = compare({ json: fields('a'.repeat(600)) }, { json: fields('b') });
    const [one] = diff.findings.filter(({ code }) => code === 'JSON_VALUE_DRIFT');
    expect(one?.evidence).toHaveLength(50);
    expect(String(one?.left_value).length).toBeLessThanOrEqual(501);
    expect(diff.notices).toMatchObject([{ code: 'EVIDENCE_TRUNCATED', keys: ['JSON_VALUE_DRIFT:body'] }]);
  });

  test('fields beyond the limits on number or length are not reported as missing', () => {
    const listed = (count: number, chars: number, truncated: boolean) => {
      const fields = Array.from({ length: count }, (_, n) => ({
        pointer: `/${String(n).padStart(chars, 'f')}`,
        type: 'null' as const,
      }));
      const root = { pointer: '', type: 'object' as const, length: 1_500 };
      return { body: { json: { truncated, entries: [root, ...fields] } } };
    };
    const shape = (left: Sketch, right: Sketch) => codes(left, right).includes('JSON_SHAPE_DRIFT');
    expect(shape(listed(500, 300, false), listed(399, 300, false))).toBe(true);
    expect(shape(listed(500, 300, false), listed(399, 300, true))).toBe(false);
    expect(shape(listed(1001, 10, false), listed(1000, 10, true))).toBe(false);
    expect(shape(listed(500, 10, false), listed(399, 10, true))).toBe(true);
  });

  test('notices report a truncated body, missing samples and sections that one side did not observe', () => {
    const diff = compare({ body: { truncated: true } }, { unobserved: ['cookies'] }, { samples: 3 });
    expect(diff.notices.map(({ code, keys }) => `${code} ${keys}`)).toEqual([
      'BODY_TRUNCATED left',
      'SAMPLE_SHORTFALL left',
      'SAMPLE_SHORTFALL right',
      'COVERAGE_GAP cookies',
    ]);
  });
});

function fail(): never {
  throw new Error('broken');
}
