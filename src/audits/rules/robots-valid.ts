/** Checks that crawlers understand every line of robots.txt. */
import type { RobotsProblem } from '../facts/site-facts.js';
import { isHtmlFallback } from '../html-fallback.js';
import { failIfAny, notApplicable, siteRule } from '../rule.js';

const EXPECTED: Readonly<Record<RobotsProblem['kind'], string>> = {
  syntax: 'a line of the form "name: value"',
  'unknown-directive': 'user-agent, allow, disallow, sitemap, crawl-delay or content-signal',
  'rule-without-agent': 'a User-agent line before the rule',
  'too-large': 'at most 500 KiB; crawlers ignore the rest',
  'bad-sitemap-url': 'an absolute URL',
  'not-text': 'plain text',
};

export const robotsValid = siteRule({
  id: 'robots.valid',
  title: '{n} {line|lines} of robots.txt cannot be understood',
  passTitle: 'Every line of robots.txt can be understood',
  category: 'crawl',
  severity: 'warn',
  weight: 4,
  why: 'Crawlers skip lines they do not understand, so what a line was meant to block stays accessible.',
  fix: 'Correct the line, or remove it.',
  inputs: { site: ['robots', 'probes'] },
  check({ site: { robots, probes } }) {
    // If every path returns a page, http.soft-404 reports that, and a page at /robots.txt is the same fault.
    const everyPathReturnsAPage = probes.notFound?.status === 200;
    const read = robots.filter(
      ({ fetch }) => fetch.status === 200 && !(everyPathReturnsAPage && isHtmlFallback(fetch)),
    );
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
