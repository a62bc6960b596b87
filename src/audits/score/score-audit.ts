/**
 * Computes the report of an audit from its record, with rules alone: no request, no clock. The same record gives the
 * same report, so an audit can be scored again when rules change. Pages are read twice, one part at a time: first to
 * collect the facts of the whole site, then to be judged.
 */
import type { Redactor } from '../../net/index.js';
import type { AuditRecord } from '../audit-record.js';
import { SiteGathering } from '../gather-site.js';
import { LinkDepths } from '../link-depths.js';
import { RECIPE_VERSION } from '../recipe.js';
import type { AuditReport, Issue, RuleResult } from '../report/audit-report.js';
import { countsOf } from '../report/counts-of.js';
import type { Rule } from '../rule.js';
import { RuleRun } from '../run-rules.js';
import { GateWatch } from './gates.js';
import { isUnread, ReadingTally } from './pages-read.js';
import { RobotsFiles, readPages, readSiteRecord, readStyles } from './read-record.js';
import { scoreRules } from './score-rules.js';

/** Findings redacted between two yields; a hundred take a few milliseconds. */
const ISSUES_PER_SLICE = 100;

export interface ScoreDeps {
  readonly rules: readonly Rule[];
  readonly redactor: Redactor;
  /** Why the record ends early; missing parts then count as not measured. */
  readonly stopped?: string;
  /** Yields to the event loop between two parts. */
  pause(): Promise<void>;
}

export async function scoreAudit(
  record: AuditRecord,
  { rules, redactor, pause, stopped }: ScoreDeps,
): Promise<AuditReport> {
  const siteRecord = await readSiteRecord(record, stopped !== undefined);
  const gathering = new SiteGathering(siteRecord.domain);
  const links = new LinkDepths();
  const robots = new RobotsFiles();
  for await (const part of readPages(record)) {
    robots.add(part.robots);
    for (const page of part.pages) {
      gathering.addPage(page);
      links.addPage(page);
    }
    await pause();
  }
  gathering.addStyles(await readStyles(record));
  const site = gathering.finish({ ...siteRecord, robots: robots.from(siteRecord.origin) });
  const depths = links.from(site.homeUrl);
  const run = new RuleRun(rules, site);
  const gates = new GateWatch(site);
  const tally = new ReadingTally();
  const known: AuditReport['pages'][number][] = [];
  for await (const { pages } of readPages(record)) {
    for (const page of pages) {
      run.addPage({ ...page, depth: depths.get(page.url) ?? null });
      gates.addPage(page);
      tally.addPage(page);
      known.push({ url: page.url, status: page.fetch?.status ?? null });
    }
    await pause();
  }
  for (const _judged of run.judgeSite()) await pause();
  const results = run.results();
  const { startUrl, homeUrl, domain, measuredAt, crawl } = site;
  const reading = tally.result(site);
  const caps = isUnread(reading) ? [] : gates.gates();
  const score = isUnread(reading) ? noScore(results) : scoreRules(results, caps);
  return {
    ...{ schemaVersion: 1, recipe: RECIPE_VERSION, startUrl, homeUrl, domain, measuredAt, ...score },
    gates: caps,
    reading,
    counts: countsOf(results, known.length - reading.blocked, site.checks.length),
    rules: await redactResults(results, redactor, pause),
    crawl,
    pages: known,
    ...(stopped !== undefined && { stopped }),
  };
}

/** Nothing is claimed about pages that were not read. */
function noScore(results: readonly RuleResult[]) {
  const { categories } = scoreRules(results, []);
  const unscored = categories.map((category) => ({ ...category, score: null, weight: 0 }));
  return { score: null, grade: null, ungated: 0, categories: unscored, afterFixes: null };
}

async function redactResults(
  results: readonly RuleResult[],
  redactor: Redactor,
  pause: () => Promise<void>,
): Promise<RuleResult[]> {
  const safe: RuleResult[] = [];
  for (const result of results) {
    const issues: Issue[] = [];
    for (let at = 0; at < result.issues.length; at += ISSUES_PER_SLICE) {
      issues.push(...(redactor.value(result.issues.slice(at, at + ISSUES_PER_SLICE)) as Issue[]));
      await pause();
    }
    safe.push({ ...(redactor.value({ ...result, issues: [] }) as RuleResult), issues });
  }
  return safe;
}
