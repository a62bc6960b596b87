/** robots.txt line by line: what each form means, which line is wrong, and where reading ends. */
import { describe, expect, it } from 'vitest';
import { fetched } from '../../../test/support/audit-facts.js';
import { parseRobots } from './parse-robots.js';
import { crawlDelaySeconds, groupsFor, robotsVerdict } from './robots-verdict.js';

const problems = (text: string) => parseRobots(text).problems.map(({ kind, line }) => `${line} ${kind}`);
const groups = (text: string) =>
  parseRobots(text).groups.map(({ agents, rules, line }) => ({
    agents,
    rules: rules.map(({ allow, path }) => `${allow ? '+' : '-'}${path}`),
    line,
  }));

it.each([
  ['User-agent: a\nDisallow: /x', []],
  ['user-agent : a\n ALLOW:/x ', []],
  ['Useragent: a', []],
  ['# only\n\n  # comments', []],
  ['User-agent: a # note\nDisallow: /x#y', []],
  ['nonsense', ['1 syntax']],
  [': x', ['1 syntax']],
  ['x: y', ['1 unknown-directive']],
  ['host: a\nclean-param: b\nrequest-rate: 1\nvisit-time: 1\nnoindex: /\nindexpage: /', []],
  ['User-agent:', ['1 syntax']],
  ['User-agent: 1bot', ['1 syntax']],
  ['Disallow: /x', ['1 rule-without-agent']],
  ['User-agent: *\nDisallow: x', ['2 syntax']],
  ['User-agent: *\nDisallow: *x\nAllow: /', []],
  ['Sitemap: /sitemap.xml', ['1 bad-sitemap-url']],
  ['Sitemap: xhttps://a.example/', ['1 bad-sitemap-url']],
  ['Sitemap: https://', ['1 bad-sitemap-url']],
  ['SITEMAP: HTTPS://a.example/s.xml', []],
  ['Crawl-delay: 5', ['1 rule-without-agent']],
  ['User-agent: *\nCrawl-delay: soon', ['2 syntax']],
  ['User-agent: *\nCrawl-delay: 1.5s', ['2 syntax']],
  ['User-agent: *\nCrawl-delay: 1.5', []],
  ['a\r\nb\rc\nd', ['1 syntax', '2 syntax', '3 syntax', '4 syntax']],
])('%j has the problems %j', (text, found) => {
  expect(problems(text)).toEqual(found);
});

it('keeps 100 problems, and 200 characters of each line', () => {
  expect(problems('x\n'.repeat(101))).toHaveLength(100);
  expect(parseRobots(` ${'x'.repeat(201)}`).problems[0]?.text).toBe('x'.repeat(200));
});

describe('a group', () => {
  it.each([
    [
      'User-agent: A/2.0 x\nUser-agent: b_c-D\nDisallow: /',
      [{ agents: ['a', 'b_c-d'], rules: ['-/'], line: 1 }],
    ],
    [
      'User-agent: a\nDisallow: /x\nUser-agent: b\nAllow: /y',
      [
        { agents: ['a'], rules: ['-/x'], line: 1 },
        { agents: ['b'], rules: ['+/y'], line: 3 },
      ],
    ],
    [
      'User-agent: a\nSitemap: https://a.example/s\nUser-agent: b\nDisallow: /',
      [{ agents: ['a', 'b'], rules: ['-/'], line: 1 }],
    ],
    [
      'User-agent: a\nCrawl-delay: 1\nUser-agent: b',
      [
        { agents: ['a'], rules: [], line: 1 },
        { agents: ['b'], rules: [], line: 3 },
      ],
    ],
    [
      'User-agent: a\nDisallow:\nUser-agent: b',
      [
        { agents: ['a'], rules: [], line: 1 },
        { agents: ['b'], rules: [], line: 3 },
      ],
    ],
    ['\ufeffUser-agent: *bot\nDisallow: /', [{ agents: ['*'], rules: ['-/'], line: 1 }]],
  ])('%j', (text, expected) => {
    expect(groups(text)).toEqual(expected);
  });

  it('has patterns of up to 2,048 characters, and 20,000 rules in a file', () => {
    const pattern = (chars: number) => `/${'x'.repeat(chars - 1)}`;
    expect(
      groups(`User-agent: *\nDisallow: ${pattern(2_048)}\nDisallow: ${pattern(2_049)}`)[0]?.rules,
    ).toHaveLength(1);
    expect(groups(`User-agent: *\n${'Disallow: /x\n'.repeat(20_001)}`)[0]?.rules).toHaveLength(20_000);
  });

  it('has the first delay that it states', () => {
    const { groups: parsed } = parseRobots(
      'User-agent: a\nCrawl-delay: 2\nCrawl-delay: 3\n\nUser-agent: *\nCrawl-delay: 0',
    );
    expect([crawlDelaySeconds(parsed, 'A'), crawlDelaySeconds(parsed, 'other')]).toEqual([2, 0]);
    expect(crawlDelaySeconds(parseRobots('User-agent: a').groups, 'a')).toBeNull();
  });
});

