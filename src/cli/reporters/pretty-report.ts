/**
 * The report for a terminal: first the verdict, then the findings, worst and rarest first, then what to do. A single
 * pair shows every finding with both values. A suite shows one or two lines per group, so that it fits on a screen.
 */
import { excerptText, type Finding, type FindingGroup } from '../../compare/index.js';
import { printableLine as clean, oneLine } from '../../printable.js';
import type { RedirectHop } from '../../probe/index.js';
import {
  allFindings,
  type CompareReport,
  countedText,
  coverageText,
  groupsOf,
  type ReportedPair,
  SHAPES,
  sentenceOf,
  shownValue,
  tallyOf,
  truncate,
  VERDICT_WORDS,
  whereText,
} from '../compare/compare-report.js';
import type { Paint } from '../paint.js';

export interface PrettyOptions {
  readonly paint: Paint;
  readonly columns: number;
  /** Show every finding with its values, including noisy, suppressed and known ones, which do not count. */
  readonly all?: boolean;
}

const MEANINGS = { pass: 'pass', warn: 'warn', fail: 'critical', inconclusive: 'warn' } as const;
const GUTTER = 3;
const EVIDENCE_MAX = 8;

export function prettyReport(report: CompareReport, given: PrettyOptions): string {
  const options = { ...given, columns: Math.max(40, given.columns) };
  const { paint } = options;
  const word = VERDICT_WORDS[report.verdict];
  const isSuite = report.pairs.length !== 1;
  const lines = [
    ...wrapWords(`${word}  ${clean(sentenceOf(report))}`, options.columns).map((line, at) =>
      at === 0 ? line.replace(word, paint(MEANINGS[report.verdict], word)) : line,
    ),
    ...sideLines(report, options),
    ...(isSuite && !options.all ? suiteLines(report, options) : detailLines(report, options)),
    ...baselineLines(report, options),
    ...report.notes.map((note) => `${paint('muted', 'note')}  ${clean(note)}`),
    ...(isSuite ? [] : ['']),
    ...wrapWords(clean(coverageText(report)), options.columns).map((line) => paint('muted', line)),
    ...wrapWords(nextStep(report), options.columns),
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

function sideLines(
  { candidate, leftLabel, rightLabel, leftUrl, rightUrl }: CompareReport,
  { paint }: PrettyOptions,
) {
  const role = (side: 'left' | 'right') => paint('muted', side === candidate ? 'candidate' : 'reference');
  const width = Math.max(leftLabel.length, rightLabel.length);
  const name = (label: string, url: string) =>
    clean(url.includes(`//${label}`) ? url : `${label.padEnd(width)}  ${url}`);
  return [`${role('left')}  ${name(leftLabel, leftUrl)}`, `${role('right')}  ${name(rightLabel, rightUrl)}`];
}

/** One or two lines per group, truncated to the width; info findings only as a list of codes. */
function suiteLines(report: CompareReport, options: PrettyOptions): string[] {
  const { paint, columns } = options;
  const groups = groupsOf(report);
  const lines = [''];
  for (const group of groups.filter(({ severity }) => severity !== 'info')) {
    const also = group.also.length === 0 ? '' : ` (explains ${group.also.length} more)`;
    lines.push(
      headLine(group, options),
      `${truncate(`  ${clean(group.message)}`, columns - also.length)}${also}`,
    );
  }
  const infos = groups.filter(({ severity }) => severity === 'info');
  if (infos.length > 0) {
    const text = [...new Set(infos.map(({ code }) => code))].join(', ');
    const wrapped = wrapWords(`${SHAPES.info} info  ${text}`, columns);
    lines.push(...wrapped.map((line) => paint('info', line)));
  }
  const { passed } = tallyOf(report);
  lines.push('', `${passed} of ${report.pairs.length} paths pass. --all shows every path and value.`);
  for (const { name, diff } of report.pairs
    .filter((pair) => pair.diff.verdict === 'inconclusive')
    .slice(0, 5)) {
    lines.push(truncate(`? inconclusive  ${clean(name)}: ${clean(diff.verdictReasons[0] ?? '')}`, columns));
  }
  return lines;
}

function headLine(group: FindingGroup, { paint, columns }: PrettyOptions): string {
  const { severity, code, effect } = group;
  const mark = `${SHAPES[severity]} ${severity.padEnd(8)}`;
  const tail = [effect === 'improvement' ? '(improved)' : '', clean(whereText(group))]
    .filter(Boolean)
    .join(' ');
  const room = columns - mark.length - code.length - 3;
  return `${paint(severity, mark)} ${paint('strong', code)}${tail === '' ? '' : `  ${truncate(tail, room)}`}`;
}

/** Every finding with its values, grouped by path if there are several. */
function detailLines(report: CompareReport, options: PrettyOptions): string[] {
  const { paint } = options;
  const lines: string[] = [];
  for (const finding of report.suiteFindings) lines.push('', ...findingLines(finding, report, options));
  for (const pair of report.pairs) lines.push(...pairLines(pair, report, options));
  const { passed } = tallyOf(report);
  if (report.pairs.length > 1)
    lines.push('', paint('muted', `${passed} of ${report.pairs.length} paths pass`));
  return lines;
}

function pairLines(pair: ReportedPair, report: CompareReport, options: PrettyOptions): string[] {
  const { paint, all } = options;
  const roots = groupsOf({ ...report, pairs: [pair], suiteFindings: [] }).map(({ example }) => example);
  const aside = all ? pair.diff.findings.filter((finding) => !roots.includes(finding)) : [];
  const isSuite = report.pairs.length > 1;
  if (isSuite && roots.length === 0 && aside.length === 0) return [];
  const { verdict } = pair.diff;
  const word = paint(MEANINGS[verdict], VERDICT_WORDS[verdict]);
  const lines = isSuite ? ['', `${paint('strong', clean(pair.name))}  ${word}`] : [];
  for (const reason of verdict === 'inconclusive' ? pair.diff.verdictReasons : []) {
    lines.push(`  ${clean(reason)}`);
  }
  const shown = pair.diff.findings.filter((finding) => roots.includes(finding) || aside.includes(finding));
  for (const finding of shown) {
    lines.push('', ...findingLines(finding, report, options));
    const effects = pair.diff.findings.filter(({ explainedBy }) => explainedBy === finding.id);
    if (effects.length > 0 && !all) lines.push(...effectLines(effects, options));
  }
  lines.push(...chainLines(pair, options), ...asideLines(pair, options));
  if (!isSuite) lines.push(...explanationLines(pair, options));
  return lines;
}

function effectLines(effects: readonly Finding[], { paint, columns }: PrettyOptions): string[] {
  const codes = effects.map(({ code }) => code).join(', ');
  const text = `also: ${effects.length} ${effects.length === 1 ? 'finding' : 'findings'} that this explains: ${codes}`;
  return wrapWords(text, columns - 2).map((line) => paint('muted', `  ${line}`));
}

function findingLines(
  finding: Finding,
  { leftLabel, rightLabel, candidate }: CompareReport,
  { paint, columns }: PrettyOptions,
): string[] {
  const { severity, code, message, status, stability, effect, explainedBy } = finding;
  const aside = [
    effect === 'improvement' ? 'improved' : '',
    status === 'new' ? '' : status,
    stability === 'stable' ? '' : stability,
    explainedBy === undefined ? '' : `explained by ${explainedBy.split(':')[0]}`,
  ].filter(Boolean);
  const tail = aside.length > 0 ? paint('muted', `  (${aside.join(', ')})`) : '';
  const head = `${paint(severity, `${SHAPES[severity]} ${severity.padEnd(8)}`)} ${paint('strong', code)}${tail}`;
  const lines = [head, ...wrapWords(clean(message), columns - 2).map((line) => `  ${line}`)];
  if (finding.excerpt) {
    for (const line of finding.excerpt) {
      lines.push(...wrapWords(clean(excerptText(line, candidate)), columns - 4).map((each) => `    ${each}`));
    }
    return lines;
  }
  const evidence = finding.evidence.filter(({ noisy, ignored }) => !noisy && !ignored);
  if (evidence.length > 0) {
    lines.push(...sideBySide(leftLabel, rightLabel, columns - 2).map((line) => paint('muted', `  ${line}`)));
  }
  for (const { keys, left, right } of evidence.slice(0, EVIDENCE_MAX)) {
    if (evidence.length > 1) lines.push(`  ${paint('muted', clean(keys.join(', ')))}`);
    lines.push(...sideBySide(shownValue(left), shownValue(right), columns - 2).map((line) => `  ${line}`));
  }
  const more = evidence.length - EVIDENCE_MAX;
  if (more > 0) lines.push(paint('muted', `  and ${more} more`));
  return lines;
}

/** Both values in two wrapped columns. */
export function sideBySide(left: string, right: string, columns: number): string[] {
  const width = Math.max(12, Math.floor((columns - GUTTER) / 2));
  const [a, b] = [wrap(left, width), wrap(right, width)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, row) =>
    `${(a[row] ?? '').padEnd(width)} │ ${b[row] ?? ''}`.trimEnd(),
  );
}

const ROWS_MAX = 6;

function wrap(text: string, width: number): string[] {
  const flat = clean(text);
  const rows: string[] = [];
  for (let at = 0; at < flat.length && rows.length < ROWS_MAX; at += width)
    rows.push(flat.slice(at, at + width));
  if (flat.length > width * ROWS_MAX) rows[ROWS_MAX - 1] = `${rows[ROWS_MAX - 1]?.slice(0, width - 1)}…`;
  return rows.length === 0 ? [''] : rows;
}

/** Wraps prose between words. */
export function wrapWords(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else row = row === '' ? word : `${row} ${word}`;
  }
  return row === '' ? rows : [...rows, row];
}

