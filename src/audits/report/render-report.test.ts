/** Reports in every format, compared with golden files. */
import { describe, expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/sample-report.js';
import type { AuditReport } from './audit-report.js';
import { diffReports } from './diff-reports.js';
import { renderCsv } from './render-csv.js';
import { renderHtml } from './render-html.js';
import { renderMarkdown } from './render-markdown.js';

const GOLDEN = '../../../test/fixtures/audit-report';

function withIssue(issue: Partial<AuditReport['rules'][number]['issues'][number]>): AuditReport {
  const report = sampleReport();
  const [first, ...rules] = report.rules;
  if (!first) throw new Error('no rule');
  const whole = {
    level: 'fail',
    url: 'https://www.example.com/',
    observed: 'o',
    expected: 'e',
    ...issue,
  } as const;
  return { ...report, rules: [{ ...first, status: 'fail', issues: [whole], issueCount: 1 }, ...rules] };
}

describe('a report', () => {
  it('matches the golden file in every format', async () => {
    const report = sampleReport();
    await expect(renderMarkdown(report)).toMatchFileSnapshot(`${GOLDEN}/report.md`);
    await expect(renderCsv(report)).toMatchFileSnapshot(`${GOLDEN}/issues.csv`);
    await expect(renderHtml(report)).toMatchFileSnapshot(`${GOLDEN}/report.html`);
  });

  it('escapes text from a target: no markup in HTML or Markdown, no formula in CSV', () => {
    const hostile = withIssue({
      observed: '=HYPERLINK("x")',
      element: '<script>alert(1)</script>',
      url: '`</code><img src=x onerror=1>',
    });
    expect(renderHtml(hostile)).not.toMatch(/<script|<img/);
    const markdown = renderMarkdown(hostile);
    expect(markdown).toContain('`` `</code><img src=x onerror=1> ``');
    expect(renderCsv(hostile)).toContain(`,"'=HYPERLINK(""x"")",`);
    for (const start of ['+1', '-1', '@a', '\tx']) {
      expect(renderCsv(withIssue({ observed: start }))).toContain(`'${start}`);
    }
  });

  it('is self-contained: no script, no request', () => {
    const html = renderHtml(sampleReport());
    expect(html).not.toMatch(/<script|<link|<img|<[a-z]+[^>]* src=|url\([^)]|@import/);
    expect(html).toContain("default-src 'none'");
  });
});

describe('the diff of two audits', () => {
  it('lists each finding as new, fixed or still there', () => {
    const diff = diffReports(sampleReport(), sampleReport({}, true));
    const keys = (issues: readonly { rule: string; url: string }[]) =>
      issues.map(({ rule, url }) => `${rule} ${new URL(url).pathname}`);
    expect(keys(diff.fixed)).toContain('title.length /a');
    expect(keys(diff.stillThere)).toContain('img.alt /a');
    expect(keys(diff.new)).not.toContain('img.alt /a');
    expect(diff.scoreAfter).toBeGreaterThanOrEqual(diff.scoreBefore ?? 0);
  });

  it('does not list as fixed what the later audit did not check', () => {
    const before = sampleReport();
    const after = {
      ...before,
      pages: before.pages.slice(0, 1),
      rules: before.rules.map((rule) => ({ ...rule, issues: [] })),
    };
    const diff = diffReports(before, after);
    expect(diff.notSeen.map(({ url }) => new URL(url).pathname)).toContain('/a');
    expect(diff.fixed.every(({ url }) => !url.endsWith('/a'))).toBe(true);
  });

  it('is empty for an audit and itself', () => {
    const report = sampleReport();
    const { new: added, fixed, notSeen, stillThere } = diffReports(report, report);
    expect([added, fixed, notSeen]).toEqual([[], [], []]);
    expect(stillThere.length).toBe(report.rules.reduce((sum, { placeCount }) => sum + placeCount, 0));
  });
});
