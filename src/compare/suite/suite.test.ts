import { describe, expect, test } from 'vitest';
import { makeEnvelope, type Sketch } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';
import { ignoreDecision, readIgnoreRule, readIgnoreRules } from '../ignore-rules.js';
import { routeSetFinding } from '../rules/route-set-drift.js';
import { applyBaseline, baselineOf, readBaseline } from './baseline.js';
import { pathsFromOpenApi } from './openapi-paths.js';
import { pathsFromList, pathsFromRecording, pathsFromSitemap, SUITE_PATHS_MAX } from './path-sources.js';

const compare = (left: Sketch, ignore: readonly string[] = []) =>
  computeDiff([makeEnvelope('left', left)], [makeEnvelope('right')], { ignore: readIgnoreRules(ignore) });
const PRINTS = { fingerprint: 'a'.repeat(32), routeFingerprint: 'b'.repeat(32) };
const DRIFTED: Sketch = { status: 500, headers: { server: 'Apache' } };

describe('ignore rules', () => {
  test('an ignored finding stays visible as suppressed and does not count', () => {
    const diff = compare(DRIFTED, ['STATUS_MISMATCH', '*:server']);
    expect(diff.findings.map(({ code, status }) => `${code} ${status}`)).toEqual([
      'STATUS_MISMATCH suppressed',
      'SERVER_STACK_DRIFT suppressed',
    ]);
    expect(diff).toMatchObject({ verdict: 'pass', maxSeverity: 'none', counts: { suppressed: 2 } });
  });

  test('a key, a pattern and a path narrow a rule down', () => {
    expect(compare(DRIFTED, ['SERVER_STACK_DRIFT:x-*']).counts.suppressed).toBe(0);
    expect(compare(DRIFTED, ['SERVER_*']).counts.suppressed).toBe(1);
    expect(compare(DRIFTED, ['SERVER_STACK_DRIFT:ser*@/page']).counts.suppressed).toBe(1);
    expect(compare(DRIFTED, ['*:*@/other']).counts.suppressed).toBe(0);
  });

  test.each([
    ['/a/*', true],
    ['/a/{id}', true],
    ['/a/7', true],
    ['/b', false],
  ])('a rule for %s applies to /a/7, whose route is /a/{id}: %s', (path, applies) => {
    const isIgnored = ignoreDecision([readIgnoreRule(`UNKNOWN_DRIFT@${path}`)], {
      route: '/a/{id}',
      path: '/a/7',
    });
    expect(isIgnored('UNKNOWN_DRIFT', { key: 'x' } as Parameters<typeof isIgnored>[1])).toBe(applies);
  });

  test('the rest of a grouped finding still counts', () => {
    const json = (a: number, b: number) => ({ json: { a, b } });
    const diff = computeDiff([makeEnvelope('left', json(1, 1))], [makeEnvelope('right', json(2, 2))], {
      ignore: [readIgnoreRule('JSON_VALUE_DRIFT:/a')],
      pinned: ['/*'],
    });
    expect(diff.findings).toMatchObject([
      { status: 'new', severity: 'warn', evidence: [{ ignored: true }, { keys: ['/b'] }] },
    ]);
  });

  test.each([
    ['NO_SUCH', 'matches no finding code: NO_SUCH'],
    ['CASHE_*', 'matches no finding code'],
    ['*', 'ignore everything'],
    ['lower case', 'does not have the form CODE'],
    [`STATUS_MISMATCH:${'x'.repeat(600)}`, 'does not have the form CODE'],
  ])('%s is rejected with a reason', (text, why) => {
    expect(() => readIgnoreRule(text)).toThrow(why);
  });

  test('rejects more than 200 rules', () => {
    expect(() => readIgnoreRules(Array.from({ length: 201 }, () => 'UNKNOWN_DRIFT'))).toThrow(/at most 200/);
  });
});