function chainLines({ diff }: ReportedPair, { paint, columns }: PrettyOptions): string[] {
  if (!diff.redirects?.chainChanged) return [];
  const { left, right } = diff.redirects;
  const lines = ['', paint('strong', 'Redirects')];
  for (let row = 0; row < Math.max(left.length, right.length); row += 1) {
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
  const { noisy, suppressed, known } = diff.counts;
  const asides = Object.entries({ noisy, suppressed, known }).filter(([, count]) => count > 0);
  const lines = diff.notices.map(({ message }) => paint('muted', `note  ${clean(message)}`));
  if (asides.length > 0 && !all) {
    const text = asides.map(([name, count]) => `${count} ${name}`).join(', ');
    lines.push(paint('muted', `not counted: ${text} (--all shows them)`));
  }
  return lines.length > 0 ? ['', ...lines] : [];
}

const GONE_MAX = 10;

function baselineLines({ baseline, pairs }: CompareReport, { paint }: PrettyOptions): string[] {
  if (!baseline) return [];
  const { file, hidden, gone } = baseline;
  const what = `${hidden} ${hidden === 1 ? 'finding' : 'findings'}`;
  const lines = ['', paint('muted', `The baseline ${clean(file)} hides ${what} on ${pairs.length} paths.`)];
  if (gone.length === 0) return lines;
  lines.push(paint('muted', `${gone.length} of its entries no longer occur:`));
  for (const { path, code } of gone.slice(0, GONE_MAX))
    lines.push(paint('muted', `  ${code} on ${clean(path)}`));
  if (gone.length > GONE_MAX) lines.push(paint('muted', `  and ${gone.length - GONE_MAX} more`));
  return lines;
}

function explanationLines(
  { explanation, explanationFault, diff }: ReportedPair,
  { paint, columns }: PrettyOptions,
): string[] {
  if (diff.verdict === 'pass') return [];
  const prose = (text: string) => wrapWords(clean(text), columns - 2).map((line) => `  ${line}`);
  const lines: string[] = [];
  const causes = explanation.ranked_causes.slice(0, 3);
  if (causes.length > 0) lines.push('', paint('strong', 'Likely causes'));
  for (const { cause, confidence } of causes)
    lines.push(...prose(`${Math.round(confidence * 100)} %  ${cause}`));
  if (explanationFault !== undefined)
    lines.push(...prose(`The model did not explain this: ${explanationFault}`));
  const actions = explanation.actions.slice(0, 5);
  if (actions.length > 0) lines.push('', paint('strong', 'What to do'));
  for (const { action } of actions) lines.push(...prose(action));
  return lines;
}

function nextStep(report: CompareReport): string {
  const { verdict, failOn } = report;
  const counted = countedText(report);
  if (verdict === 'pass') {
    return [...allFindings(report)].length === 0
      ? `${counted}. Nothing to do.`
      : `${counted}. Nothing fails.`;
  }
  if (verdict === 'inconclusive') return `${counted}. Make sure that both sides respond, then run it again.`;
  const first = groupsOf(report)[0];
  const start = first ? ` Start with ${first.code}: ${first.example.recommendations[0] ?? ''}` : '';
  const exit =
    verdict === 'warn' && failOn === 'critical' ? ' The exit code is 0; --fail-on warn changes that.' : '';
  return `${counted}.${start}${exit}`;
}
