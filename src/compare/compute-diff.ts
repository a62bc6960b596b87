/**
 * Compares the samples of two sides and returns one EnvDiff. Pure: no clock, locale, randomness or I/O. A rule that
 * needs the current time uses the time at which the envelope was captured. The same samples and options always
 * serialize to the same bytes.
 */
import { SondeError } from '../errors.js';
import { runSteps } from '../loop-turns.js';
import type { Mutable } from '../mutable.js';
import type { Side, SignalEnvelope } from '../probe/index.js';
import { comparedParts } from './compared-parts.js';
import {
  cfDiff,
  change,
  contentDiff,
  headersDiff,
  outcomeDiff,
  redirectsDiff,
  timingDiff,
} from './diff-sections.js';
import type { EnvDiff, OriginPair } from './env-diff.js';
import { pathOf, routeTemplate, type TextHash } from './fingerprint.js';
import { foldFindings } from './fold-findings.js';
import { anyGlob } from './glob.js';
import { type IgnoreRule, ignoreDecision } from './ignore-rules.js';
import { judgeDiff, type UnjudgedDiff } from './judge-diff.js';
import type { FindingScope } from './make-finding.js';
import { noticesOf } from './notices.js';
import { ORIGIN_PAIRS_MAX, OriginMap } from './origin-map.js';
import { urlParts } from './plain-url.js';
import type { Rule, RuleContext } from './rule.js';
import { RULES } from './rules/index.js';
import { runRules } from './run-rules.js';
import { SampleView } from './sample-view.js';
import { type SideLabels, sideLabels } from './side-labels.js';
import { sideSamples } from './side-samples.js';

export interface CompareOptions {
  /** Additional pairs of origins that count as the same place. */
  readonly origins?: readonly OriginPair[];
  /** The side that is about to ship and must not be worse than the other; left by default. */
  readonly candidate?: Side;
  /** What to call the sides in messages; their hosts by default. */
  readonly labels?: Partial<SideLabels>;
  readonly ignore?: readonly IgnoreRule[];
  /** JSON pointers whose values must be equal; `*` stands for one part. */
  readonly pinned?: readonly string[];
  /** Samples requested per side; fewer responses than that add a notice. */
  readonly samples?: number;
  readonly rules?: readonly Rule[];
  readonly sha256?: TextHash;
}

export const SAMPLES_MAX = 50;

/** One envelope of a side, or several samples of it. */
type Samples = SignalEnvelope | readonly SignalEnvelope[];

export function computeDiff(left: Samples, right: Samples, options: CompareOptions = {}): EnvDiff {
  return runSteps(diffInSteps([left].flat(), [right].flat(), options));
}

/** The same as a generator that yields after each rule, because a large page can keep the rules busy for long. */
export function* diffInSteps(
  left: readonly SignalEnvelope[],
  right: readonly SignalEnvelope[],
  options: CompareOptions = {},
): Generator<void, EnvDiff> {
  const { samples, sides, scope, results } = yield* judgeInSteps(left, right, options);
  const [a, b] = [sides.left.view, sides.right.view];
  const findings = foldFindings(results.findings);
  const notices = noticesOf({ samples, left: a, right: b, requested: options.samples }, findings, scope);
  const sections = sectionsOf(samples, { left: a, right: b }, scope);
  return judgeDiff({ ...sections, findings, notices, ruleErrors: results.errors });
}

/** Whether one side varies in something that counts, so that further samples of both sides may change the verdict. */
export function* isUnsettledInSteps(
  left: readonly SignalEnvelope[],
  right: readonly SignalEnvelope[],
  options: CompareOptions = {},
): Generator<void, boolean> {
  return (yield* judgeInSteps(left, right, options)).results.unsettled;
}

