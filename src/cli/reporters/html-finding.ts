/** Renders a finding as HTML, and the small elements that the parts of the report share. */
import { type Evidence, type ExcerptLine, type Finding, titleOf, type Verdict } from '../../compare/index.js';
import { webLink } from '../../report-html.js';
import {
  type CompareReport,
  findingDocsUrl,
  SHAPES,
  shownValue,
  VERDICT_WORDS,
} from '../compare/compare-report.js';
import { escapeXml as e } from './escape-xml.js';

const EVIDENCE_MAX = 30;

export function wordHtml(verdict: Verdict): string {
  return `<span class="verdict ${verdict}">${e(VERDICT_WORDS[verdict])}</span>`;
}

export function link(url: string, text = url): string {
  return webLink(url, e(text)) ?? e(text);
}

export function list(texts: readonly string[]): string {
  return `<ul class="plain">${texts.map((text) => `<li>${e(text)}</li>`).join('')}</ul>`;
}

/** `about` is HTML that is shown below the message. */
export function findingHtml(finding: Finding, report: CompareReport, about = ''): string {
  const { severity, code, message, evidence, recommendations, stability, status, effect } = finding;
  const aside = [
    effect === 'improvement' ? 'improved' : '',
    status === 'new' ? '' : status,
    stability === 'stable' ? '' : stability,
  ].filter(Boolean);
  const shown = finding.excerpt ? excerptHtml(finding.excerpt, report) : evidenceHtml(evidence, code, report);
  const docs = `<a href="${e(findingDocsUrl(code))}" rel="noreferrer noopener">${e(code)}</a>`;
  return `<article class="finding is-${severity}"><header><span class="sev ${severity}">${SHAPES[severity]} ${severity}</span><h3>${e(titleOf(code))}</h3>${aside.length > 0 ? `<span class="muted">${e(aside.join(', '))}</span>` : ''}<code class="code">${docs}</code></header>
<p class="what">${e(message)}</p>${about}
${shown}
${effect === 'improvement' ? '' : recommendations.map((text) => `<p class="do"><b>Do:</b> ${e(text)}</p>`).join('')}</article>`;
}

function evidenceHtml(evidence: readonly Evidence[], code: string, report: CompareReport): string {
  if (evidence.length === 0) return '';
  const rows = evidence
    .slice(0, EVIDENCE_MAX)
    .map((one) => evidenceRow(one, report))
    .join('');
  const more = evidence.length - EVIDENCE_MAX;
  return `${table(['', report.leftLabel, report.rightLabel], rows, `Evidence of ${code}`)}${more > 0 ? `<p class="muted">and ${more} more</p>` : ''}`;
}

function evidenceRow(
  { keys, section, left, right, note, noisy, ignored }: Evidence,
  report: CompareReport,
): string {
  const marks = [noisy ? 'noisy' : '', ignored ? 'ignored' : '', note ?? ''].filter(Boolean).join(', ');
  const key = keys.length > 0 ? keys.join(', ') : section;
  const name = `<code>${e(key)}</code>${marks === '' ? '' : `<br><span class="muted">${e(marks)}</span>`}`;
  return tableRow(name, [e(shownValue(left)), e(shownValue(right))], report);
}

/** Cells are HTML. On a phone, each value is shown below the name of its side. */
export function tableRow(
  name: string,
  [left, right]: readonly [string, string],
  { leftLabel, rightLabel }: CompareReport,
): string {
  const cell = (label: string, value: string) => `<td class="v" data-side="${e(label)}">${value}</td>`;
  return `<tr><td class="k">${name}</td>${cell(leftLabel, left)}${cell(rightLabel, right)}</tr>`;
}

export function table(heads: readonly string[], rows: string, caption: string): string {
  const [key = '', ...rest] = heads;
  const cells = rest.map((head) => `<th scope="col">${e(head)}</th>`).join('');
  const first = key === '' ? '<td class="k"></td>' : `<th class="k" scope="col">${e(key)}</th>`;
  return `<table><caption>${e(caption)}</caption><thead><tr>${first}${cells}</tr></thead><tbody>${rows}</tbody></table>`;
}

/** Words that only the candidate has are marked as inserted, words that only the reference has as deleted. */
function excerptHtml(
  excerpt: readonly ExcerptLine[],
  { candidate, leftLabel, rightLabel }: CompareReport,
): string {
  const labels = { left: leftLabel, right: rightLabel };
  const lines = excerpt.map((line) => {
    const parts = line.map(({ side, text }) => {
      if (side === undefined) return e(text);
      const tag = side === candidate ? 'ins' : 'del';
      return `<${tag} title="${e(`only on ${labels[side]}`)}">${e(text)}</${tag}>`;
    });
    return `<p>${parts.join(' ')}</p>`;
  });
  const reference = candidate === 'left' ? 'right' : 'left';
  return `<div class="excerpt"><p class="muted"><del>only on ${e(labels[reference])}</del> <ins>only on ${e(labels[candidate])}</ins></p>${lines.join('')}</div>`;
}
