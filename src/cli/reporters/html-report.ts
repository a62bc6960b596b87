/**
 * One self-contained page that a person would want to read: verdict, reasons, then raw data. No script, nothing
 * loaded, everything that came over the wire escaped and in monospace; left is always left.
 */
import type { Change, EnvDiff, Evidence, Finding, Severity } from '../../compare/index.js';
import type { RedirectHop, SignalEnvelope } from '../../probe/index.js';
import { type CompareReport, counts, type ReportedPair, shownValue } from '../compare/compare-report.js';
import { escapeXml as e } from './escape-xml.js';
import { REPORT_STYLE } from './html-style.js';

const VERDICTS = {
  pass: ['✓ pass', 'The two sides match.'],
  warn: ['▲ warn', 'The two sides differ in ways worth a look.'],
  fail: ['✗ fail', 'The two sides differ in ways that matter.'],
  inconclusive: ['? inconclusive', 'What was seen does not allow a judgement.'],
} as const;
const SHAPES: Readonly<Record<Severity, string>> = { critical: '✗', warn: '▲', info: '•' };
const EVIDENCE_MAX = 30;
const MARK =
  '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 0v9" stroke="currentColor" fill="none"/><circle cx="8" cy="12" r="3.5" fill="currentColor"/></svg>';

export function htmlReport(report: CompareReport): string {
  const [word, sentence] = VERDICTS[report.verdict];
  const title = `${word}: ${report.leftLabel} and ${report.rightLabel}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${e(title)}</title><style>${REPORT_STYLE}</style></head>
<body><main>
<p class="brand">${MARK}<span>Sonde ${e(report.version)}, <time datetime="${e(report.startedAt)}" title="${e(report.startedAt)}">${e(readable(report.startedAt))}</time></span></p>
<h1><span class="verdict ${report.verdict}">${e(word)}</span></h1>
<p>${e(sentence)} ${e(single(report)?.explanation.summary ?? '')}</p>
${tally(report)}
${sides(report)}
${report.pairs.length > 1 ? contents(report) : ''}
${report.suiteFindings.length > 0 ? `<section><h2>The set of paths</h2>${report.suiteFindings.map((f) => findingHtml(f, report)).join('')}</section>` : ''}
${report.pairs.map((pair, index) => pairHtml(pair, index, report)).join('\n')}
${report.notes.length > 0 ? `<section><h2>Notes</h2>${list(report.notes)}</section>` : ''}
<footer><p>Findings are computed by rule from what was observed; the same observations always give the same findings. Values of cookies and credentials are never part of a report.</p></footer>
</main></body></html>
`;
}

function single({ pairs }: CompareReport): ReportedPair | undefined {
  return pairs.length === 1 ? pairs[0] : undefined;
}

function tally({ pairs, suiteFindings }: CompareReport): string {
  const all = [...suiteFindings, ...pairs.flatMap(({ diff }) => diff.findings)];
  const counting = all.filter(counts);
  const items = (['critical', 'warn', 'info'] as const).map((severity) => {
    const count = counting.filter((finding) => finding.severity === severity).length;
    return `<li class="${severity}">${SHAPES[severity]} <b>${count}</b> ${severity}</li>`;
  });
  const aside = all.length - counting.length;
  if (aside > 0) items.push(`<li class="muted"><b>${aside}</b> not counted</li>`);
  if (pairs.length > 1) items.push(`<li class="muted"><b>${pairs.length}</b> paths</li>`);
  return `<ul class="tally">${items.join('')}</ul>`;
}