function* judgeInSteps(
  left: readonly SignalEnvelope[],
  right: readonly SignalEnvelope[],
  options: CompareOptions,
) {
  const origins = originMapOf({ left: originOf(left[0]), right: originOf(right[0]) }, options.origins);
  const samples = { left: viewsOf(left, 'left', origins), right: viewsOf(right, 'right', origins) };
  const sides = { left: sideSamples(samples.left), right: sideSamples(samples.right) };
  const scope = findingScope(sides.left.view, sides.right.view, options);
  const results = yield* runRules(options.rules ?? RULES, {
    ...sides,
    context: { samples, isPinned: anyGlob(options.pinned ?? []) },
    scope,
    isIgnored: ignoreDecision(options.ignore ?? [], scope),
  });
  return { samples, sides, scope, results };
}

function findingScope(left: SampleView, right: SampleView, options: CompareOptions): FindingScope {
  const { candidate = 'left', labels, sha256 } = options;
  const urls = { left: left.envelope.requestedUrl, right: right.envelope.requestedUrl };
  return {
    route: routeTemplate(urls.right),
    path: pathOf(urls.right),
    candidate,
    labels: sideLabels(urls, { given: labels, candidate }),
    origins: left.origins,
    hash: sha256,
    truncated: [],
  };
}

/** The sections without the judgement, in the order in which they are serialized. */
function sectionsOf(
  samples: RuleContext['samples'],
  { left, right }: Readonly<Record<Side, SampleView>>,
  { candidate, labels }: FindingScope,
): Sections {
  const diff: Mutable<Sections> = {
    schemaVersion: 1,
    comparisonId: left.envelope.comparisonId,
    leftProbeId: left.envelope.probeId,
    rightProbeId: right.envelope.probeId,
    origins: left.origins.pairs,
    candidate,
    labels,
    samples: { left: sampleCounts(samples.left), right: sampleCounts(samples.right) },
    probe: outcomeDiff(left, right),
    coverage: comparedParts(left, right),
  };
  if (left.response && right.response) {
    diff.status = change(left.response.status, right.response.status);
    diff.finalUrl = finalUrlChange(left, right);
  }
  const headers = headersDiff(left, right);
  if (headers) diff.headers = headers;
  const redirects = redirectsDiff(left, right);
  if (redirects) diff.redirects = redirects;
  const content = contentDiff(left, right);
  if (content) diff.content = content;
  const timing = timingDiff(samples.left, samples.right);
  if (timing) diff.timing = timing;
  const cf = cfDiff(left, right);
  if (cf) diff.cf = cf;
  return diff;
}

type Sections = Omit<UnjudgedDiff, 'findings' | 'notices' | 'ruleErrors'>;

/** The requested pair comes first, so its host is mapped to `{host}`. */
function originMapOf(requested: OriginPair, further: readonly OriginPair[] = []): OriginMap {
  if (further.length > ORIGIN_PAIRS_MAX) {
    throw new SondeError('INVALID_REQUEST', `origins: at most ${ORIGIN_PAIRS_MAX} pairs are allowed`, {
      details: { field: 'origins', limit: ORIGIN_PAIRS_MAX },
    });
  }
  return new OriginMap([requested, ...further]);
}

function originOf(envelope: SignalEnvelope | undefined): string {
  const text = envelope?.requestedUrl ?? '';
  return urlParts(text)?.origin ?? text;
}

function viewsOf(
  envelopes: readonly SignalEnvelope[],
  side: Side,
  origins: OriginMap,
): readonly SampleView[] {
  if (envelopes.length === 0 || envelopes.length > SAMPLES_MAX) {
    throw new SondeError('INVALID_REQUEST', `${side}: expected between 1 and ${SAMPLES_MAX} samples`, {
      details: { field: side, limit: SAMPLES_MAX },
    });
  }
  return envelopes.map((envelope) => new SampleView(envelope, { side, origins }));
}

function sampleCounts(samples: readonly SampleView[]): EnvDiff['samples']['left'] {
  return { total: samples.length, answered: samples.filter(({ response }) => response).length };
}

function finalUrlChange(left: SampleView, right: SampleView) {
  const a = left.response?.finalUrl ?? '';
  const b = right.response?.finalUrl ?? '';
  return change(a, b, !left.sameMapped(a, right, b));
}
