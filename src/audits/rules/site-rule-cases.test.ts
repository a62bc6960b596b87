/** Rules about the whole site at their bounds: every alternative, n and n + 1. */
import { describe, expect, it } from 'vitest';
import {
  fetched,
  ORIGIN,
  outcomeOf,
  page,
  robotsFile,
  type SiteParts,
} from '../../../test/support/audit-facts.js';
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { PageFacts } from '../facts/page-facts.js';
import { RULES } from './index.js';

const said = (id: string, pages: readonly PageFacts[], parts: SiteParts = {}) => {
  const rule = RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const outcome = outcomeOf(rule, pages, parts);
  if ('reason' in outcome) return [outcome.status, outcome.reason];
  if (!('evidence' in outcome)) return [outcome.status];
  return [
    outcome.status,
    ...outcome.evidence.map(({ url, observed }) => `${url.replace(ORIGIN, '')} ${observed}`),
  ];
};
const home = (headers: FetchFacts['headers'] = [], parts = {}) =>
  page('/', { html: '<p>x', headers, ...parts });

describe('security headers', () => {
  const FINE = {
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  const headers = (more: Record<string, string>) =>
    said('sec.headers', [home(Object.entries({ ...FINE, ...more }))]).slice(1);

  it.each<[Record<string, string>, readonly string[]]>([
    [{}, []],
    [
      { 'content-security-policy': '' },
      ['/ Content-Security-Policy is missing', '/ X-Frame-Options is missing'],
    ],
    [
      { 'content-security-policy': 'img-src *; frame-ancestors x' },
      ['/ Content-Security-Policy does not restrict scripts'],
    ],
    [
      { 'content-security-policy': "DEFAULT-SRC 'unsafe-inline'; Frame-Ancestors x" },
      ['/ Content-Security-Policy allows inline scripts'],
    ],
    [{ 'content-security-policy': "script-src 'unsafe-inline' 'nonce-x'; frame-ancestors x" }, []],
    [{ 'content-security-policy': "script-src 'unsafe-inline' 'sha256-x'; frame-ancestors x" }, []],
    [{ 'content-security-policy': "script-src 'unsafe-inline' 'strict-dynamic'; frame-ancestors x" }, []],
    [
      { 'content-security-policy': "script-src 'self' 'unsafe-inline' x'nonce-; frame-ancestors x" },
      ['/ Content-Security-Policy allows inline scripts'],
    ],
    [{ 'content-security-policy': "default-src 'unsafe-inline'; script-src 'self'; frame-ancestors x" }, []],
    [{ 'x-content-type-options': ' NoSniff ' }, []],
    [{ 'x-content-type-options': 'sniff' }, ['/ X-Content-Type-Options is not nosniff']],
    [{ 'content-security-policy': "default-src 'self'", 'x-frame-options': ' Deny ' }, []],
    [{ 'content-security-policy': "default-src 'self'", 'x-frame-options': 'SAMEORIGIN' }, []],
    [
      { 'content-security-policy': "default-src 'self'", 'x-frame-options': 'deny, deny' },
      ['/ X-Frame-Options is neither DENY nor SAMEORIGIN'],
    ],
    [
      { 'content-security-policy': "default-src 'self'; no-frame-ancestors x" },
      ['/ X-Frame-Options is missing'],
    ],
    [{ 'referrer-policy': 'bogus, ORIGIN' }, []],
    [{ 'referrer-policy': 'my-origin' }, ['/ Referrer-Policy is not a known policy']],
    [{ 'referrer-policy': 'origins' }, ['/ Referrer-Policy is not a known policy']],
    [{ 'referrer-policy': '' }, ['/ Referrer-Policy is missing']],
  ])('%j lack %j', (more, missing) => {
    expect(headers(more)).toEqual(missing);
  });

  it('were not measured without a response, and say so of a page that was never requested', () => {
    for (const id of ['sec.headers', 'sec.hsts', 'sec.server-version']) {
      expect(said(id, [])).toEqual([
        'not-measured',
        'the home page was not requested: robots.txt does not allow it',
      ]);
      expect(said(id, [page('/', { fetch: { error: { code: 'timeout', message: '' } } })])).toEqual([
        'not-measured',
        'the home page did not respond',
      ]);
    }
  });
});

it.each([
  [[], 'Strict-Transport-Security is missing'],
  [[['strict-transport-security', 'max-age=15768000']], undefined],
  [[['strict-transport-security', 'includeSubDomains; MAX-AGE = "15768001"']], undefined],
  [[['strict-transport-security', 'max-age=15767999']], 'max-age is 15767999 seconds'],
  [[['strict-transport-security', 'includeSubDomains']], 'max-age is 0 seconds'],
  [[['strict-transport-security', 'x-max-age=99999999']], 'max-age is 0 seconds'],
] as const)('HSTS of %j: %s', (headers, fault) => {
  expect(said('sec.hsts', [home(headers)])).toEqual(fault === undefined ? ['pass'] : ['fail', `/ ${fault}`]);
});

it('asks for HSTS over HTTPS only', () => {
  expect(said('sec.hsts', [], { homeUrl: 'http://www.example.com/' })[0]).toBe('not-applicable');
});

it.each([
  [['server', 'nginx'], []],
  [['server', 'nginx/1.2'], ['Server']],
  [['x-powered-by', 'PHP/8.1'], ['X-Powered-By']],
  [['x-aspnet-version', '4.0.1'], ['X-AspNet-Version']],
  [['x-generator', 'Drupal 9.1'], ['X-Generator']],
  [['x-generator', 'Drupal 9'], []],
  [['date', '1.2'], []],
] as const)('the header %j shows the version of %j', (header, names) => {
  expect(said('sec.server-version', [home([header])]).slice(1)).toEqual(
    names.map((name) => `/ ${name} contains a version number`),
  );
});

describe('HTTPS', () => {
  const measuredAt = '2026-01-01T00:00:00.000Z';
  const until = (days: number, ms = 0) =>
    new Date(Date.parse(measuredAt) + days * 86_400_000 + ms).toISOString();
  const tls = (validTo: string | null) => home([], { fetch: { tls: { validTo } as never } });

  it.each([
    [15, 0, 'pass'],
    [15, -1, 'fail'],
    [14, 0, 'fail'],
    [-1, 0, 'fail'],
  ])('a certificate that ends in %i days and %i ms: %s', (days, ms, status) => {
    expect(said('sec.https', [tls(until(days, ms))], { measuredAt })[0]).toBe(status);
  });

  it('says how long a certificate holds', () => {
    expect(said('sec.https', [tls(until(14))], { measuredAt })).toEqual([
      'fail',
      `/ valid for 14 days, until ${until(14)}`,
    ]);
    expect(said('sec.https', [tls(null)], { measuredAt })).toEqual(['pass']);
  });

  it('names a broken handshake, and a plain copy of the site', () => {
    expect(
      said('sec.https', [page('/', { fetch: { error: { code: 'tls_error', message: 'expired' } } })]),
    ).toEqual(['fail', '/ expired']);
    const variant = (url: string, parts: Partial<FetchFacts>) => ({
      probes: { hostVariants: [fetched(url, parts)] },
    });
    const http = 'http://www.example.com/';
    expect(said('sec.https', [home()], variant(http, {}))).toEqual([
      'fail',
      `${http} status 200 over plain HTTP`,
    ]);
    expect(said('sec.https', [home()], variant(http, { finalUrl: `${ORIGIN}/` }))).toEqual(['pass']);
    expect(said('sec.https', [home()], variant(http, { status: null }))).toEqual(['pass']);
    expect(said('sec.https', [home()], variant('http://example.com/', {}))).toEqual(['pass']);
    expect(said('sec.https', [home()], variant(`${ORIGIN}/`, { finalUrl: http }))).toEqual(['pass']);
  });

  it('is missing from a site over plain HTTP, and is not asked of one on this machine', () => {
    const of = (origin: string) => said('sec.https', [], { origin, homeUrl: `${origin}/` });
    expect(of('http://a.example')).toEqual(['fail', 'http://a.example/ served over plain HTTP']);
    expect(of('http://localhost:3000')[0]).toBe('not-applicable');
    expect(of('https://a.example')).toEqual(['not-measured', 'the home page was not requested']);
  });
});

it('judges every cookie of the site once', () => {
  const cookie = (name: string, flags: object) => ({
    name,
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
    ...flags,
  });
  const setting = (path: string, ...cookies: object[]) =>
    page(path, { html: '<p>', fetch: { cookies } as never });
  expect(
    said('sec.cookies', [
      setting('/', cookie('a', {}), cookie('b', { secure: false }), cookie('c', { httpOnly: false })),
      setting(
        '/x',
        cookie('b', { secure: false }),
        cookie('d', { sameSite: null, httpOnly: false, secure: false }),
      ),
    ]),
  ).toEqual([
    'fail',
    '/ cookie b lacks Secure',
    '/ cookie c lacks HttpOnly',
    '/x cookie d lacks Secure, HttpOnly, SameSite',
  ]);
  expect(said('sec.cookies', [setting('/', cookie('a', {}))])).toEqual(['pass']);
  expect(said('sec.cookies', [setting('/'), page('/y', { fetch: null })])[0]).toBe('not-applicable');
  const plain = page('http://www.example.com/', {
    html: '<p>',
    fetch: { cookies: [cookie('a', { secure: false })] } as never,
  });
  expect(said('sec.cookies', [plain])).toEqual(['pass']);
});

it('names private files that anyone can read, and source maps apart', () => {
  const leak = (path: string, kind: string, exposed = true) =>
    ({ path, kind, exposed, fetch: fetched(ORIGIN + path) }) as never;
  const leaks = [
    leak('/.git/HEAD', 'git'),
    leak('/.svn/entries', 'svn'),
    leak('/.env', 'env'),
    leak('/id_rsa', 'credentials'),
    leak('/a.js.map', 'source-map'),
    leak('/.env.old', 'env', false),
  ];
  expect(said('sec.leaks', [], { probes: { leaks } }).slice(1)).toEqual([
    '/.git/HEAD anyone can read /.git/HEAD: a Git repository',
    '/.svn/entries anyone can read /.svn/entries: a Subversion repository',
    '/.env anyone can read /.env: environment variables',
    '/id_rsa anyone can read /id_rsa: credentials',
  ]);
  expect(said('sec.source-maps', [], { probes: { leaks } }).slice(1)).toEqual([
    '/a.js.map anyone can read /a.js.map',
  ]);
  expect(said('sec.source-maps', [], { probes: { leaks: leaks.slice(0, 3) } })[0]).toBe('not-applicable');
  expect(
    said('sec.source-maps', [], { probes: { leaks: [leak('/a.js.map', 'source-map', false)] } }),
  ).toEqual(['pass']);
  for (const id of ['sec.leaks', 'sec.source-maps']) expect(said(id, [])[0]).toBe('not-measured');
});

describe('AI agents', () => {
  const agents = (status: number | null, agent = 'PerplexityBot') => ({
    probes: {
      agents: [
        { agent: 'browser', fetch: fetched(`${ORIGIN}/`) },
        { agent, fetch: fetched(`${ORIGIN}/`, { status }) },
      ],
    },
  });

  it.each([401, 403, 406, 429, 451, 503])(
    'that get a %i where a browser gets a page are refused',
    (status) => {
      expect(said('ai.search-bot-blocked', [], agents(status))).toEqual([
        'fail',
        `/ status ${status}, and 200 for a browser`,
      ]);
    },
  );

  it.each([200, 404, 500, null])('that get a %s are not refused', (status) => {
    expect(said('ai.search-bot-blocked', [], agents(status))).toEqual(['pass']);
  });

  it('cannot read a site whose robots.txt fails, and nobody knows without one', () => {
    const robots = [robotsFile('', { status: 503 })];
    for (const id of ['ai.search-bot-blocked', 'ai.crawler-access']) {
      expect(said(id, [], { robots })[1]).toContain('robots.txt cannot be read');
      expect(said(id, [], { robots: [] })).toEqual(['not-measured', 'robots.txt was not requested']);
    }
    const blocked = [robotsFile('User-agent: *\nDisallow: /')];
    expect(said('ai.search-bot-blocked', [], { robots: blocked })[1]).toBe('/robots.txt Disallow: /');
  });

  it.each([
    ['search=yes, ai-input=No,AI-TRAIN = yes', undefined],
    ['search', 'an unknown signal: search'],
    ['x search=yes', 'an unknown signal: x search=yes'],
    ['search=yes no', 'an unknown signal: search=yes no'],
    ['search=yesterday', 'neither yes nor no: search=yesterday'],
    ['search=oyes', 'neither yes nor no: search=oyes'],
    ['other=yes', 'an unknown signal: other=yes'],
  ])('read the signal %j: %s', (value, fault) => {
    const robots = [robotsFile(`Content-Signal: ${value}`)];
    expect(said('ai.content-signal', [], { robots })).toEqual(
      fault === undefined ? ['pass'] : ['fail', `/robots.txt ${fault}`],
    );
  });

  const LINKS = '[a](https://www.example.com/a)';
  it.each([
    [`# Site\n${LINKS}${'x'.repeat(50)}`, []],
    [`\n# Site\n${LINKS}${'x'.repeat(50)}`, []],
    [`Site #1 # x\n${LINKS}${'x'.repeat(50)}`, ['no H1']],
    [`#Site\n${LINKS}${'x'.repeat(50)}`, ['no H1']],
    [`# Site${'x'.repeat(50)}`, ['no link']],
    [`# A\n${LINKS}${'x'.repeat(50 - 4 - LINKS.length)}`, []],
    [`# A\n${LINKS}${'x'.repeat(49 - 4 - LINKS.length)}  `, ['49 characters']],
  ])('read llms.txt of the form %j', (text, faults) => {
    const llmsTxt = {
      text,
      fetch: fetched(`${ORIGIN}/llms.txt`, { headers: [['content-type', 'text/plain']] }),
    };
    expect(said('ai.llms-txt', [], { probes: { llmsTxt } }).slice(1)).toEqual(
      faults.map((fault) => `/llms.txt ${fault}`),
    );
  });
});
