/** How the outcomes of a rule become its result: status, share, counts, titles. */
import { describe, expect, it } from 'vitest';
import { page, site } from '../../test/support/audit-facts.js';
import type { PageFacts } from './facts/page-facts.js';
import {
  type Evidence,
  fail,
  failIfAny,
  notApplicable,
  notMeasured,
  type Outcome,
  pageRule,
  pass,
  type Rule,
  type RuleHead,
  siteRule,
  warn,
} from './rule.js';
import { concerns, RuleRun } from './run-rules.js';
import { pageCount, RESULT_LIMITS, Tally } from './tally.js';

const HEAD: RuleHead = {
  ...{
    id: 'x',
    title: '{n} {page is|pages are} bad',
    passTitle: 'Fine',
    category: 'crawl',
    severity: 'warn',
  },
  ...{ weight: 3, why: '', fix: 'Fix it.' },
};
const found = (parts: Partial<Evidence> = {}): Evidence => ({
  url: '/a',
  observed: 'o',
  expected: 'e',
  ...parts,
});

function resultOf(rule: Rule, pages: readonly PageFacts[]) {
  const run = new RuleRun([rule], site({ pages }));
  for (const each of pages) run.addPage(each);
  for (const _judged of run.judgeSite());
  return run.results()[0];
}
const pageResult = (...outcomes: Outcome[]) => {
  const left = [...outcomes];
  const rule = pageRule({ ...HEAD, on: 'url', inputs: {}, check: () => left.shift() ?? pass });
  return resultOf(
    rule,
    outcomes.map((_, at) => page(`/${at}`, { html: '<p>' })),
  );
};
const siteResult = (outcome: Outcome, perPage = false) =>
  resultOf(siteRule({ ...HEAD, ...(perPage && { perPage }), inputs: {}, check: () => outcome }), [page('/')]);

describe('a page rule', () => {
  it.each([
    [[pass, pass], 'pass', 1, 'Fine'],
    [[pass, warn(found())], 'warn', 0.75, '1 page is bad'],
    [[pass, fail(found())], 'fail', 0.5, '1 page is bad'],
    [[warn(found()), fail(found({ observed: 'p' }))], 'fail', 0.25, '2 pages are bad'],
    [[pass, notApplicable('n')], 'pass', 1, 'Fine'],
    [[notApplicable('n'), notMeasured('m')], 'not-measured', null, 'Fine'],
    [[notApplicable('n')], 'not-applicable', null, 'Fine'],
  ])('case %#: %s', (outcomes, status, passRatio, title) => {
    expect(pageResult(...outcomes)).toMatchObject({
      status,
      passRatio,
      title,
      id: 'x',
      weight: 3,
      fix: 'Fix it.',
    });
  });

  it('counts pages by their outcome, and says why it does not apply', () => {
    expect(pageResult(pass, warn(found()), fail(found()), notApplicable('n'))?.pages).toEqual({
      ...{ applicable: 3, passed: 1, warned: 1, failed: 1 },
    });
    expect(pageResult(notApplicable('first'), notApplicable('second'))?.reason).toBe('first');
    expect(pageResult()?.reason).toBe('this rule applies to no page of the site');
    expect(pageResult({ status: 'pass', note: 'half' }, { status: 'pass', note: 'later' })?.reason).toBe(
      'half',
    );
  });

  it('that throws is broken from then on, with the reason', () => {
    let asked = 0;
    const rule = pageRule({
      ...{ ...HEAD, on: 'url', inputs: {} },
      check() {
        asked += 1;
        throw new Error('x'.repeat(600));
      },
    });
    const result = resultOf(rule, [page('/a'), page('/b')]);
    expect(result).toMatchObject({ status: 'error', passRatio: null, reason: `${'x'.repeat(499)}…` });
    expect(asked).toBe(1);
  });

  it.each([
    ['url', page('/', { fetch: null }), true],
    ['response', page('/', { fetch: null }), false],
    ['response', page('/', { status: 500 }), true],
    ['html', page('/', { html: '<p>' }), true],
    ['html', page('/', { html: '<p>', status: 404 }), false],
    ['html', page('/', {}), false],
    ['html', page('/', { fetch: null }), false],
  ] as const)('case %#: on %s', (on, facts, judged) => {
    expect(concerns(pageRule({ ...HEAD, on, inputs: {}, check: () => pass }), facts)).toBe(judged);
  });

  it('sees what it names, and nothing else', () => {
    const seen: object[] = [];
    const rule = pageRule({
      ...{ ...HEAD, on: 'html', inputs: { page: ['fetch'], document: ['titles'], site: ['origin'] } },
      check(facts) {
        seen.push(facts);
        return pass;
      },
    });
    resultOf(rule, [page('/', { html: '<title>t</title>' })]);
    expect(seen.map((each) => Object.values(each).map((part) => Object.keys(part ?? {})))).toEqual([
      [['url', 'fetch'], ['titles'], ['origin']],
    ]);
  });
});

