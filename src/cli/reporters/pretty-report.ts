/**
 * The report for a terminal: verdict, findings by severity with both values side by side, redirect chains side
 * by side where they differ, and a last line that says what to do next.
 */
import type { Finding, Severity } from '../../compare/index.js';
import type { RedirectHop } from '../../probe/index.js';
import { type CompareReport, counts, type ReportedPair, shownValue } from '../compare/compare-report.js';
import type { Paint } from '../paint.js';

export interface PrettyOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Also what does not count: noise, suppressed and known findings. */
  readonly all?: boolean;
}

const VERDICT_WORDS = {
  pass: ['pass', '✓ pass', 'the two sides match'],
  warn: ['warn', '▲ warn', 'the two sides differ in ways worth a look'],
  fail: ['critical', '✗ fail', 'the two sides differ in ways that matter'],
  inconclusive: ['warn', '? inconclusive', 'what was seen does not allow a judgement'],
} as const;

const SHAPES: Readonly<Record<Severity, string>> = { critical: '✗', warn: '▲', info: '•' };
const GUTTER = 3;

export function prettyReport(report: CompareReport, options: PrettyOptions): string {
  const { paint } = options;
  const [meaning, word, sentence] = VERDICT_WORDS[report.verdict];
  const lines = [
    `${paint(meaning, word)}  ${sentence}`,
    `${paint('muted', 'left ')} ${report.leftLabel}`,
    `${paint('muted', 'right')} ${report.rightLabel}`,
  ];
  for (const finding of report.suiteFindings) lines.push('', ...findingLines(finding, options));
  for (const pair of report.pairs) lines.push(...pairLines(pair, report, options));
  for (const note of report.notes) lines.push('', `${paint('muted', 'note')}  ${note}`);
  lines.push('', nextStep(report));
  return `${lines.join('\n')}\n`;
}

function pairLines(pair: ReportedPair, report: CompareReport, options: PrettyOptions): string[] {
  const { paint } = options;
  const shown = options.all ? pair.diff.findings : pair.diff.findings.filter(counts);
  const many = report.pairs.length > 1;
  const quiet = shown.length === 0 && pair.diff.verdict === 'pass';
  if (quiet && many) return [];
  const [meaning, word] = VERDICT_WORDS[pair.diff.verdict];
  const lines = many ? ['', `${paint('strong', pair.name)}  ${paint(meaning, word)}`] : [];
  for (const reason of pair.diff.verdict === 'inconclusive' ? pair.diff.verdictReasons : []) {
    lines.push(`  ${reason}`);
  }
  for (const finding of shown) lines.push('', ...findingLines(finding, options));
  lines.push(...chainLines(pair, options), ...asideLines(pair, options));
  if (!many) lines.push(...explanationLines(pair, options));
  return lines;
}

function findingLines(finding: Finding, { paint, columns }: PrettyOptions): string[] {
  const { severity, code, message, status, stability } = finding;
  const aside = [status === 'new' ? '' : status, stability === 'stable' ? '' : stability].filter(Boolean);
  const tail = aside.length > 0 ? paint('muted', `  (${aside.join(', ')})`) : '';
  const head = `${paint(severity, `${SHAPES[severity]} ${severity.padEnd(8)}`)} ${paint('strong', code)}${tail}`;
  const lines = [head, `  ${message}`];
  for (const { keys, left, right, noisy, ignored } of finding.evidence.slice(0, 8)) {
    if (noisy || ignored) continue;
    const label = keys.join(', ');
    if (label !== '') lines.push(`  ${paint('muted', label)}`);
    lines.push(...sideBySide(shownValue(left), shownValue(right), columns - 2).map((line) => `  ${line}`));
  }
  const more = finding.evidence.length - 8;
  if (more > 0) lines.push(paint('muted', `  and ${more} more`));
  return lines;
}

