/** Notices about the run, not about the environments: noise, truncated bodies, missing or added samples, gaps. */
import type { CoverageSection, Side } from '../probe/index.js';
import type { EnvDiff, Notice } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { isNoise } from './judge-verdict.js';
import type { FindingScope } from './make-finding.js';
import type { SampleView } from './sample-view.js';

export interface NoticeInput {
  readonly samples: Readonly<Record<Side, readonly SampleView[]>>;
  readonly left: SampleView;
  readonly right: SampleView;
  /** Samples per side that were requested. */
  readonly requested: number | undefined;
}

export function noticesOf(
  { samples, left, right, requested }: NoticeInput,
  findings: EnvDiff['findings'],
  { labels, truncated }: FindingScope,
): readonly Notice[] {
  const notices: Notice[] = [];
  const noisy = findings.filter(isNoise).map(({ id }) => id);
  if (noisy.length > 0) {
    const message = noiseMessage(noisy.length);
    notices.push({ code: 'NOISE_SUPPRESSED', message, keys: noisy.sort(byCodeUnit) });
  }
  for (const view of [left, right]) {
    const label = labels[view.side];
    if (view.envelope.body?.truncated) {
      const message = `The body of ${label} is longer than the limit; the rest was not compared.`;
      notices.push({ code: 'BODY_TRUNCATED', message, keys: [view.side] });
    }
    const responses = samples[view.side].filter(({ response }) => response).length;
    const wanted = Math.max(requested ?? 0, samples[view.side].length);
    if (responses < wanted) {
      const message = `${label} responded to ${responses} of ${wanted} samples.`;
      notices.push({ code: 'SAMPLE_SHORTFALL', message, keys: [view.side] });
    }
  }
  const taken = samples.left.length;
  if (requested !== undefined && taken > requested && taken === samples.right.length) {
    const message = `${taken} samples of each side were taken instead of ${requested}, because one side varies from request to request.`;
    notices.push({ code: 'SAMPLES_ADDED', message, keys: ['left', 'right'] });
  }
  const gaps = coverageGaps(left, right);
  if (gaps.length > 0) {
    const message = 'These sections were observed on one side only, so the rules that need them did not run.';
    notices.push({ code: 'COVERAGE_GAP', message, keys: gaps });
  }
  if (truncated.length > 0) {
    const message = 'These findings have more evidence than shown here.';
    notices.push({ code: 'EVIDENCE_TRUNCATED', message, keys: [...truncated].sort(byCodeUnit) });
  }
  return notices;
}

/** A dead side has nothing to observe, and its failure is already reported. */
function coverageGaps(left: SampleView, right: SampleView): readonly string[] {
  if (!left.response || !right.response) return [];
  return [...onlyIn(left, right), ...onlyIn(right, left)].sort(byCodeUnit);
}

function onlyIn(view: SampleView, other: SampleView): readonly CoverageSection[] {
  const observed = view.envelope.coverage?.observed ?? [];
  return observed.filter(
    (section) => !other.covers(section) && other.envelope.coverage?.gaps?.[section] !== 'not-applicable',
  );
}

function noiseMessage(count: number): string {
  return count === 1
    ? '1 difference also occurs between samples of one side and does not count.'
    : `${count} differences also occur between samples of one side and do not count.`;
}
