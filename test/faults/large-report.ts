/** A stored report of as many pages as an audit may have, with as many findings as a report keeps per rule. */
import { join } from 'node:path';
import { piecesOf } from '../../src/audits/audit-store.js';
import type { AuditReport } from '../../src/audits/index.js';
import { RECIPE_VERSION } from '../../src/audits/index.js';
import { RESULT_LIMITS } from '../../src/audits/tally.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';

const PAGES = 5_000;
/** Rules with one finding on many pages, and rules with many findings. */
const RULES = 6;

export function largeReport(origin: string, seed: string): AuditReport {
  const pages = Array.from({ length: PAGES }, (_, n) => ({
    url: `${origin}/pages/${n}/${seed}`,
    status: 200,
  }));
  const places = Array.from({ length: RESULT_LIMITS.placesPerRule }, (_, n) => ({
    url: pages[n % PAGES]?.url ?? '',
    line: n,
  }));
  const related = pages.slice(0, RESULT_LIMITS.related / 4).map(({ url }) => url);
  const [first] = places;
  const common = { level: 'fail', observed: `observed, "${seed}"`, expected: 'expected' } as const;
  const issuesOf = (rule: number): AuditReport['rules'][number]['issues'] =>
    rule % 2 === 0
      ? [{ ...common, url: first?.url ?? '', element: '<img src="/a.png">', related, also: places.slice(1) }]
      : places.slice(0, RESULT_LIMITS.findingsPerRule).map(({ url, line }) => ({
          ...common,
          url,
          line,
          element: `<a href="/${rule}/${line}">`,
          related,
        }));
  return {
    schemaVersion: 1,
    recipe: RECIPE_VERSION,
    ...{
      startUrl: `${origin}/`,
      homeUrl: `${origin}/`,
      domain: 'localhost',
      measuredAt: '2026-01-01T00:00:00.000Z',
    },
    ...{ score: 50, grade: 'D', ungated: 50, gates: [], afterFixes: null, categories: [] },
    counts: {
      ...{ pages: PAGES, checks: 0, passed: 0, warned: 0, failed: RULES, notApplicable: 0, notMeasured: 0 },
      ...{ broken: 0, issues: places.length * RULES },
    },
    rules: Array.from({ length: RULES }, (_, rule) => ({
      ...({ id: `rule.${rule}`, title: 'A rule', category: 'mobile', severity: 'error', weight: 1 } as const),
      ...({ scope: 'page', status: 'fail', passRatio: 0, reason: null, fix: 'Repair it.' } as const),
      pages: { applicable: PAGES, passed: 0, warned: 0, failed: PAGES },
      issues: issuesOf(rule),
      ...{ issueCount: issuesOf(rule).length, placeCount: places.length },
    })),
    pages,
    crawl: {
      ...{ userAgent: 'SondeBot/1.0', pagesMax: PAGES, depthMax: 10 },
      ...{ leftByPages: 0, leftByDepth: 0, leftUnchecked: 0 },
    },
  } as AuditReport;
}

/** Replaces the report of an audit that has ended, in the database of a running server. */
export function plantReport(folder: string, auditId: string, report: AuditReport): void {
  const database = openDatabase(join(folder, 'records.db'), { shared: true });
  try {
    database.transaction(() => {
      database.run("DELETE FROM audit_parts WHERE audit_id = ? AND part = 'report'", [auditId]);
      for (const [piece, body] of piecesOf(JSON.stringify(report)).entries())
        database.run("INSERT INTO audit_parts (audit_id, part, piece, body) VALUES (?, 'report', ?, ?)", [
          auditId,
          piece,
          body,
        ]);
    });
  } finally {
    database.close();
  }
}
