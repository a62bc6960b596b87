/**
 * The report as one HTML file that needs nothing else: no script, no request, style inside, printable. Verdict
 * first, then reasons, then what was passed or left out. All text of the target is escaped.
 */
import type { Category, Severity } from '../rule.js';
import type { Issue, RuleResult } from '../run-rules.js';
import type { AuditReport } from './audit-report.js';
import { escapeHtml } from './escape-html.js';
import { REPORT_STYLE } from './report-style.js';
import {
  CATEGORY_NAMES,
  findingsOf,
  gateSentence,
  plural,
  reachOf,
  SEVERITIES,
  verdictSentence,
} from './report-words.js';

/** Findings shown of one rule; the CSV has them all. */
const SHOWN = 25;

const MARK =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2v13" stroke="currentColor" stroke-width="1.5"/><circle cx="12" cy="18.5" r="3.5" fill="currentColor"/></svg>';

export function renderHtml(report: AuditReport): string {
  const title = `${report.score} (${report.grade}) ${report.domain}: audit by Sonde`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<header class="bar"><div class="wide">${MARK} Sonde <span>${time(report.measuredAt)}</span></div></header>
<main class="wide">
${verdict(report)}
${scores(report)}
${SEVERITIES.map(({ severity, name, shape }) => findings({ name, severity, shape }, findingsOf(report, severity))).join('')}
${passed(report)}
${listed(report, 'not-measured', 'Not measured')}
${listed(report, 'not-applicable', 'Not applicable')}
${listed(report, 'error', 'Rules that broke')}
${coverage(report)}
</main>
<footer><div class="wide">Recipe ${escapeHtml(report.recipe)}. Rules are pure functions of what was recorded; the same record gives the same score.</div></footer>
</body>
</html>
`;
}

function verdict(report: AuditReport): string {
  const { score, grade } = report;
  const meaning = score >= 90 ? 'good' : score >= 70 ? 'fair' : 'poor';
  const gates = report.gates.map(
    (gate) =>
      `<li><strong>${escapeHtml(gateSentence(gate))}</strong> <code>${escapeHtml(gate.url)}</code></li>`,
  );
  return `<section class="verdict" aria-label="Verdict">
<p class="score ${meaning}">${score}<small> / 100</small></p>
<div class="say"><h1>${escapeHtml(report.homeUrl)}</h1>
<p><span class="grade ${meaning}">Grade ${grade}.</span> ${escapeHtml(verdictSentence(report))}</p></div>
</section>${gates.length > 0 ? `<ul class="panel gates">${gates.join('')}</ul>` : ''}`;
}

function scores({ categories }: AuditReport): string {
  const rows = categories.flatMap(({ category, score }) =>
    score === null ? [] : [scoreRow(category, score)],
  );
  return `<section aria-labelledby="categories"><h2 id="categories">Categories</h2><ul class="scores">${rows.join('')}</ul></section>`;
}

function scoreRow(category: Category, score: number): string {
  const name = CATEGORY_NAMES[category];
  return `<li><span>${name}</span><meter min="0" max="100" low="70" high="90" optimum="100" value="${score}" aria-label="${name}">${score}</meter><b>${score}</b></li>`;
}

function findings(
  kind: { name: string; severity: Severity; shape: string },
  rules: readonly RuleResult[],
): string {
  if (rules.length === 0) return '';
  const { name, severity, shape } = kind;
  const tag = `<span class="tag ${severity}"><span aria-hidden="true">${shape}</span> ${name.slice(0, -1)}</span>`;
  return `<section aria-labelledby="${severity}"><h2 id="${severity}">${name} <span class="muted">${rules.length}</span></h2>
${rules.map((rule) => finding(rule, tag)).join('')}</section>`;
}

function finding(rule: RuleResult, tag: string): string {
  const shown = rule.issues.slice(0, SHOWN);
  const more = rule.issueCount - shown.length;
  return `<article class="panel rule">
<header>${tag}<h3>${escapeHtml(rule.title)}</h3><code>${rule.id}</code><span class="small muted">${reachOf(rule)}, weight ${rule.weight}</span></header>
<p class="fix">${escapeHtml(rule.fix)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Findings of ${rule.id}"><table><thead><tr><th scope="col">Where</th><th scope="col">Observed</th><th scope="col">Expected</th></tr></thead>
<tbody>${shown.map(row).join('')}</tbody></table></div>
${more > 0 ? `<p class="small muted">and ${more.toLocaleString('en-US')} more; the CSV of issues lists up to 1,000 a rule</p>` : ''}
</article>
`;
}

function row({ url, line, element, observed, expected, related }: Issue): string {
  const place = [
    line === undefined ? '' : `line ${line}`,
    element === undefined ? '' : `<code>${escapeHtml(element)}</code>`,
  ];
  const others = (related ?? [])
    .slice(0, 5)
    .map((each) => `<span class="place"><code>${escapeHtml(each)}</code></span>`);
  const under = place.filter((part) => part !== '').join(' ');
  return `<tr><td><code>${escapeHtml(url)}</code>${under === '' ? '' : `<span class="place">${under}</span>`}${others.join('')}</td><td><code>${escapeHtml(observed)}</code></td><td>${escapeHtml(expected)}</td></tr>`;
}

function passed({ rules }: AuditReport): string {
  const own = rules.filter(({ status }) => status === 'pass');
  if (own.length === 0) return '';
  const items = own.map(({ title, id }) => `<li>${escapeHtml(title)} <code class="muted">${id}</code></li>`);
  return `<section aria-labelledby="passed"><h2 id="passed"><span class="pass"><span aria-hidden="true">✓</span> Passed</span> <span class="muted">${own.length}</span></h2><ul class="small columns">${items.join('')}</ul></section>`;
}

function listed({ rules }: AuditReport, status: RuleResult['status'], name: string): string {
  const own = rules.filter((rule) => rule.status === status);
  if (own.length === 0) return '';
  const items = own.map(
    ({ id, title, reason }) =>
      `<li>${escapeHtml(title)} <code class="muted">${id}</code>: ${escapeHtml(reason ?? '')}</li>`,
  );
  return `<section aria-labelledby="${status}"><h2 id="${status}">${name} <span class="muted">${own.length}</span></h2><ul class="small list muted">${items.join('')}</ul></section>`;
}

function coverage({ counts, crawl, startUrl, measuredAt }: AuditReport): string {
  const left = [
    crawl.leftByPages > 0
      ? `${plural(crawl.leftByPages, 'known page')} left out by the limit of ${crawl.pagesMax} pages`
      : '',
    crawl.leftByDepth > 0
      ? `${plural(crawl.leftByDepth, 'link')} deeper than ${crawl.depthMax} clicks not followed`
      : '',
    crawl.leftUnchecked > 0 ? `${plural(crawl.leftUnchecked, 'URL')} not checked` : '',
  ].filter((part) => part !== '');
  return `<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
<p>${plural(counts.pages, 'page')} crawled from <code>${escapeHtml(startUrl)}</code> and ${plural(counts.checks, 'other URL')} checked as <code>${escapeHtml(crawl.userAgent)}</code>, ${time(measuredAt)}.${left.length > 0 ? ` ${escapeHtml(left.join('; '))}.` : ''}</p></section>`;
}

/** As people read it, with the exact time on hover. */
function time(iso: string): string {
  const shown = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return `<time datetime="${escapeHtml(iso)}" title="${escapeHtml(iso)}">${escapeHtml(shown)}</time>`;
}
