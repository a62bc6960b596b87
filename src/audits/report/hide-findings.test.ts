/** Which findings a person has decided about, what stays of the report, and what the words for it are. */
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/sample-report.js';
import { RULES } from '../rules/index.js';
import { placesOf } from '../tally.js';
import type { AcceptedFinding, AuditReport, Issue } from './audit-report.js';
import { acceptedFindings, hideFindings } from './hide-findings.js';
import {
  fixesSentence,
  goneLines,
  hiddenSentence,
  plural,
  stoppedSentence,
  verdictSentence,
} from './report-words.js';

const ORIGIN = 'https://www.example.com';
const issue = (path: string, parts: Partial<Issue> = {}): Issue => ({
  ...{ level: 'fail', url: path.startsWith('/') ? ORIGIN + path : path, observed: 'o', expected: 'e' },
  ...parts,
});

/** The sample report with these findings of one rule, and no others. */
function reportWith(rule: string, issues: readonly Issue[]): AuditReport {
  const report = sampleReport();
  const places = issues.flatMap(placesOf).length;
  const empty = { issues: [], issueCount: 0, placeCount: 0, status: 'pass' } as const;
  return {
    ...report,
    rules: report.rules.map((each) =>
      each.id === rule
        ? { ...each, issues, issueCount: issues.length, placeCount: places, status: 'fail' }
        : { ...each, ...empty },
    ),
  };
}

const hide = (
  report: AuditReport,
  {
    accepted = [],
    ignored = () => false,
  }: { accepted?: AcceptedFinding[]; ignored?: (rule: string, path: string) => boolean },
) => hideFindings(report, { rules: RULES, accepted, isIgnored: ignored });
const ruleOf = (report: AuditReport, id: string) => report.rules.find((each) => each.id === id);

describe('a report', () => {
  const two = reportWith('title.present', [
    issue('/a', { line: 3, also: [{ url: `${ORIGIN}/b`, line: 4 }, { url: `${ORIGIN}/c` }] }),
    issue('/d', { observed: 'two titles' }),
  ]);

  it('stays the same where nothing is hidden', () => {
    const hidden = hide(two, {});
    expect(hidden.rules).toEqual(two.rules);
    expect(hidden.hidden).toEqual({ ignored: 0, accepted: 0, gone: [] });
  });

  it('loses the places that are ignored, by rule and path', () => {
    const hidden = hide(two, {
      ignored: (rule, path) => rule === 'title.present' && (path === '/a' || path === '/d'),
    });
    expect(ruleOf(hidden, 'title.present')).toMatchObject({
      status: 'fail',
      issues: [{ ...issue('/b'), line: 4, also: [{ url: `${ORIGIN}/c` }] }],
      issueCount: 1,
      placeCount: 2,
      title: '2 pages do not have exactly one title',
    });
    expect(ruleOf(hidden, 'title.present')?.issues[0]).not.toHaveProperty('line', 3);
    expect(hidden.hidden).toEqual({ ignored: 2, accepted: 0, gone: [] });
    expect(hidden.counts).toMatchObject({ issues: 1, failed: 1 });
    expect(hidden.score).toBe(two.score);
  });

  it('drops the list of further places with the last of them', () => {
    const hidden = hide(two, { ignored: (_, path) => path !== '/b' });
    expect(ruleOf(hidden, 'title.present')?.issues).toEqual([{ ...issue('/b'), line: 4 }]);
  });

  it('has a rule without visible findings as hidden, with the title of a rule that passes', () => {
    const hidden = hide(two, { ignored: () => true });
    const rule = RULES.find(({ id }) => id === 'title.present');
    expect(ruleOf(hidden, 'title.present')).toMatchObject({
      status: 'hidden',
      title: rule?.passTitle,
      issues: [],
    });
    expect(hidden.counts).toMatchObject({ issues: 0, failed: 0 });
    expect(hidden.hidden?.ignored).toBe(4);
  });

  it('hides what a baseline accepts: the rule, the path and what was seen', () => {
    const accepted = { rule: 'title.present', observed: 'o', paths: ['/a', '/c', '/gone'] };
    const hidden = hide(two, { accepted: [accepted] });
    expect(ruleOf(hidden, 'title.present')?.issues).toEqual([
      { ...issue('/b'), line: 4 },
      issue('/d', { observed: 'two titles' }),
    ]);
    expect(hidden.hidden).toEqual({ ignored: 0, accepted: 2, gone: [{ ...accepted, paths: ['/gone'] }] });
  });

  it.each([
    { rule: 'title.length', observed: 'o', paths: ['/a'] },
    { rule: 'title.present', observed: 'other', paths: ['/a'] },
    { rule: 'title.present', observed: 'o', element: '<b>', paths: ['/a'] },
    { rule: 'title.present', observed: 'o', paths: ['/z'] },
  ])('shows what a baseline does not accept: %j', (accepted) => {
    const hidden = hide(two, { accepted: [accepted] });
    expect(hidden.rules).toEqual(two.rules);
    expect(hidden.hidden).toMatchObject({ accepted: 0, gone: [accepted] });
  });

  it('does not call gone what no rule of the report looked for', () => {
    const hidden = hide(two, { accepted: [{ rule: 'no.such-rule', observed: 'o', paths: ['/a'] }] });
    expect(hidden.hidden?.gone).toEqual([]);
  });

  it('counts findings of the site by finding, and those about pages by place', () => {
    const remaining = (id: string) => {
      const report = reportWith(id, [
        issue('/a', { also: [{ url: `${ORIGIN}/b` }, { url: `${ORIGIN}/b` }] }),
        issue('/c', { observed: 'p' }),
      ]);
      return ruleOf(hide(report, { ignored: (_, path) => path === '/c' }), id)?.title;
    };
    expect(remaining('title.present')).toMatch(/^2 pages /);
    expect(remaining('link.broken-internal')).toMatch(/^1 /);
    expect(remaining('link.depth')).toMatch(/^3 /);
  });

  it('keeps the title of a rule that no longer exists', () => {
    const report = reportWith('link.broken-internal', [issue('/a'), issue('/b')]);
    const renamed = JSON.parse(JSON.stringify(report).replaceAll('link.broken-internal', 'link.removed'));
    expect(ruleOf(hide(renamed, { ignored: (_, path) => path === '/a' }), 'link.removed')).toMatchObject({
      title: ruleOf(report, 'link.broken-internal')?.title,
      issues: [issue('/b')],
    });
  });

  it('is accepted as a whole by a baseline made from it, also under another origin', () => {
    const report = reportWith('img.alt', [
      issue('/a', { element: `<img src="${ORIGIN}/x.png">`, observed: `no alt on ${ORIGIN}/x.png` }),
      issue('https://far.example/', { also: [{ url: `${ORIGIN}/a` }, { url: `${ORIGIN}/a` }] }),
    ]);
    const accepted = acceptedFindings(report);
    expect(accepted).toEqual([
      { rule: 'img.alt', element: '<img src="/x.png">', observed: 'no alt on /x.png', paths: ['/a'] },
      { rule: 'img.alt', observed: 'o', paths: ['https://far.example/', '/a'] },
    ]);
    const moved = JSON.parse(JSON.stringify(report).replaceAll(ORIGIN, 'https://preview.example'));
    expect(hide(moved, { accepted }).hidden).toEqual({ ignored: 0, accepted: 3, gone: [] });
  });
});

