/** A report with findings of every kind, made by the real rules from fixed facts. */
import { type AuditReport, RECIPE_VERSION, RULES } from '../../src/audits/index.js';
import { countsOf } from '../../src/audits/report/counts-of.js';
import { RuleRun } from '../../src/audits/run-rules.js';
import { GateWatch } from '../../src/audits/score/gates.js';
import { scoreRules } from '../../src/audits/score/score-rules.js';
import { page, type SiteParts, site } from './audit-facts.js';

const TEXT = 'Buoys drift and report what the sea does. '.repeat(30);

export function samplePages(fixed = false) {
  const head = (title: string) =>
    `<!doctype html>\n<html lang="en">\n<head>\n<title>${title}</title>\n<meta name="viewport" content="width=device-width">\n</head>`;
  return [
    page('/', {
      html: `${head('A site about buoys')}<body><h1>Buoys</h1><p>${TEXT}</p><a href="/a">More about buoys</a></body>`,
    }),
    page('/a', {
      html: `${head(fixed ? 'What drifts at sea' : '<b>x</b>')}<body><h1>A</h1><img src="/x.png?a=1&b=2"><p>${TEXT} A.</p><a href="/b">=cmd()|x</a></body>`,
    }),
    page('/b', { status: 500 }),
  ];
}

export function sampleReport(parts: SiteParts = {}, fixed = false): AuditReport {
  const pages = samplePages(fixed);
  const facts = site({ ...parts, pages });
  const run = new RuleRun(RULES, facts);
  const watch = new GateWatch(facts);
  for (const each of pages) {
    run.addPage(each);
    watch.addPage(each);
  }
  for (const _judged of run.judgeSite());
  const rules = run.results();
  const { startUrl, homeUrl, domain, measuredAt, crawl } = facts;
  return {
    ...{ schemaVersion: 1, recipe: RECIPE_VERSION, startUrl, homeUrl, domain, measuredAt },
    ...scoreRules(rules, watch.gates()),
    gates: watch.gates(),
    counts: countsOf(rules, pages.length, 0),
    rules,
    crawl,
    pages: pages.map(({ url, fetch }) => ({ url, status: fetch?.status ?? null })),
  };
}
