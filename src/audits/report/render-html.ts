/**
 * Renders the report as one self-contained HTML file: no script, no request, inline styles, printable. The verdict
 * comes first, then the reasons, then what passed or was left out. All text from the target is escaped.
 */
import { escapeHtml } from '../../escape-html.js';
import { MARK } from '../../mark.js';
import { reportHtml, timeHtml, webLink } from '../../report-html.js';
import { CATEGORY_NAMES, type Category, type Severity } from '../rule.js';
import { placesOf } from '../tally.js';
import type { AuditReport, Issue, RuleResult } from './audit-report.js';
import { REPORT_STYLE } from './report-style.js';
import {
  bandOf,
  findingsOf,
  fixesSentence,
  gateSentence,
  goneLines,
  hiddenSentence,
  plural,
  reachOf,
  SEVERITIES,
  spreadOf,
  stoppedSentence,
  verdictSentence,
} from './report-words.js';
import { ruleDocsUrl } from './rule-docs.js';

/** Findings shown per rule, and further pages shown per finding; JSON and CSV contain all of them. */
const SHOWN = 25;
const PAGES_SHOWN = 5;

export function renderHtml(report: AuditReport): string {
  const score = report.score === null ? 'Not measured' : `${report.score} (${report.grade})`;
  const title = `${score} ${report.domain}: audit by Sonde`;
  const body = `<header class="bar"><div class="wide">${MARK} Sonde <span>${timeHtml(report.measuredAt)}</span></div></header>
<main class="wide">
${verdict(report)}
${scores(report)}
${SEVERITIES.map(({ severity, name, shape }) => findings({ name, severity, shape }, findingsOf(report, severity))).join('')}
${gone(report)}
${passed(report)}
${listed(report, 'not-measured', 'Not measured')}
${listed(report, 'not-applicable', 'Not applicable')}
${listed(report, 'error', 'Rules that failed to run')}
${coverage(report)}
</main>
<footer><div class="wide">Recipe ${escapeHtml(report.recipe)}. The same recorded data always gives the same score.</div></footer>`;
  return reportHtml({ title, style: REPORT_STYLE, body });
}

function verdict(report: AuditReport): string {
  const { score, grade, reading } = report;
  const meaning = bandOf(score);
  const gates = report.gates.map(
    (gate) => `<li><strong>${escapeHtml(gateSentence(gate))}</strong> ${link(gate.url)}</li>`,
  );
  const stopped = stoppedSentence(report);
  const sentences = [fixesSentence(report), hiddenSentence(report)].filter((each) => each !== undefined);
  return `<section class="verdict" aria-label="Verdict">
<p class="score ${meaning}">${score === null ? '–' : `${score}<small> / 100</small>`}</p>
<div class="say"><h1>${link(report.homeUrl)}</h1>
${reading?.note === undefined ? '' : `<p><strong>${escapeHtml(reading.note)}</strong></p>`}<p><span class="grade ${meaning}">${grade === null ? 'Not measured.' : `Grade ${grade}.`}</span> ${escapeHtml(verdictSentence(report))}</p>
${sentences.map((sentence) => `<p class="muted">${escapeHtml(sentence)}</p>`).join('')}</div>
</section>${stopped === undefined ? '' : `<p class="panel gates"><strong>${escapeHtml(stopped)}</strong></p>`}${gates.length > 0 ? `<ul class="panel gates">${gates.join('')}</ul>` : ''}`;
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
  const about = [reachOf(rule), `weight ${rule.weight}`].filter((part) => part !== '').join(', ');
  return `<article class="panel rule">
<header>${tag}<h3>${escapeHtml(rule.title)}</h3>${docs(rule.id)}<span class="small muted">${about}</span></header>
<p class="fix">${escapeHtml(rule.fix)}</p>
${rule.reason === null ? '' : `<p class="small muted">${escapeHtml(rule.reason)}</p>`}
<ul class="issues">${shown.map(row).join('')}</ul>
${more > 0 ? `<p class="small muted">and ${more.toLocaleString('en-US')} more, in the JSON and CSV reports</p>` : ''}
</article>
`;
}

