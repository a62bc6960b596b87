/** Comparisons as the API shows them: the stored result, the explanation that lives beside it, and the pair. */
import '@hono/zod-openapi';
import * as z from 'zod';
import type { ComparisonRow, PairSummary, StoredProbe } from '../../compare/index.js';

export const PairView = z
  .object({
    pairKey: z.string(),
    leftUrl: z.string(),
    rightUrl: z.string(),
    comparisons: z.int(),
    lastAt: z.iso.datetime(),
    lastComparisonId: z.string(),
    lastStatus: z.enum(['running', 'completed', 'failed']),
  })
  .openapi('Pair');

export function pairView({ lastTs, ...pair }: PairSummary): z.input<typeof PairView> {
  return { ...pair, lastAt: new Date(lastTs).toISOString() };
}

/** `probes` are those of a completed comparison. */
export function comparisonView(row: ComparisonRow, probes: readonly StoredProbe[]) {
  const { status, explanation } = row;
  return {
    comparisonId: row.comparisonId,
    pairKey: row.pairKey,
    leftUrl: row.leftUrl,
    rightUrl: row.rightUrl,
    ...labelsOf(row),
    createdAt: new Date(row.ts).toISOString(),
    status,
    ...(row.resultJson !== null && { result: resultView(row, row.resultJson, probes) }),
    explanationState: explanation.state,
    ...(row.error !== null && { error: readError(row.error) }),
  };
}

/** What the caller calls the sides. */
function labelsOf({ optionsJson }: ComparisonRow) {
  const { leftLabel, rightLabel } = JSON.parse(optionsJson) as { leftLabel?: string; rightLabel?: string };
  return { ...(leftLabel !== undefined && { leftLabel }), ...(rightLabel !== undefined && { rightLabel }) };
}

function resultView(row: ComparisonRow, resultJson: string, probes: readonly StoredProbe[]) {
  const { diff, timestamp } = JSON.parse(resultJson) as { diff: unknown; timestamp: number };
  const { textJson } = row.explanation;
  return {
    comparisonId: row.comparisonId,
    left: envelopeOf(probes, 'left'),
    right: envelopeOf(probes, 'right'),
    diff,
    explanation: textJson === null ? null : (JSON.parse(textJson) as unknown),
    timestamp,
  };
}

function envelopeOf(probes: readonly StoredProbe[], side: 'left' | 'right'): unknown {
  const probe = probes.find((each) => each.side === side);
  return probe ? (JSON.parse(probe.envelopeJson) as unknown) : null;
}

/** An error was kept as the code and the words that a caller may see. */
export function readError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { code: 'INTERNAL', message: text };
  }
}

/** One line of a pair's history. */
export function summaryView(row: ComparisonRow) {
  const { diff } = JSON.parse(row.resultJson ?? '{}') as {
    diff?: { verdict?: string; findings?: readonly unknown[] };
  };
  return {
    comparisonId: row.comparisonId,
    createdAt: new Date(row.ts).toISOString(),
    status: row.status,
    verdict: diff?.verdict ?? null,
    findings: diff?.findings?.length ?? null,
    ...(row.error !== null && { error: readError(row.error) }),
  };
}