describe('the baseline', () => {
  const at = (path: string) => ({ today: '2026-03-03', url: `https://www.example.com${path}` });
  const facts = at('/page');
  const diff = compare(DRIFTED);
  const accepted = diff.findings.filter(({ severity, explainedBy }) => severity !== 'info' && !explainedBy);

  test('accepts what it lists until it expires', () => {
    const baseline = baselineOf([{ url: facts.url, diff }], { expires: '2026-03-03', reason: 'known' });
    expect(baseline.entries).toHaveLength(accepted.length);
    expect(applyBaseline(diff, baseline, facts)).toMatchObject({
      verdict: 'pass',
      counts: { known: accepted.length, critical: 0 },
    });
    const later = applyBaseline(diff, baseline, { ...facts, today: '2026-03-04' });
    expect(later).toMatchObject({ verdict: 'fail', counts: { known: 0 } });
    expect(later.notices).toMatchObject([
      { code: 'SUPPRESSION_EXPIRED', keys: expect.arrayContaining(['STATUS_MISMATCH:status']) },
    ]);
  });

  const failing = (path: string, status = 500) =>
    computeDiff(
      [makeEnvelope('left', { url: `https://staging.example.com${path}`, status })],
      [makeEnvelope('right', { url: `https://www.example.com${path}` })],
    );

  test('accepts one path and one value, but neither a sibling path nor a different status', () => {
    const baseline = baselineOf([{ url: at('/p/17').url, diff: failing('/p/17') }]);
    expect(applyBaseline(failing('/p/17'), baseline, at('/p/17')).verdict).toBe('pass');
    expect(applyBaseline(failing('/p/25'), baseline, at('/p/25')).verdict).toBe('fail');
    expect(applyBaseline(failing('/p/17?page=2'), baseline, at('/p/17?page=2')).verdict).toBe('fail');
    expect(applyBaseline(failing('/p/17', 404), baseline, at('/p/17'))).toMatchObject({
      verdict: 'fail',
      counts: { resolved: 1 },
    });
  });

  test('an entry is resolved by a run of its own path, or of its route if matched by route', () => {
    const baseline = baselineOf([{ url: at('/p/17').url, diff: failing('/p/17') }]);
    const resolvedAt = (path: string, by: 'path' | 'route') =>
      applyBaseline(failing(path, 200), baseline, { ...at(path), by }).counts.resolved;
    expect([resolvedAt('/p/17', 'path'), resolvedAt('/p/25', 'path')]).toEqual([1, 0]);
    expect([resolvedAt('/p/25', 'route'), resolvedAt('/q/25', 'route')]).toEqual([1, 0]);
  });

  test('accepts a header whose nonce changes every time', () => {
    const policy = (nonce: string) => ({ 'content-security-policy': `script-src 'nonce-${nonce}'` });
    const lacking = (nonce: string) =>
      computeDiff(
        [makeEnvelope('left', { url: 'https://staging.example.com/page' })],
        [makeEnvelope('right', { url: 'https://www.example.com/page', headers: policy(nonce) })],
      );
    expect(lacking('a1').findings).toMatchObject([{ code: 'SECURITY_HEADER_MISSING' }]);
    const baseline = baselineOf([{ url: facts.url, diff: lacking('a1') }]);
    expect(applyBaseline(lacking('b2'), baseline, facts).verdict).toBe('pass');
  });

  test('accepts a whole route if matched by route', () => {
    const baseline = baselineOf([{ url: at('/p/17').url, diff: failing('/p/17') }]);
    const byRoute = (path: string, status?: number) =>
      applyBaseline(failing(path, status), baseline, { ...at(path), by: 'route' });
    expect(byRoute('/p/25').verdict).toBe('pass');
    expect(byRoute('/q/25').verdict).toBe('fail');
    expect(byRoute('/p/25', 404).verdict).toBe('fail');
  });

  test('stays valid when only the host of a preview changes', () => {
    const leaking = (host: string) =>
      computeDiff(
        [
          makeEnvelope('left', {
            url: `https://${host}/page`,
            headers: { link: `<https://${host}/a.css>`, vary: '*' },
          }),
        ],
        [makeEnvelope('right', {})],
      );
    const first = leaking('preview-1.example.net');
    const baseline = baselineOf([{ url: facts.url, diff: first }]);
    expect(first.verdict).toBe('fail');
    expect(applyBaseline(leaking('preview-2.example.net'), baseline, facts).verdict).toBe('pass');
  });

  test('does not accept a finding that got worse, and lists resolved entries', () => {
    const { entries } = baselineOf([{ url: facts.url, diff }]);
    const baseline = readBaseline({
      version: 2,
      entries: entries.map((entry) => ({ ...entry, severity: 'info' })),
    });
    expect(applyBaseline(diff, baseline, facts).verdict).toBe('fail');
    const clean = applyBaseline(compare({}), baseline, facts);
    expect(clean).toMatchObject({ verdict: 'pass', counts: { resolved: entries.length } });
    expect(applyBaseline(compare({}), baseline, at('/other')).counts.resolved).toBe(0);
  });

  test('does not contain information, which never fails a run', () => {
    const info = compare({ headers: { server: 'other' } });
    expect(baselineOf([{ url: facts.url, diff: info }]).entries).toEqual([]);
  });

  test.each([
    [{ version: 3, entries: [] }, 'version'],
    [{ version: 1, entries: [] }, 'no longer supported'],
    [{ version: 2, entries: [{ fingerprint: 'x' }] }, 'entries.0'],
    [{ version: 2, entries: [{ ...PRINTS, code: 'NO', severity: 'info', path: '/' }] }, 'entries.0.code'],
    [
      {
        version: 2,
        entries: [
          {
            ...PRINTS,
            code: 'VARY_DRIFT',
            severity: 'info',
            path: '/',
            expires: '2026-13-01',
          },
        ],
      },
      'entries.0.expires',
    ],
  ])('%j is rejected at %s', (value, field) => {
    expect(() => readBaseline(value)).toThrow(field);
  });
});

