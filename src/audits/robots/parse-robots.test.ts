import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.js';
import { fetched } from '../../../test/support/audit-facts.js';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { parseRobots } from './parse-robots.js';
import { crawlDelaySeconds, robotsVerdict } from './robots-verdict.js';

const file = (text: string, status = 200) => ({
  fetch: fetched('https://a.example/robots.txt', { status }),
  ...parseRobots(text),
});
const verdict = (text: string, path: string, agent = 'SondeBot') =>
  robotsVerdict(file(text), agent, `https://a.example${path}`);

describe('robots.txt (RFC 9309)', () => {
  it('lets the longest pattern decide, allow before disallow at equal length', () => {
    const text = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nAllow: /c\nDisallow: /c\n';
    expect(verdict(text, '/a/x')).toEqual({ allowed: false, line: 2, rule: 'Disallow: /a' });
    expect(verdict(text, '/a/b/x')).toMatchObject({ allowed: true, line: 3 });
    expect(verdict(text, '/c').allowed).toBe(true);
    expect(verdict(text, '/z')).toEqual({ allowed: true, line: null, rule: null });
  });

  it('merges groups of one agent, and uses * only if no group names the agent', () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: sondebot/2.0\nUser-agent: other\nDisallow: /x\n\nUSER-AGENT: SondeBot\nDisallow: /y\n';
    expect(verdict(text, '/free').allowed).toBe(true);
    expect(verdict(text, '/x').allowed).toBe(false);
    expect(verdict(text, '/y').allowed).toBe(false);
    expect(verdict(text, '/y', 'Other').allowed).toBe(true);
    expect(verdict(text, '/free', 'Third').allowed).toBe(false);
  });

  it('supports * and $, and normalizes percent-escapes', () => {
    const text = 'User-agent: *\nDisallow: /*.pdf$\nDisallow: /caf%c3%a9\nDisallow: /~home\n';
    expect(verdict(text, '/a/b.pdf').allowed).toBe(false);
    expect(verdict(text, '/a/b.pdf?x').allowed).toBe(true);
    expect(verdict(text, '/café').allowed).toBe(false);
    expect(verdict(text, '/%7Ehome').allowed).toBe(false);
  });

  it('treats a missing file as open, a broken server as closed, and ignores an empty pattern', () => {
    expect(robotsVerdict(file('', 404), 'a', 'https://a.example/x').allowed).toBe(true);
    expect(robotsVerdict(file('', 503), 'a', 'https://a.example/x').allowed).toBe(false);
    expect(verdict('User-agent: *\nDisallow:\n', '/x').allowed).toBe(true);
    expect(verdict('User-agent: *\nDisallow: /\n', '/robots.txt').allowed).toBe(true);
  });

  it.each([
    ['/a*', '/ab', true],
    ['/a*', '/b', false],
    ['/a*b*c', '/a1b2c3', true],
    ['/a*b*c', '/a1c2b3', false],
    ['/a*b$', '/a1b', true],
    ['/a*b$', '/a1bb', true],
    ['/a*b$', '/a1bc', false],
    ['/ab*b$', '/ab', false],
    ['/ab*b$', '/abb', true],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['*c', '/abc', true],
    ['/a*$', '/abc', true],
  ])('Disallow: %s covers %s: %s', (pattern, path, covered) => {
    expect(verdict(`User-agent: *\nDisallow: ${pattern}\n`, path).allowed).toBe(!covered);
  });

  it.each([
    ['Disallow: /ab\nAllow: /*', '/ab', false],
    ['Disallow: /ab\nAllow: /*b', '/ab', true],
    ['Allow: /ab\nDisallow: /*b', '/ab', true],
    ['Disallow: /*b\nAllow: /*b', '/ab', true],
    ['Allow: /a*\nDisallow: /a*c', '/abc', false],
    ['Disallow: /a*c\nAllow: /a*', '/abc', false],
  ])('in %j, the longest rule that matches %s decides, with or without wildcards', (rules, path, allowed) => {
    expect(verdict(`User-agent: *\n${rules}\n`, path).allowed).toBe(allowed);
  });

  it.each([
    [null, false],
    [200, false],
    [299, false],
    [300, true],
    [499, true],
    [500, false],
  ])('a file with status %s allows what it disallows: %s', (status, allowed) => {
    const closed = file('User-agent: *\nDisallow: /\n');
    const { fetch } = closed;
    expect(
      robotsVerdict({ ...closed, fetch: { ...fetch, status } }, 'a', 'https://a.example/x').allowed,
    ).toBe(allowed);
  });

  it('limits the number and length of rules, the wildcards and the problems', () => {
    const rules = (count: number, rule: (at: number) => string) =>
      `User-agent: *\n${Array.from({ length: count }, (_, at) => `Disallow: ${rule(at)}`).join('\n')}\n`;
    expect(parseRobots(rules(20_001, (at) => `/${at}`)).groups[0]?.rules).toHaveLength(20_000);
    const lengths = [2_048, 2_049].map((chars) => `/${'x'.repeat(chars - 1)}`);
    expect(parseRobots(rules(2, (at) => lengths[at] ?? '')).groups[0]?.rules).toHaveLength(1);
    const wildcards = rules(1_001, (at) => `/*${at + 1_000}`);
    expect([verdict(wildcards, '/1999').allowed, verdict(wildcards, '/2000').allowed]).toEqual([false, true]);
    const { problems } = parseRobots(`${'x'.repeat(300)}\n`.repeat(101));
    expect([problems.length, problems[0]?.text.length]).toEqual([100, 200]);
  });

  it('keeps the first delay of a group, and rejects invalid values', () => {
    const text =
      'Crawl-delay: 1\nUser-agent: *\nCrawl-delay: 2.5\nCrawl-delay: 9\nCrawl-delay: soon\nCrawl-delay: -1\n';
    const { groups, problems } = parseRobots(text);
    expect(crawlDelaySeconds(groups, 'any')).toBe(2.5);
    expect(problems.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      '1 rule-without-agent',
      '5 syntax',
      '6 syntax',
    ]);
    expect(crawlDelaySeconds(parseRobots('User-agent: *\nDisallow: /\n').groups, 'any')).toBeNull();
  });

  it('starts a new group at an agent after a rule or a delay, but not after another agent', () => {
    const { groups } = parseRobots(
      'User-agent: a\nUseragent: b\nDisallow: /x\nUser-agent: c\nCrawl-delay: 1\nUser-agent: d\nDisallow: x\nUser-agent: /\n',
    );
    expect(groups.map(({ agents, line }) => `${line} ${agents}`)).toEqual(['1 a,b', '4 c', '6 d']);
  });

  it('reports each fault with its line, and continues', () => {
    const { problems, sitemaps } = parseRobots(
      '\ufeffDisallow: /early\r\nnonsense\rUser-agent: *\nDisalow: /x\nSitemap: /relative\nSitemap: https://a.example/s.xml # here\n',
    );
    expect(problems.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
      '1 rule-without-agent',
      '2 syntax',
      '4 unknown-directive',
      '5 bad-sitemap-url',
    ]);
    expect(sitemaps).toEqual([{ url: 'https://a.example/s.xml', line: 6 }]);
  });

  it('keeps the crawl delay of the group that applies to the agent', () => {
    const { groups } = parseRobots('User-agent: *\nCrawl-delay: 2.5\n\nUser-agent: SondeBot\nDisallow: /x\n');
    expect(crawlDelaySeconds(groups, 'Other')).toBe(2.5);
    expect(crawlDelaySeconds(groups, 'SondeBot')).toBeNull();
  });
});

