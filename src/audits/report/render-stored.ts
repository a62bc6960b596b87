/**
 * Renders stored reports, from text to text. The report of a large audit is 26 MB of JSON, so a host does this in a
 * thread or, without threads, a step at a time.
 */
import { jsonPieces, parseInSteps } from '../../json-pieces.js';
import type { AuditReport } from './audit-report.js';
import { diffInSteps } from './diff-reports.js';
import { csvPieces } from './render-csv.js';
import { renderHtml } from './render-html.js';
import { renderMarkdown } from './render-markdown.js';

/** `diff` compares two reports, the earlier one first; the formats take one. */
export type Rendering = 'html' | 'md' | 'csv' | 'diff';

/** Pieces of the text; an empty one is a step without output. */
export function* renderStored(rendering: Rendering, texts: readonly string[]): Generator<string> {
  const reports: AuditReport[] = [];
  for (const text of texts) reports.push((yield* silent(parseInSteps(text))) as AuditReport);
  const [report, other] = reports;
  if (!report) throw new Error('there is no report to render');
  if (rendering === 'csv') yield* csvPieces(report);
  else if (rendering === 'html') yield renderHtml(report);
  else if (rendering === 'md') yield renderMarkdown(report);
  else if (other) yield* jsonPieces(yield* silent(diffInSteps(report, other)));
}

function* silent<T>(steps: Generator<void, T>): Generator<string, T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    yield '';
  }
}