describe('the words of a report', () => {
  const report = sampleReport();
  const hidden = (accepted: number, ignored: number) => ({
    ...report,
    hidden: { accepted, ignored, gone: [] },
  });

  it.each([
    [hidden(0, 0), undefined],
    [report, undefined],
    [hidden(1, 0), '1 finding is hidden: 1 by the baseline. The score counts them.'],
    [hidden(0, 2), '2 findings are hidden: 2 by --ignore. The score counts them.'],
    [hidden(10, 2), '12 findings are hidden: 10 by the baseline, 2 by --ignore. The score counts them.'],
  ])('case %#: say what is hidden', (each, sentence) => {
    expect(hiddenSentence(each)).toBe(sentence);
  });

  it.each([
    [undefined, undefined],
    [{ score: 61, rules: ['a'] }, undefined],
    [{ score: 62, rules: ['a'] }, 'Fixing a would raise the score from 61 to 62.'],
    [{ score: 78, rules: ['a', 'b'] }, 'Fixing a and b would raise the score from 61 to 78.'],
    [{ score: 78, rules: ['a', 'b', 'c'] }, 'Fixing a, b and c would raise the score from 61 to 78.'],
  ])('case %#: say what fixing would bring', (afterFixes, sentence) => {
    const { afterFixes: _, ...rest } = report;
    expect(fixesSentence({ ...rest, score: 61, ...(afterFixes && { afterFixes }) })).toBe(sentence);
  });

  it.each([
    [0, 0, 0, 'All 7 rules that apply pass.'],
    [1, 0, 0, '1 of 8 rules that apply fails, with 1 finding on 2 pages.'],
    [1, 1, 1, '2 of 9 rules that apply fail, with 1 finding on 2 pages. The score is capped.'],
  ])('of %i failed and %i warned rules and %i gates: %s', (failed, warned, gates, sentence) => {
    const counts = { ...report.counts, failed, warned, passed: 7, issues: 1, pages: 2 };
    const gate = { id: 'server-error', cap: 50, url: '', observed: '' } as const;
    expect(verdictSentence({ ...report, counts, gates: Array(gates).fill(gate) })).toBe(sentence);
  });

  it('say why a report is partial, and what a baseline can lose', () => {
    expect(stoppedSentence(report)).toBeUndefined();
    expect(stoppedSentence({ ...report, stopped: 'canceled' })).toContain('was canceled after 3 pages');
    const gone = [{ rule: 'r', observed: 'o', paths: ['/a', '/b'] }];
    expect(goneLines({ ...report, hidden: { accepted: 0, ignored: 0, gone } })).toEqual(['r on /a, /b: o']);
    expect(goneLines(report)).toEqual([]);
  });

  it.each([
    [0, '0 pages'],
    [1, '1 page'],
    [2, '2 pages'],
    [1_000, '1,000 pages'],
  ])('count %i', (count, words) => {
    expect(plural(count, 'page')).toBe(words);
  });
});