function sides(report: CompareReport): string {
  const pair = single(report);
  const side = (label: string, name: string, envelope: SignalEnvelope | undefined): string =>
    `<div><h3>${e(name)}</h3><div class="wire">${e(label)}</div>${envelope ? outcome(envelope) : ''}</div>`;
  return `<div class="sides">${side(report.leftLabel, 'Left', pair?.left)}${side(report.rightLabel, 'Right', pair?.right)}</div>`;
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

function contents({ pairs }: CompareReport): string {
  const items = pairs.map(({ name, diff }, index) => {
    const [word] = VERDICTS[diff.verdict];
    return `<li><a href="#p${index}"><code>${e(name)}</code></a> <span class="${diff.verdict}">${e(word)}</span></li>`;
  });
  return `<nav aria-label="Paths"><h2>Paths</h2><ol>${items.join('')}</ol></nav>`;
}

function pairHtml(pair: ReportedPair, index: number, report: CompareReport): string {
  const { diff, name } = pair;
  const counting = diff.findings.filter(counts);
  const aside = diff.findings.filter((finding) => !counts(finding));
  const many = report.pairs.length > 1;
  const [word] = VERDICTS[diff.verdict];
  const heading = many
    ? `<h2 id="p${index}"><code>${e(name)}</code> <span class="${diff.verdict}">${e(word)}</span></h2>`
    : `<h2 id="p${index}">Findings</h2>`;
  return `<section>${heading}
${diff.verdict === 'inconclusive' ? list(diff.verdictReasons) : ''}
${counting.length === 0 ? '<p class="muted">No finding counts: what differs is either noise, accepted, or nothing.</p>' : ''}
${counting.map((finding) => findingHtml(finding, report)).join('')}
${explanationHtml(pair)}
${chainHtml(diff, report)}
${aside.length > 0 ? `<details><summary>${aside.length} findings that do not count</summary>${aside.map((finding) => findingHtml(finding, report)).join('')}</details>` : ''}
${diff.notices.length > 0 ? list(diff.notices.map(({ message }) => message)) : ''}
${rawHtml(diff, report)}
</section>`;
}

function findingHtml(finding: Finding, report: CompareReport): string {
  const { severity, code, message, evidence, recommendations, stability, status } = finding;
  const aside = [status === 'new' ? '' : status, stability === 'stable' ? '' : stability].filter(Boolean);
  const rows = evidence.slice(0, EVIDENCE_MAX).map(evidenceRow).join('');
  const more = evidence.length - EVIDENCE_MAX;
  return `<article class="finding is-${severity}"><header><span class="sev ${severity}">${SHAPES[severity]} ${severity}</span><h3>${e(code)}</h3>${aside.length > 0 ? `<span class="muted">${e(aside.join(', '))}</span>` : ''}</header>
<p class="what">${e(message)}</p>
${table(['', report.leftLabel, report.rightLabel], rows, `Evidence of ${code}`)}
${more > 0 ? `<p class="muted">and ${more} more</p>` : ''}
${recommendations.map((text) => `<p class="do"><b>Do:</b> ${e(text)}</p>`).join('')}</article>`;
}

function evidenceRow({ keys, section, left, right, note, noisy, ignored }: Evidence): string {
  const marks = [noisy ? 'noisy' : '', ignored ? 'ignored' : '', note ?? ''].filter(Boolean).join(', ');
  const key = keys.length > 0 ? keys.join(', ') : section;
  return `<tr><td class="k"><code>${e(key)}</code>${marks === '' ? '' : `<br><span class="muted">${e(marks)}</span>`}</td><td class="v">${e(shownValue(left))}</td><td class="v">${e(shownValue(right))}</td></tr>`;
}

function table(heads: readonly string[], rows: string, caption: string): string {
  const [key = '', ...rest] = heads;
  const cells = rest.map((head) => `<th scope="col">${e(head)}</th>`).join('');
  const first = key === '' ? '<td class="k"></td>' : `<th class="k" scope="col">${e(key)}</th>`;
  return `<div class="scroll"><table><caption>${e(caption)}</caption><thead><tr>${first}${cells}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function explanationHtml({ explanation, explanationFault, diff }: ReportedPair): string {
  if (diff.verdict === 'pass') return '';
  const causes = explanation.ranked_causes
    .map(
      ({ cause, confidence, evidence }) =>
        `<li>${e(cause)} <span class="muted">(${Math.round(confidence * 100)} %, from ${evidence.length} ${evidence.length === 1 ? 'finding' : 'findings'})</span></li>`,
    )
    .join('');
  const actions = explanation.actions.map(
    ({ action, why }) => `<li>${e(action)} <span class="muted">${e(why)}</span></li>`,
  );
  return `<h2>What it looks like</h2><p>${e(explanation.summary)}</p>
${causes === '' ? '' : `<ol class="plain">${causes}</ol>`}
${actions.length === 0 ? '' : `<h2>What to do</h2><ul class="plain">${actions.join('')}</ul>`}
${explanation.notes.length > 0 ? list(explanation.notes) : ''}
${explanationFault === undefined ? '' : `<p class="muted">The configured model did not explain this: ${e(explanationFault)}</p>`}`;
}

function chainHtml({ redirects }: EnvDiff, report: CompareReport): string {
  if (!redirects) return '';
  const { left, right } = redirects;
  const hop = (at: RedirectHop | undefined): string =>
    at ? `${at.status} → ${e(at.toUrl)}` : '<span class="muted">no redirect</span>';
  const rows = Array.from(
    { length: Math.max(left.length, right.length) },
    (_, row) =>
      `<tr><td class="k">${row + 1}</td><td class="v">${hop(left[row])}</td><td class="v">${hop(right[row])}</td></tr>`,
  );
  return `<h2>Redirects</h2>${table(['hop', report.leftLabel, report.rightLabel], rows.join(''), 'Redirect chains side by side')}`;
}

function rawHtml(diff: EnvDiff, report: CompareReport): string {
  const rows: string[] = [];
  const row = (name: string, change: Change<string | number> | undefined): void => {
    if (!change) return;
    const value = (side: string | number | undefined): string =>
      side === undefined ? '<span class="muted">(absent)</span>' : e(String(side));
    rows.push(
      `<tr><td class="k"><code>${e(name)}</code></td><td class="v">${value(change.left)}</td><td class="v">${value(change.right)}</td></tr>`,
    );
  };
  row('status', diff.status);
  row('final URL', diff.finalUrl);
  row('content-type', diff.content?.contentType);
  row('bytes', diff.content?.contentLength);
  row('body hash', diff.content?.bodyHash);
  for (const part of [diff.headers?.core, diff.headers?.accessControl, diff.headers?.extended]) {
    for (const [name, left] of Object.entries(part?.removed ?? {})) row(name, { left, changed: true });
    for (const [name, right] of Object.entries(part?.added ?? {})) row(name, { right, changed: true });
    for (const [name, both] of Object.entries(part?.changed ?? {})) row(name, { ...both, changed: true });
  }
  if (rows.length === 0) return '';
  const body = table(['what', report.leftLabel, report.rightLabel], rows.join(''), 'Both sides as observed');
  return `<details><summary>Both sides as observed</summary>${body}</details>`;
}

function list(texts: readonly string[]): string {
  return `<ul class="plain">${texts.map((text) => `<li>${e(text)}</li>`).join('')}</ul>`;
}

/** `2026-03-04 05:06 UTC`: as people read it, the same on every machine. */
function readable(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
