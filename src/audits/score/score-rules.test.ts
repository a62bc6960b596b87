import { describe, expect, it } from 'vitest';
import { fetched, page, robotsFile, site } from '../../../test/support/audit-facts.js';
import type { RuleResult } from '../report/audit-report.js';
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
  ...{ pages: null, issues: [], issueCount: 0, placeCount: 0, reason: null, fix: '' },
  ...parts,
});

describe('a score', () => {
  it('weights categories by their scored rules, and ignores rules that were not scored', () => {
    const scored = scoreRules(
      [
        result({ weight: 9, passRatio: 1 }),
        result({ weight: 1, passRatio: 0, category: 'perf' }),
        result({ weight: 10, passRatio: null, status: 'not-measured', category: 'perf' }),
      ],
      [],
    );
    // 0.9 to the fourth power
    expect(scored).toMatchObject({ score: 66, grade: 'D', ungated: 66 });
    expect(scored.categories.find(({ category }) => category === 'perf')).toEqual({
      category: 'perf',
      title: 'Performance',
      score: 0,
      weight: 0.5,
    });
    expect(scored.categories.find(({ category }) => category === 'ai')?.score).toBeNull();
  });

  it('loses a little for one page of 200, and most of the rule for half of the pages', () => {
    const others = result({ severity: 'error', weight: 200 });
    const withShare = (share: number) =>
      scoreRules([others, result({ severity: 'error', weight: 10, passRatio: 1 - share })], []).score;
    expect([0, 1 / 200, 1 / 20, 1 / 2, 1].map(withShare)).toEqual([100, 97, 93, 86, 82]);
  });

  it('loses more for an error than for a warning, and more for a warning than for a hint', () => {
    const others = result({ severity: 'error', weight: 100 });
    const [error, warn, info] = (['error', 'warn', 'info'] as const).map(
      (severity) => scoreRules([others, result({ severity, weight: 10, passRatio: 0 })], []).score,
    );
    expect([error, warn, info]).toEqual([68, 82, 94]);
  });

  it('shows the score after fixing the three costliest rules, gates first', () => {
    const failing = [3, 9, 1, 5].map((weight) => result({ id: `r${weight}`, weight, passRatio: 0 }));
    const leak = result({ id: 'sec.leaks', weight: 1, passRatio: 0 });
    const gate = { id: 'private-files', cap: 40, url: '', observed: '' } as const;
    const rules = [...failing, leak, result({ weight: 80 })];
    expect(scoreRules(rules, []).afterFixes).toEqual({ score: 92, rules: ['r9', 'r5', 'r3'] });
    expect(scoreRules(rules, [gate]).afterFixes).toEqual({ score: 85, rules: ['sec.leaks', 'r9', 'r5'] });
    expect(scoreRules([result({})], []).afterFixes).toBeNull();
  });

  it('is capped by the lowest gate', () => {
    const gate = { id: 'server-error', cap: 50, url: '', observed: '' } as const;
    expect(scoreRules([result({})], [gate])).toMatchObject({ score: 50, ungated: 100, grade: 'F' });
  });

  it('has grade thresholds at 90, 80, 70 and 60', () => {
    expect([100, 90, 89, 80, 79, 70, 69, 60, 59, 0].map(gradeOf).join('')).toBe('AABBCCDDFF');
  });
});

describe('gates', () => {
  const gatesOf = (pages: Parameters<GateWatch['addPage']>[0][], parts = {}) => {
    const watch = new GateWatch(site({ pages, ...parts }));
    for (const each of pages) watch.addPage(each);
    return watch.gates().map(({ id, cap }) => `${id} ${cap}`);
  };

  it('apply to a home page that is not 200, not indexable or blocked', () => {
    expect(gatesOf([page('/', { html: '<p>' })])).toEqual([]);
    expect(gatesOf([page('/', { status: 404 })])).toEqual(['home-status 40']);
    expect(gatesOf([page('/', { html: '<meta name=robots content=none>' })])).toEqual(['home-noindex 40']);
    const robots = [robotsFile('User-agent: *\nDisallow: /\n')];
    expect(gatesOf([page('/', { fetch: null })], { robots })).toEqual(['home-blocked 40']);
    expect(gatesOf([page('/', { html: '<p>' })], { robots })).toEqual(['home-blocked 40']);
    expect(gatesOf([page('/', { html: '<p>' })], { robots: [] })).toEqual([]);
    expect(gatesOf([page('/other', { status: 404 })])).toEqual([]);
  });

  it('apply to server errors on a tenth of the pages, and to a TLS failure of the site', () => {
    const home = page('/', { html: '<p>' });
    expect(gatesOf([home, page('/a', { status: 502 })])).toEqual(['server-error 50']);
    const many = Array.from({ length: 199 }, (_, at) => page(`/p${at}`, { html: '<p>' }));
    expect(gatesOf([home, ...many, page('/a', { status: 502 })])).toEqual([]);
    const failing = (url: string) => [fetched(url, { error: { code: 'tls_error', message: 'expired' } })];
    expect(gatesOf([home], { probes: { hostVariants: failing('https://www.example.com/') } })).toEqual([
      'tls-failure 50',
    ]);
    expect(gatesOf([home], { probes: { hostVariants: failing('https://example.com/') } })).toEqual([]);
  });

  it('apply to a private file that anyone can read', () => {
    const leaks = [
      { path: '/.env', kind: 'env', fetch: fetched('https://www.example.com/.env'), exposed: true },
    ];
    expect(gatesOf([page('/', { html: '<p>' })], { probes: { leaks } })).toEqual(['private-files 40']);
  });
});
