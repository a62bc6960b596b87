/** Every line of robots.txt is one that crawlers understand. */
import type { RobotsProblem } from '../facts/site-facts.js';
import { failIfAny, notApplicable, siteRule } from '../rule.js';

const EXPECTED: Readonly<Record<RobotsProblem['kind'], string>> = {
  syntax: 'a line of the form "name: value"',
  'unknown-directive': 'user-agent, allow, disallow, sitemap, crawl-delay or content-signal',
  'rule-without-agent': 'a User-agent line before the rule',
  'too-large': 'at most 500 KiB, the rest is not read',
  'bad-sitemap-url': 'an absolute URL',
  'not-text': 'plain text',
};

export const robotsValid = siteRule({
  id: 'robots.valid',
  title: 'robots.txt is well-formed',
  category: 'crawl',
  severity: 'warn',
  weight: 4,
  levels: 1,
  why: 'A line that crawlers do not understand is skipped, and what it was to protect stays open.',
  fix: 'Correct the line.',
  inputs: { site: ['robots'] },
  check({ site: { robots } }) {
    const read = robots.filter(({ fetch }) => fetch.status === 200);
    if (read.length === 0) return notApplicable('there is no robots.txt');
    return failIfAny(
      read.flatMap(({ fetch, problems }) =>
        problems.map(({ kind, line, text }) => ({
          url: fetch.url,
          line,
          observed: text === '' ? kind : `${kind}: ${text}`,
          expected: EXPECTED[kind],
        })),
      ),
    );
  },
});
