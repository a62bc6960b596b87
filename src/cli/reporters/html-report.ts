/**
 * A self-contained page for people: the verdict, the findings grouped across paths, then each path, then raw data. It
 * has no scripts and loads nothing. Everything from the network is escaped and in monospace. The left side is always on
 * the left.
 */
import type { FindingGroup, Severity } from '../../compare/index.js';
import { MARK } from '../../mark.js';
import type { SignalEnvelope } from '../../probe/index.js';
import { reportHtml, timeHtml } from '../../report-html.js';
import {
  alsoText,
  type CompareReport,
  capitalize,
  coverageText,
  groupsOf,
  type ReportedPair,
  SHAPES,
  sentenceOf,
  tallyOf,
  whereText,
} from '../compare/compare-report.js';
import { escapeXml as e } from './escape-xml.js';
import { findingHtml, link, list, wordHtml } from './html-finding.js';
import { pairHtml } from './html-pair.js';
import { REPORT_STYLE } from './html-style.js';

const PATHS_MAX = 500;

export function htmlReport(report: CompareReport): string {
  const title = `${report.verdict}: ${report.leftLabel} and ${report.rightLabel}`;
  const single = report.pairs.length === 1 ? report.pairs[0] : undefined;
  const body = `<main>
<p class="brand">${MARK}<span>Sonde ${e(report.version)}, ${timeHtml(report.startedAt)}</span></p>
<h1>${wordHtml(report.verdict)}</h1>
<p class="lead">${e(capitalize(sentenceOf(report)))}.</p>
${tally(report)}
${sides(report, single)}
<p class="muted">${e(coverageText(report))}</p>
${groupSection(report)}
${single ? pairHtml(single, report) : pathSections(report)}
${baselineSection(report)}
${report.notes.length > 0 ? `<section><h2>Notes</h2>${list(report.notes)}</section>` : ''}
<footer><p>Findings are computed by rule from what was observed; the same observations always give the same findings. Values of cookies and credentials are never part of a report.</p></footer>
</main>`;
  return reportHtml({ title, style: REPORT_STYLE, body });
}

function tally(report: CompareReport): string {
  const { passed, aside } = tallyOf(report);
  const groups = groupsOf(report);
  const items = (['critical', 'warn', 'info'] as const).map(
    (severity: Severity) =>
      `<li class="${severity}">${SHAPES[severity]} <b>${groups.filter((group) => group.severity === severity).length}</b> ${severity}</li>`,
  );
  const hidden = Object.entries(aside).filter(([, count]) => count > 0);
  for (const [why, count] of hidden) items.push(`<li class="muted"><b>${count}</b> ${e(why)}</li>`);
  if (report.pairs.length !== 1) {
    items.push(`<li class="muted"><b>${passed}</b> of <b>${report.pairs.length}</b> paths pass</li>`);
  }
  return `<ul class="tally">${items.join('')}</ul>`;
}

function sides(report: CompareReport, pair: ReportedPair | undefined): string {
  const side = (name: 'left' | 'right', label: string, url: string): string =>
    `<div><h2>${e(label)} <span class="muted">${name === report.candidate ? 'candidate' : 'reference'}</span></h2><div class="wire">${link(url)}</div>${pair ? outcome(pair[name]) : ''}</div>`;
  return `<div class="sides">${side('left', report.leftLabel, report.leftUrl)}${side('right', report.rightLabel, report.rightUrl)}</div>`;
}

function outcome({ result, protocol, address }: SignalEnvelope): string {
  const took = result.durationMs === undefined ? '' : `, ${Math.round(result.durationMs)} ms`;
  const where = [protocol, address?.ip].filter((part) => part !== undefined).join(', ');
  const text =
    'error' in result
      ? `<span class="critical">✗ ${e(result.error.code)}</span>: ${e(result.error.message)}`
      : `${result.response.status}${took} <span class="muted">${e(where)}</span>`;
  return `<div>${text}</div>`;
}

function groupSection(report: CompareReport): string {
  const groups = groupsOf(report);
  if (groups.length === 0) return '<section><h2>Findings</h2><p class="muted">No findings.</p></section>';
  const serious = groups.filter(({ severity }) => severity !== 'info');
  const infos = groups.filter(({ severity }) => severity === 'info');
  const folded = serious.length > 0 && infos.length > 0;
  const shown = (list: readonly FindingGroup[]) => list.map((group) => groupHtml(group, report)).join('');
  const rest = folded
    ? `<details><summary>${infos.length} for information</summary>${shown(infos)}</details>`
    : shown(infos);
  return `<section><h2>Findings</h2>${shown(serious)}${rest}</section>`;
}

function groupHtml(group: FindingGroup, report: CompareReport): string {
  const where = whereText(group);
  const also = alsoText(group);
  const about = [
    where === '' ? '' : `<p class="where">${e(capitalize(where))}</p>`,
    also === '' ? '' : `<p class="muted">${e(capitalize(also))}</p>`,
    group.of > 1 && group.paths.length > 1 ? pathList(group, report) : '',
  ];
  return findingHtml({ ...group.example, message: group.message }, report, about.join(''));
}

function pathList({ paths }: FindingGroup, { pairs, candidate }: CompareReport): string {
  const urls = new Map(pairs.map((pair) => [pair.name, pair[candidate].requestedUrl]));
  const items = paths.slice(0, PATHS_MAX).map((path) => `<li>${link(urls.get(path) ?? '', path)}</li>`);
  const more = paths.length - PATHS_MAX;
  return `<details><summary>${paths.length} paths</summary><ul class="paths">${items.join('')}</ul>${more > 0 ? `<p>and ${more} more</p>` : ''}</details>`;
}

/** Passing paths are only listed; each of the others can be expanded. */
function pathSections(report: CompareReport): string {
  const passing = report.pairs.filter(({ diff }) => diff.verdict === 'pass');
  const failing = report.pairs.filter(({ diff }) => diff.verdict !== 'pass');
  const sections = failing.map(
    (pair) =>
      `<details class="path"><summary><code>${e(pair.name)}</code> ${wordHtml(pair.diff.verdict)}</summary>${pairHtml(pair, report)}</details>`,
  );
  const passed =
    passing.length === 0
      ? ''
      : `<details><summary>${passing.length} paths pass</summary><ul class="paths">${passing.map((pair) => `<li>${link(pair[report.candidate].requestedUrl, pair.name)}</li>`).join('')}</ul></details>`;
  return `<section><h2>Paths</h2>${sections.join('\n')}${passed}</section>`;
}

function baselineSection({ baseline }: CompareReport): string {
  if (!baseline) return '';
  const { file, hidden, gone } = baseline;
  const entries = gone.map(({ path, code }) => `${code} on ${path}`);
  return `<section><h2>Baseline</h2><p><code>${e(file)}</code> hides ${hidden} ${hidden === 1 ? 'finding' : 'findings'}.</p>
${entries.length > 0 ? `<p>${entries.length} of its entries no longer occur and can be removed:</p>${list(entries)}` : ''}</section>`;
}
