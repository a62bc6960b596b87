/**
 * An explanation as it is stored and shown, and the check that a model's explanation must pass. An explanation only refers to
 * findings: it cannot add, drop or re-rank them, and every id it cites must exist.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';

export const explanationSchema = z.object({
  summary: z.string(),
  ranked_causes: z
    .array(
      z.object({
        cause: z.string(),
        confidence: z.number().describe('0 to 1.'),
        evidence: z.array(z.string()).describe('Ids of findings.'),
      }),
    )
    .describe('The most likely cause first.'),
  actions: z.array(z.object({ action: z.string(), why: z.string() })),
  notes: z.array(z.string()),
});

export type Explanation = DeepReadonly<z.infer<typeof explanationSchema>>;
export type Cause = Explanation['ranked_causes'][number];
export type Action = Explanation['actions'][number];

const TEXT_CHARS_MAX = 2000;
const text = z.string().trim().min(1).max(TEXT_CHARS_MAX);

export const EXPLANATION_LIMITS = { causes: 10, actions: 15, notes: 10, evidence: 50 } as const;

/** The same for a model's response, which must be within bounds. */
const boundedSchema = z.object({
  summary: text,
  ranked_causes: z
    .array(
      z.object({
        cause: text,
        confidence: z.number().min(0).max(1),
        evidence: z.array(z.string().min(1).max(500)).max(EXPLANATION_LIMITS.evidence),
      }),
    )
    .max(EXPLANATION_LIMITS.causes),
  actions: z.array(z.object({ action: text, why: text })).max(EXPLANATION_LIMITS.actions),
  notes: z.array(text).max(EXPLANATION_LIMITS.notes).default([]),
});

type CheckedExplanation =
  | { readonly ok: true; readonly explanation: Explanation }
  | { readonly ok: false; readonly why: string };

/** Refuses a cause without evidence or with unknown evidence, because it would be a guess. */
export function checkExplanation(value: unknown, findingIds: ReadonlySet<string>): CheckedExplanation {
  const parsed = boundedSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, why: `${issue?.path.map(String).join('.') || 'the response'}: ${issue?.message}` };
  }
  for (const [index, { evidence }] of parsed.data.ranked_causes.entries()) {
    if (evidence.length === 0) return { ok: false, why: `ranked_causes.${index} cites no finding` };
    const unknown = evidence.find((id) => !findingIds.has(id));
    if (unknown !== undefined) {
      return { ok: false, why: `ranked_causes.${index} cites a finding that does not exist` };
    }
  }
  const ranked_causes = parsed.data.ranked_causes.toSorted((a, b) => b.confidence - a.confidence);
  return { ok: true, explanation: { ...parsed.data, ranked_causes } };
}