/** Both values in two columns, wrapped; left stays left. */
export function sideBySide(left: string, right: string, columns: number): string[] {
  const width = Math.max(12, Math.floor((columns - GUTTER) / 2));
  const [a, b] = [wrap(left, width), wrap(right, width)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, row) =>
    `${(a[row] ?? '').padEnd(width)} │ ${b[row] ?? ''}`.trimEnd(),
  );
}

const ROWS_MAX = 6;

function wrap(text: string, width: number): string[] {
  const flat = text.replace(/\p{Cc}/gu, ' ');
  const rows: string[] = [];
  for (let at = 0; at < flat.length && rows.length < ROWS_MAX; at += width)
    rows.push(flat.slice(at, at + width));
  if (flat.length > width * ROWS_MAX) rows[ROWS_MAX - 1] = `${rows[ROWS_MAX - 1]?.slice(0, width - 1)}…`;
  return rows.length === 0 ? [''] : rows;
}

function chainLines({ diff }: ReportedPair, { paint, columns }: PrettyOptions): string[] {
  if (!diff.redirects?.chainChanged) return [];
  const { left, right } = diff.redirects;
  const rows = Math.max(left.length, right.length);
  const lines = ['', paint('strong', 'Redirects')];
  for (let row = 0; row < rows; row += 1) {
    lines.push(
      ...sideBySide(hopText(left[row]), hopText(right[row]), columns - 2).map((line) => `  ${line}`),
    );
  }
  return lines;
}

function hopText(hop: RedirectHop | undefined): string {
  return hop ? `${hop.status} → ${hop.toUrl}` : '(no redirect)';
}

function asideLines({ diff }: ReportedPair, { paint, all }: PrettyOptions): string[] {
  const { noisy, suppressed, known, resolved } = diff.counts;
  const asides = Object.entries({ noisy, suppressed, known, resolved }).filter(([, count]) => count > 0);
  const lines = diff.notices.map(({ message }) => paint('muted', `note  ${message}`));
  if (asides.length > 0 && !all) {
    const text = asides.map(([name, count]) => `${count} ${name}`).join(', ');
    lines.push(paint('muted', `not counted: ${text} (--all shows them)`));
  }
  return lines.length > 0 ? ['', ...lines] : [];
}

function explanationLines(
  { explanation, explanationFault, diff }: ReportedPair,
  { paint }: PrettyOptions,
): string[] {
  if (diff.verdict === 'pass') return [];
  const lines = ['', paint('strong', 'What it looks like')];
  for (const { cause, confidence } of explanation.ranked_causes.slice(0, 3)) {
    lines.push(`  ${Math.round(confidence * 100)} %  ${cause}`);
  }
  if (explanationFault !== undefined)
    lines.push(paint('muted', `  no model explained this: ${explanationFault}`));
  const actions = explanation.actions.slice(0, 5);
  if (actions.length > 0) lines.push('', paint('strong', 'What to do'));
  for (const { action } of actions) lines.push(`  ${action}`);
  return lines;
}

function nextStep({ verdict, pairs, failOn }: CompareReport): string {
  const tally = { critical: 0, warn: 0, info: 0 };
  for (const { diff } of pairs) {
    tally.critical += diff.counts.critical;
    tally.warn += diff.counts.warn;
    tally.info += diff.counts.info;
  }
  const counted = `${tally.critical} critical, ${tally.warn} warn, ${tally.info} info`;
  const paths = pairs.length > 1 ? ` on ${pairs.length} paths` : '';
  if (verdict === 'pass') return `${counted}${paths}. Nothing to do.`;
  if (verdict === 'inconclusive') return `${counted}${paths}. See that both sides answer, then run it again.`;
  const first = verdict === 'fail' ? 'critical' : 'warn';
  const exit =
    verdict === 'warn' && failOn === 'critical' ? ' The exit code stays 0; --fail-on warn changes that.' : '';
  return `${counted}${paths}. Start with the ${first} findings; accept wanted ones with --baseline or --ignore.${exit}`;
}