describe('any robots.txt', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 40, unit: anyCharacter }),
    fc
      .tuple(
        fc.constantFrom('User-agent', 'allow', 'DISALLOW', 'Sitemap', 'Crawl-delay'),
        fc.string({ maxLength: 20 }),
      )
      .map(([key, value]) => `${key}: ${value}`),
  );

  it('is parsed without throwing, with valid line numbers', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const { groups, problems } = parseRobots(lines.join('\n'));
        const count = lines.join('\n').split(/\r\n|\r|\n/).length;
        const named = [
          ...problems.map((each) => each.line),
          ...groups.flatMap(({ rules }) => rules.map((each) => each.line)),
        ];
        expect(named.every((at) => at >= 1 && at <= count)).toBe(true);
        for (const { rules } of groups) expect(rules.every(({ path }) => /^[/*]/.test(path))).toBe(true);
      }),
    );
  });

  it('matches like a regular expression', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', 'c');
    const pattern = fc
      .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', '$'))
      .map(([pieces, end]) => `/${pieces.join('')}${end}`);
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c', '/'), { maxLength: 10 })
      .map((pieces) => `/${pieces.join('')}`);
    fc.assert(
      fc.property(pattern, path, (rule, target) => {
        const anchored = rule.endsWith('$');
        const source = (anchored ? rule.slice(0, -1) : rule).split('*').join('.*');
        const expected = new RegExp(`^${source}${anchored ? '$' : ''}`).test(
          new URL(`https://a.example${target}`).pathname,
        );
        const seen = robotsVerdict(
          file(`User-agent: *\nDisallow: ${rule}`),
          'x',
          `https://a.example${target}`,
        );
        expect(seen.allowed).toBe(!expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a hostile robots.txt at its size limit', () => {
  /** As much of the event loop as a request handler may take; a quadratic parser takes minutes. */
  const LIMIT_MS = 2_000;

  it.each([
    ['comments before a separator that is not a line end', `${'#'.repeat(500_000)}\u2028`],
    ['agents', 'User-agent: a\n'.repeat(36_000)],
    ['blanks', `User-agent: *\nDisallow: /${' '.repeat(490_000)}x`],
  ])('is parsed in time: %s', (_name, text) => {
    expect(cpuMs(() => parseRobots(text))).toBeLessThan(LIMIT_MS);
  });

  it('is applied to thousands of URLs in time', () => {
    const rules = Array.from({ length: 20_000 }, (_, at) => `Disallow: /a${at}${'x'.repeat(at % 9)}`);
    const parsed = file(`User-agent: *\n${rules.join('\n')}\n`);
    const judge = () => {
      for (let at = 0; at < 3_000; at += 1)
        robotsVerdict(parsed, 'SondeBot', `https://www.example.com/page/${at}`);
    };
    expect(cpuMs(judge)).toBeLessThan(LIMIT_MS);
  });
});