describe('a site rule', () => {
  const three = [found(), found(), found({ url: '/b' })];

  it.each([
    [{ of: 10 }, 0.7],
    [{ of: 2 }, 0],
    [{}, 0],
  ])('with %j has the share %d', (notes, passRatio) => {
    expect(siteResult(failIfAny(three, notes))).toMatchObject({ status: 'fail', passRatio, pages: null });
  });

  it('counts findings, or places where it is about pages', () => {
    expect(siteResult(failIfAny(three))).toMatchObject({
      title: '3 pages are bad',
      issueCount: 3,
      placeCount: 3,
    });
    expect(siteResult(failIfAny(three), true)).toMatchObject({
      title: '3 pages are bad',
      issueCount: 1,
      placeCount: 3,
    });
    expect(siteResult(failIfAny([], { note: 'n' }))).toMatchObject({
      status: 'pass',
      reason: 'n',
      title: 'Fine',
    });
  });
});

describe('findings', () => {
  const kept = (...outcomes: Outcome[]) => {
    const tally = new Tally({ grouped: true });
    for (const outcome of outcomes) tally.add(outcome);
    return tally;
  };

  it('are bounded in their texts and related URLs', () => {
    const related = Array.from({ length: 21 }, (_, at) => `/${at}`);
    const text = (chars: number) => 'x'.repeat(chars);
    const [issue] = kept(
      fail(found({ element: text(501), observed: text(500), expected: text(501), related })),
    ).issues();
    expect(issue).toMatchObject({
      ...{
        element: `${text(499)}…`,
        observed: text(500),
        expected: `${text(499)}…`,
        related: related.slice(0, 20),
      },
    });
    expect(kept(fail(found())).issues()[0]).toEqual({ level: 'fail', ...found() });
  });

  it.each<Partial<Evidence>>([{ element: 'b' }, { observed: 'b' }, { expected: 'b' }, { related: ['/b'] }])(
    'are two where %j differs',
    (parts) => {
      expect(kept(fail(found()), fail(found(parts))).issueCount).toBe(2);
      expect(kept(fail(found()), warn(found())).issueCount).toBe(2);
      expect(kept(fail(found()), fail(found({ url: '/b', line: 7 }))).issues()).toMatchObject([
        { also: [{ url: '/b', line: 7 }] },
      ]);
    },
  );

  it('come with the widest first, else in their order', () => {
    const wide = (url: string) => fail(found({ url, observed: 'wide' }));
    const issues = kept(
      fail(found({ observed: 'one' })),
      fail(found({ observed: 'two' })),
      wide('/a'),
      wide('/b'),
    ).issues();
    expect(issues.map(({ observed }) => observed)).toEqual(['wide', 'one', 'two']);
    expect(issues.map(pageCount)).toEqual([2, 1, 1]);
  });

  it('keep 20,000 places of a rule, and count the rest', () => {
    const tally = new Tally({ grouped: true });
    for (let at = 0; at <= RESULT_LIMITS.placesPerRule; at += 1) tally.add(fail(found({ url: `/${at}` })));
    tally.add(fail(found({ observed: 'other' })));
    expect(RESULT_LIMITS.placesPerRule).toBe(20_000);
    expect([tally.placeCount, tally.issueCount, tally.issues().length]).toEqual([20_002, 2, 1]);
    expect(tally.issues()[0]?.also).toHaveLength(19_999);
  });
});