describe('path sources', () => {
  test('a list ignores comments and repeats, reads the path of URLs, and names a bad line', () => {
    expect(pathsFromList('# mine\n/a\r\n\n https://x.example/b?c=1 \n/a\n/d/../e f').paths).toEqual([
      '/a',
      '/b?c=1',
      '/e%20f',
    ]);
    expect(() => pathsFromList('/a\nb')).toThrow('line 2');
    expect(() => pathsFromList('//evil.example/a')).toThrow('line 1');
    expect(() =>
      pathsFromList(Array.from({ length: SUITE_PATHS_MAX + 1 }, (_, n) => `/${n}`).join('\n')),
    ).toThrow(/at most 2000 paths/);
  });

  test('a sitemap gives decoded locations, an index its sitemaps, and a DTD is rejected', () => {
    const xml =
      '<?xml version="1.0"?><urlset xmlns="x"><url><loc> https://a.example/x?b=1&amp;c=2 </loc></url><url><loc>ftp://no</loc></url></urlset>';
    expect(pathsFromSitemap(xml)).toEqual({
      paths: ['/x?b=1&c=2'],
      skipped: [{ path: 'ftp://no', why: 'is not an http(s) URL' }],
      sitemaps: [],
    });
    expect(
      pathsFromSitemap(
        '<s:sitemapindex><s:sitemap><s:loc>https://a.example/s1.xml</s:loc></s:sitemap></s:sitemapindex>',
      ).sitemaps,
    ).toEqual(['https://a.example/s1.xml']);
    expect(() => pathsFromSitemap('<!DOCTYPE x [<!ENTITY a "b">]><urlset/>')).toThrow(/type definition/);
    expect(() => pathsFromSitemap('<html></html>')).toThrow(/neither/);
  });

  test('an OpenAPI document gives its GET paths with example parameters, and lists the others', () => {
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example/v1/' }],
      paths: {
        '/users/{id}': { parameters: [{ $ref: '#/components/parameters/Id' }], get: {} },
        '/posts/{slug}': { get: {} },
        '/search': {
          get: { parameters: [{ name: 'q', in: 'query', required: true, schema: { enum: ['a b'] } }] },
        },
        '/write': { post: {} },
      },
      components: { parameters: { Id: { name: 'id', in: 'path', required: true, example: 7 } } },
    };
    expect(pathsFromOpenApi(document)).toEqual({
      paths: ['/v1/users/7', '/v1/search?q=a%20b'],
      skipped: [{ path: '/posts/{slug}', why: 'has no example for slug' }],
    });
  });

  test.each(['https://evil.example/a.yaml#/x', 'other.json', 'file:///etc/passwd'])(
    'rejects the external reference %s',
    (reference) => {
      const document = { openapi: '3.0.0', paths: { '/a': { $ref: reference } } };
      expect(() => pathsFromOpenApi(document)).toThrow(/outside the document/);
    },
  );

  test('rejects circular references, broken references and other documents', () => {
    const circle = { openapi: '3.0.0', paths: { '/a': { $ref: '#/paths/~1a' } } };
    expect(() => pathsFromOpenApi(circle)).toThrow(/nest deeper/);
    expect(() => pathsFromOpenApi({ openapi: '3.0.0', paths: { '/a': { $ref: '#/no' } } })).toThrow(
      /does not exist/,
    );
    expect(() => pathsFromOpenApi({ swagger: '2.0' })).toThrow(/not an OpenAPI 3/);
  });

  test('a recording gives the GET requests to its own host', () => {
    const get = (url: string, method = 'GET') => ({ method, url });
    const entries = [
      get('https://a.example/x?y=1'),
      get('https://cdn.example/z'),
      get('https://a.example/p', 'POST'),
      get('https://a.example/q'),
    ];
    expect(pathsFromRecording(entries).paths).toEqual(['/x?y=1', '/q']);
    expect(pathsFromRecording([]).paths).toEqual([]);
  });
});

describe('ROUTE_SET_DRIFT', () => {
  const labels = { left: 'staging', right: 'production' };

  test('names the paths of one side only', () => {
    expect(routeSetFinding(['/a', '/b'], ['/b', '/c'], { labels })).toMatchObject({
      code: 'ROUTE_SET_DRIFT',
      severity: 'warn',
      evidence: [
        { keys: ['/a'], left: '/a', right: null },
        { keys: ['/c'], left: null, right: '/c' },
      ],
    });
  });
  test('is silent if both sides have the same paths, in any order', () => {
    expect(routeSetFinding(['/a', '/b'], ['/b', '/a', '/a'], { labels })).toBeUndefined();
  });
});