it('notes content signals with the agents that they are for', () => {
  const { contentSignals, sitemaps } = parseRobots(
    `Content-Signal: search=yes\nUser-agent: a\nContent-Signal: ${'x'.repeat(201)}\nSitemap: https://a.example/s`,
  );
  expect(contentSignals).toEqual([
    { agents: ['*'], value: 'search=yes', line: 1 },
    { agents: ['a'], value: 'x'.repeat(200), line: 3 },
  ]);
  expect(sitemaps).toEqual([{ url: 'https://a.example/s', line: 4 }]);
});

describe('a verdict', () => {
  const verdict = (text: string, path: string, { status = 200 as number | null, agent = 'bot' } = {}) =>
    robotsVerdict(
      { fetch: fetched('https://a.example/robots.txt', { status }), ...parseRobots(text) },
      agent,
      `https://a.example${path}`,
    );
  const ALL = 'User-agent: *\nDisallow: /';

  it.each([
    [200, false],
    [299, false],
    [300, true],
    [404, true],
    [499, true],
    [500, false],
    [null, false],
  ])('with a robots.txt of status %s', (status, allowed) => {
    expect(verdict(ALL, '/x', { status }).allowed).toBe(allowed);
  });

  it('lets everyone read robots.txt itself, without a query', () => {
    expect(verdict(ALL, '/robots.txt').allowed).toBe(true);
    expect(verdict(ALL, '/robots.txt?x').allowed).toBe(false);
  });

  it.each([
    ['Disallow: /a\nAllow: /a', '/a', true],
    ['Allow: /a\nDisallow: /a', '/a', true],
    ['Disallow: /a*\nAllow: /ab', '/abc', true],
    ['Disallow: /ab\nAllow: /a*', '/abc', true],
    ['Disallow: /abc\nAllow: /a*', '/abc', false],
    ['Disallow: /a*c\nAllow: /ab', '/abc', false],
    ['Disallow: /*?\nAllow: /', '/x?y', false],
    ['Disallow: /*?\nAllow: /', '/x', true],
    ['Disallow: /a$', '/a', false],
    ['Disallow: /a$', '/a/', true],
    ['Disallow: /a*b*', '/axxbyy', false],
    ['Disallow: /A', '/a', true],
    ['Disallow: /%41', '/A', false],
    ['Disallow: /a%2fb', '/a%2Fb', false],
    ['Disallow: /a%2fb', '/a/b', true],
    ['Disallow: /ü', '/%C3%BC', false],
  ])('by %j of %s: allowed %s', (rules, path, allowed) => {
    expect(verdict(`User-agent: *\n${rules}`, path).allowed).toBe(allowed);
  });

  it('names the rule and its line', () => {
    expect(verdict('User-agent: *\nAllow: /a\nDisallow: /', '/b')).toEqual({
      allowed: false,
      line: 3,
      rule: 'Disallow: /',
    });
    expect(verdict('User-agent: *\nAllow: /a\nDisallow: /', '/a')).toEqual({
      allowed: true,
      line: 2,
      rule: 'Allow: /a',
    });
  });

  it('is by the groups of the agent, else by those for all', () => {
    const { groups: parsed } = parseRobots(
      'User-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow: /x\n\nUser-agent: bot\nDisallow: /y',
    );
    expect(groupsFor(parsed, 'BOT').map(({ line }) => line)).toEqual([4, 7]);
    expect(groupsFor(parsed, 'other').map(({ line }) => line)).toEqual([1]);
    expect(groupsFor([], 'other')).toEqual([]);
  });

  it('takes a thousand patterns with wildcards', () => {
    const rules = Array.from({ length: 1_000 }, (_, at) => `Disallow: /${at}*x`).join('\n');
    expect(verdict(`User-agent: *\n${rules}\nDisallow: /last*x`, '/lastx').allowed).toBe(true);
    expect(verdict(`User-agent: *\n${rules}`, '/999x').allowed).toBe(false);
  });
});