function row(issue: Issue): string {
  const { url, line, element, observed, expected, related = [] } = issue;
  const spread = spreadOf(issue);
  const others = [...new Set([...placesOf(issue).map((place) => place.url), ...related])]
    .filter((each) => each !== url && !element?.endsWith(` on ${each}`))
    .slice(0, PAGES_SHOWN);
  const place = [
    line === undefined ? '' : `line ${line}`,
    element === undefined ? '' : elementText(element),
    spread === '' ? '' : `<strong>${spread}</strong>`,
  ].filter((part) => part !== '');
  return `<li><div><p class="url">${link(url)}</p>${place.length === 0 ? '' : `<p class="place">${place.join(' ')}</p>`}${others.length === 0 ? '' : `<p class="place">also ${others.map(link).join(' ')}</p>`}</div>
<div><p><b>Observed</b> ${escapeHtml(observed)}</p><p><b>Expected</b> ${escapeHtml(expected)}</p></div></li>`;
}

/** An element as markup; a link text or tag that includes its page links to that page. */
function elementText(element: string): string {
  const at = element.lastIndexOf(' on http');
  if (at < 0) return `<code>${escapeHtml(element)}</code>`;
  return `<code>${escapeHtml(element.slice(0, at))}</code> on ${link(element.slice(at + ' on '.length))}`;
}

/** Long URLs break after a slash, and inside a word only as a last resort. */
function link(url: string): string {
  const shown = escapeHtml(url).replaceAll(/(?<=[/?&=.-])(?=\w)/g, '<wbr>');
  return webLink(url, shown) ?? `<code>${shown}</code>`;
}

function docs(id: string): string {
  return `<a class="code" href="${ruleDocsUrl(id)}"><code>${id}</code></a>`;
}

/** A list with its title and count; nothing if it is empty. */
function section(id: string, title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="muted">${items.length}</span></h2><ul class="small list muted">${items.join('')}</ul></section>`;
}

function gone(report: AuditReport): string {
  const items = goneLines(report).map((line) => `<li>${escapeHtml(line)}</li>`);
  return section('gone', 'In the baseline, but no longer found', items);
}

function passed({ rules }: AuditReport): string {
  const own = rules.filter(({ status }) => status === 'pass');
  if (own.length === 0) return '';
  const items = own.map(({ title, id }) => `<li>${escapeHtml(title)} ${docs(id)}</li>`);
  return `<section aria-labelledby="passed"><h2 id="passed"><span class="pass"><span aria-hidden="true">✓</span> Passed</span> <span class="muted">${own.length}</span></h2><ul class="small columns">${items.join('')}</ul></section>`;
}

function listed({ rules }: AuditReport, status: RuleResult['status'], name: string): string {
  const own = rules.filter((rule) => rule.status === status);
  const items = own.map(
    ({ id, title, reason }) => `<li>${escapeHtml(title)} ${docs(id)}: ${escapeHtml(reason ?? '')}</li>`,
  );
  return section(status, name, items);
}

function coverage({ counts, crawl, startUrl, measuredAt }: AuditReport): string {
  const left = [
    crawl.leftByPages > 0
      ? `${plural(crawl.leftByPages, 'known page')} skipped because of the limit of ${crawl.pagesMax} pages`
      : '',
    crawl.leftByDepth > 0
      ? `${plural(crawl.leftByDepth, 'link')} deeper than ${crawl.depthMax} clicks not followed`
      : '',
    crawl.leftUnchecked > 0 ? `${plural(crawl.leftUnchecked, 'URL')} not checked` : '',
  ].filter((part) => part !== '');
  return `<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
<p>${plural(counts.pages, 'page')} crawled from ${link(startUrl)} and ${plural(counts.checks, 'other URL')} checked as <code>${escapeHtml(crawl.userAgent)}</code>, ${timeHtml(measuredAt)}.${left.length > 0 ? ` ${escapeHtml(left.join('; '))}.` : ''}</p></section>`;
}
