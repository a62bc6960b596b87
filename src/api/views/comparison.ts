/** Comparisons in the API: the stored result with its explanation, and the pair's history. */
import * as z from 'zod';
import { envDiffSchema, verdictSchema } from '../../compare/env-diff.js';
import type { ComparisonRow, EnvDiff, PairSummary, StoredProbe } from '../../compare/index.js';
import { exactOptional as opt } from '../../exact-optional.js';
import { explanationSchema } from '../../explain/explanation.js';
import { explainDiff } from '../../explain/index.js';
import { StoredJson } from '../../json-pieces.js';
import { envelopeSchema } from '../../probe/index.js';
import { iso, time } from './time.js';

const Status = z.enum(['running', 'completed', 'failed']);

type Envelope = z.infer<typeof envelopeSchema>;

export const FailureView = z
  .object({ code: z.string(), message: z.string() })
  .describe('Why a comparison, a suite or an explanation failed.')
  .meta({ id: 'Failure' });
type FailureView = z.infer<typeof FailureView>;

export const PairView = z
  .object({
    pairKey: z.string(),
    leftUrl: z.string(),
    rightUrl: z.string(),
    comparisons: z.int(),
    lastAt: time,
    lastComparisonId: z.string(),
    lastStatus: Status,
  })
  .meta({ id: 'Pair' });

export function pairView({ lastTs, ...pair }: PairSummary): z.input<typeof PairView> {
  return { ...pair, lastAt: iso(lastTs) };
}

/** With an error, the model gave no explanation and the text is computed. */
const ExplanationView = explanationSchema.extend({ error: opt(FailureView) }).meta({ id: 'Explanation' });
type ExplanationView = z.infer<typeof ExplanationView>;

const ResultView = z
  .object({
    comparisonId: z.string(),
    left: z.union([envelopeSchema, z.null()]),
    right: z.union([envelopeSchema, z.null()]),
    diff: envDiffSchema,
    explanation: z.union([ExplanationView, z.null()]),
    timestamp: z.number().describe('When the result was computed, in milliseconds since the epoch.'),
  })
  .meta({ id: 'ComparisonResult' });

/** The options of a comparison or suite, without the URLs. */
export const OptionsView = z
  .object({
    candidate: z.enum(['left', 'right']).optional(),
    samples: z.int().optional(),
    profile: z.enum(['core', 'full']).optional(),
    ignore: z.array(z.string()).optional(),
    explain: z.boolean().optional(),
    erased: z
      .array(z.string())
      .optional()
      .describe(
        'Fields of the request that were erased when the run ended: headers, and URLs with credentials.',
      ),
  })
  .catchall(z.union([z.string(), z.number(), z.array(z.string())]))
  .meta({ id: 'CompareOptions' });

export function readOptions(optionsJson: string): z.output<typeof OptionsView> {
  return JSON.parse(optionsJson) as z.output<typeof OptionsView>;
}

export const ComparisonView = z
  .object({
    comparisonId: z.string(),
    pairKey: z.string(),
    leftUrl: z.string(),
    rightUrl: z.string(),
    leftLabel: opt(z.string()),
    rightLabel: opt(z.string()),
    options: OptionsView,
    createdAt: time,
    status: Status,
    result: opt(ResultView),
    explanationState: z.enum(['pending', 'ready', 'failed', 'off']),
    error: opt(FailureView),
  })
  .meta({ id: 'Comparison' });
export type ComparisonView = z.infer<typeof ComparisonView>;

/** The response to the request that creates a comparison. */
export const NewComparison = z.object({ comparisonId: z.string() }).meta({ id: 'NewComparison' });
export type NewComparison = z.infer<typeof NewComparison>;

