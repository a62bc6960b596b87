import { describe, expect, it } from 'vitest';
import { fetched, page, robotsFile, site } from '../../../test/support/audit-facts.js';
import type { RuleResult } from '../run-rules.js';
import { GateWatch } from './gates.js';
import { gradeOf, scoreRules } from './score-rules.js';

const result = (parts: Partial<RuleResult>): RuleResult => ({
  ...{
    id: 'x',
    title: '',
    category: 'crawl',
    severity: 'warn',
    scope: 'page',
    weight: 1,
    status: 'pass',
    passRatio: 1,
  },
  ...{ pages: null, issues: [], issueCount: 0, reason: null, fix: '' },
  ...parts,
});

describe('a score', () => {
  it('weighs categories by their scored rules, and leaves out what was not scored', () => {
    const scored = scoreRules(
      [
        result({ weight: 3, passRatio: 1 }),
        result({ weight: 1, passRatio: 0.5, category: 'perf' }),
        result({ weight: 10, passRatio: null, status: 'not-measured', category: 'perf' }),
      ],
      [],
    );
    expect(scored).toMatchObject({ score: 88, grade: 'B', ungated: 88 });
    expect(scored.categories.find(({ category }) => category === 'perf')).toEqual({
      category: 'perf',
      score: 50,
      weight: 1,
    });
    expect(scored.categories.find(({ category }) => category === 'ai')?.score).toBeNull();
  });

  it('rounds half up, also where binary fractions fall short', () => {
    const of = (ratio: number) => scoreRules([result({ passRatio: ratio })], []).score;
    expect([0.845, 0.005, 0.994999, 0.715].map(of)).toEqual([85, 1, 99, 72]);
  });

  it('is capped by the lowest gate', () => {
    const gate = { id: 'server-error', cap: 50, url: '', observed: '' } as const;
    expect(scoreRules([result({})], [gate])).toMatchObject({ score: 50, ungated: 100, grade: 'F' });
  });

  it('has its grades from 90, 80, 70 and 60', () => {
    expect([100, 90, 89, 80, 79, 70, 69, 60, 59, 0].map(gradeOf).join('')).toBe('AABBCCDDFF');
  });
});

describe('gates', () => {
  const gatesOf = (pages: Parameters<GateWatch['addPage']>[0][], parts = {}) => {
    const watch = new GateWatch(site({ pages, ...parts }));
    for (const each of pages) watch.addPage(each);
    return watch.gates().map(({ id, cap }) => `${id} ${cap}`);
  };

  it('close on a home page that is not 200, not indexable or blocked', () => {
    expect(gatesOf([page('/', { html: '<p>' })])).toEqual([]);
    expect(gatesOf([page('/', { status: 404 })])).toEqual(['home-status 40']);
    expect(gatesOf([page('/', { html: '<meta name=robots content=none>' })])).toEqual(['home-noindex 40']);
    const robots = [robotsFile('User-agent: *\nDisallow: /\n')];
    expect(gatesOf([page('/', { fetch: null })], { robots })).toEqual(['home-blocked 40']);
    expect(gatesOf([page('/other', { status: 404 })])).toEqual([]);
  });

  it('close on any server error or TLS failure of the site', () => {
    const home = page('/', { html: '<p>' });
    expect(gatesOf([home, page('/a', { status: 502 })])).toEqual(['server-error 50']);
    const hostVariants = [
      fetched('https://example.com/', { error: { code: 'tls_error', message: 'expired' } }),
    ];
    expect(gatesOf([home], { probes: { hostVariants } })).toEqual(['tls-failure 50']);
  });
});
