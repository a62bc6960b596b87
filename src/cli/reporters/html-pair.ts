/** Renders a pair as HTML: its explanation, the findings that others explain, its redirects, and both sides. */
import { type Change, counts, type EnvDiff } from '../../compare/index.js';
import type { RedirectHop } from '../../probe/index.js';
import { type CompareReport, findingsText, type ReportedPair } from '../compare/compare-report.js';
import { escapeXml as e } from './escape-xml.js';
import { findingHtml, list, table, tableRow } from './html-finding.js';

/** In a suite, the pair's own findings are included; those of a single pair are already shown above. */
export function pairHtml(pair: ReportedPair, report: CompareReport): string {
  const { diff } = pair;
  const isSuite = report.pairs.length > 1;
  const counting = isSuite ? diff.findings.filter(counts) : [];
  const explained = diff.findings.filter(({ explainedBy }) => explainedBy !== undefined);
  const aside = diff.findings.filter((finding) => !counts(finding) && finding.explainedBy === undefined);
  const folded = (title: string, findings: EnvDiff['findings']) =>
    findings.length === 0
      ? ''
      : `<details><summary>${title}</summary>${findings.map((finding) => findingHtml(finding, report)).join('')}</details>`;
  return `<div class="pair">
${diff.verdict === 'inconclusive' ? list(diff.verdictReasons) : ''}
${explanationHtml(pair)}
${counting.map((finding) => findingHtml(finding, report)).join('')}
${folded(`${findingsText(explained.length)} explained by others`, explained)}
${folded(`Findings that do not count: ${aside.length}`, aside)}
${chainHtml(diff, report)}
${diff.notices.length > 0 ? list(diff.notices.map(({ message }) => message)) : ''}
${rawHtml(diff, report)}
</div>`;
}

function explanationHtml({ explanation, explanationFault, diff }: ReportedPair): string {
  if (diff.verdict === 'pass') return '';
  const causes = explanation.ranked_causes
    .map(
      ({ cause, confidence, evidence }) =>
        `<li>${e(cause)} <span class="muted">(${Math.round(confidence * 100)} %, from ${findingsText(evidence.length)})</span></li>`,
    )
    .join('');
  // Recommendations of a finding are already shown with it.
  const shown = new Set(diff.findings.flatMap(({ recommendations }) => recommendations));
  const actions = explanation.actions
    .filter(({ action }) => !shown.has(action))
    .map(({ action, why }) => `<li>${e(action)} <span class="muted">${e(why)}</span></li>`);
  return `${causes === '' ? '' : `<h3>Likely causes</h3><ol class="plain">${causes}</ol>`}
${actions.length === 0 ? '' : `<h3>What to do</h3><ul class="plain">${actions.join('')}</ul>`}
${explanationFault === undefined ? '' : `<p class="muted">The configured model did not explain this: ${e(explanationFault)}</p>`}`;
}

function chainHtml({ redirects }: EnvDiff, report: CompareReport): string {
  if (!redirects) return '';
  const { left, right } = redirects;
  const hop = (at: RedirectHop | undefined): string =>
    at ? `${at.status} → ${e(at.toUrl)}` : '<span class="muted">no redirect</span>';
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    tableRow(String(row + 1), [hop(left[row]), hop(right[row])], report),
  );
  return `<h3>Redirects</h3>${table(['hop', report.leftLabel, report.rightLabel], rows.join(''), 'Redirect chains side by side')}`;
}

function rawHtml(diff: EnvDiff, report: CompareReport): string {
  const rows: string[] = [];
  const row = (name: string, change: Change<string | number> | undefined): void => {
    if (!change) return;
    const value = (side: string | number | undefined): string =>
      side === undefined ? '<span class="muted">(absent)</span>' : e(String(side));
    rows.push(tableRow(`<code>${e(name)}</code>`, [value(change.left), value(change.right)], report));
  };
  row('status', diff.status);
  row('final URL', diff.finalUrl);
  row('content-type', diff.content?.contentType);
  row('bytes', diff.content?.contentLength);
  for (const part of [diff.headers?.core, diff.headers?.accessControl, diff.headers?.extended]) {
    for (const [name, left] of Object.entries(part?.removed ?? {})) row(name, { left, changed: true });
    for (const [name, right] of Object.entries(part?.added ?? {})) row(name, { right, changed: true });
    for (const [name, both] of Object.entries(part?.changed ?? {})) row(name, { ...both, changed: true });
  }
  if (rows.length === 0) return '';
  const body = table(['what', report.leftLabel, report.rightLabel], rows.join(''), 'Both sides as observed');
  return `<details><summary>Both sides as observed</summary>${body}</details>`;
}