/** `probes` is empty unless the comparison has completed. */
export function comparisonView(
  row: ComparisonRow,
  probes: readonly StoredProbe[],
): z.input<typeof ComparisonView> {
  return {
    comparisonId: row.comparisonId,
    pairKey: row.pairKey,
    leftUrl: row.leftUrl,
    rightUrl: row.rightUrl,
    ...labelsOf(row),
    options: readOptions(row.optionsJson),
    createdAt: iso(row.ts),
    status: row.status,
    ...(row.resultJson !== null && { result: resultView(row, row.resultJson, probes) }),
    explanationState: row.explanation.state,
    ...(row.error !== null && { error: readError(row.error) }),
  };
}

/** The caller's names for the sides. */
function labelsOf({ optionsJson }: ComparisonRow) {
  const { leftLabel, rightLabel } = JSON.parse(optionsJson) as { leftLabel?: string; rightLabel?: string };
  return { ...(leftLabel !== undefined && { leftLabel }), ...(rightLabel !== undefined && { rightLabel }) };
}

function resultView(row: ComparisonRow, resultJson: string, probes: readonly StoredProbe[]) {
  const { diff, timestamp } = JSON.parse(resultJson) as {
    diff: z.infer<typeof envDiffSchema>;
    timestamp: number;
  };
  const { textJson } = row.explanation;
  return {
    comparisonId: row.comparisonId,
    left: envelopeOf(probes, 'left'),
    right: envelopeOf(probes, 'right'),
    diff,
    explanation: textJson === null ? null : explanationOf(diff as EnvDiff, textJson),
    timestamp,
  };
}

/** The reason alone is stored if the run ended before the explanation; then the text is the deterministic one. */
function explanationOf(diff: EnvDiff, textJson: string): ExplanationView {
  const stored = JSON.parse(textJson) as Partial<ExplanationView>;
  return ('summary' in stored ? stored : { ...explainDiff(diff), ...stored }) as ExplanationView;
}

function envelopeOf(probes: readonly StoredProbe[], side: 'left' | 'right'): Envelope | null {
  const probe = probes.find((each) => each.side === side);
  return probe ? storedEnvelope(probe.envelopeJson) : null;
}

/** Envelopes are stored as the JSON that is sent. There can be a hundred of almost a megabyte each. */
function storedEnvelope(json: string): Envelope {
  return new StoredJson(json) as unknown as Envelope;
}

/** Errors are stored as a code and a message that the caller may see. */
export function readError(text: string): FailureView {
  try {
    return JSON.parse(text) as FailureView;
  } catch {
    return { code: 'INTERNAL', message: text };
  }
}

export const SummaryView = z
  .object({
    comparisonId: z.string(),
    createdAt: time,
    status: Status,
    verdict: verdictSchema.nullable(),
    findings: z.int().nullable().describe('Number of findings.'),
    error: opt(FailureView),
  })
  .meta({ id: 'ComparisonSummary' });

/** One entry of a pair's history. */
export function summaryView(row: ComparisonRow): z.input<typeof SummaryView> {
  const { diff } = JSON.parse(row.resultJson ?? '{}') as { diff?: EnvDiff };
  return {
    comparisonId: row.comparisonId,
    createdAt: iso(row.ts),
    status: row.status,
    verdict: diff?.verdict ?? null,
    findings: diff?.findings?.length ?? null,
    ...(row.error !== null && { error: readError(row.error) }),
  };
}

export const ProbeView = z
  .object({
    probeId: z.string(),
    side: z.enum(['left', 'right']),
    url: z.string(),
    ts: z.number().describe('Milliseconds since the epoch.'),
    envelope: envelopeSchema,
    samples: z
      .array(z.object({ sample: z.int(), envelope: envelopeSchema }))
      .describe('Resamples, starting at 2.'),
  })
  .meta({ id: 'ComparisonProbe' });

export function probeView(probe: StoredProbe): z.input<typeof ProbeView> {
  const { probeId, side, url, ts, envelopeJson, samples } = probe;
  return {
    probeId,
    side,
    url,
    ts,
    envelope: storedEnvelope(envelopeJson),
    samples: samples.map(({ sample, envelopeJson: json }) => ({
      sample,
      envelope: storedEnvelope(json),
    })),
  };
}
