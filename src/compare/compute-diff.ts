/**
 * Two sides' samples → one EnvDiff. Pure: no clock, locale, randomness or I/O. "Now", where a rule needs it, is
 * when the envelope was captured. The same samples and options give the same bytes of `serializeDiff`.
 */
import { SondeError } from '../errors.js';
import type { Mutable } from '../mutable.js';
import type { Side, SignalEnvelope } from '../probe/index.js';
import { CoverageMasks } from './coverage-mask.js';
import {
  type ChangedSides,
  cfDiff,
  change,
  contentDiff,
  headersDiff,
  outcomeDiff,
  redirectsDiff,
  timingDiff,
} from './diff-sections.js';
import type { EnvDiff, Notice, OriginPair, SampleCounts } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { routeTemplate, type TextHash } from './fingerprint.js';
import { type IgnoreRule, ignoreDecision } from './ignore-rules.js';
import { judgementOf, type UnjudgedDiff } from './judge-diff.js';
import { ORIGIN_PAIRS_MAX, OriginMap } from './origin-map.js';
import { headerChanges } from './pair-changes.js';
import { urlParts } from './plain-url.js';
import type { Rule } from './rule.js';
import { RULES } from './rules/index.js';
import { runRules } from './run-rules.js';
import { type ComparisonScope, SampleView } from './sample-view.js';
import { UrlReader } from './url-reader.js';

export interface CompareOptions {
  /** Further pairs of origins that count as the same place, besides the requested ones. */
  readonly origins?: readonly OriginPair[];
  /** The side that must not be the weaker; right (production) unless said. */
  readonly protectedSide?: Side;
  readonly ignore?: readonly IgnoreRule[];
  /** JSON pointers whose values must be equal; `*` stands for one part. */
  readonly pinned?: readonly string[];
  /** Samples a side that were asked for; fewer is worth a notice. */
  readonly samples?: number;
  readonly rules?: readonly Rule[];
  readonly sha256?: TextHash;
}

export const SAMPLES_MAX = 50;

export function computeDiff(
  left: readonly SignalEnvelope[],
  right: readonly SignalEnvelope[],
  options: CompareOptions = {},
): EnvDiff {
  const origins = originMapOf({ left: originOf(left[0]), right: originOf(right[0]) }, options.origins);
  const scope: ComparisonScope = {
    origins,
    urls: new UrlReader(),
    masks: new CoverageMasks(),
  };
  const samples = { left: viewsOf(left, 'left', scope), right: viewsOf(right, 'right', scope) };
  const a = representative(samples.left);
  const b = representative(samples.right);
  const route = routeTemplate(b.envelope.requestedUrl);
  const changes = headerChanges(a, b);
  const results = runRules(options.rules ?? RULES, {
    left: a,
    right: b,
    changes,
    context: { protectedSide: options.protectedSide ?? 'right', samples, pinned: options.pinned ?? [] },
    route,
    hash: options.sha256,
    isIgnored: ignoreDecision(options.ignore ?? [], route),
  });
  const { findings, errors, truncated } = results;
  const diff = sectionsOf(samples, { left: a, right: b, changes });
  diff.findings = findings;
  diff.notices = noticesOf({ samples, left: a, right: b, asked: options.samples }, truncated, findings);
  diff.ruleErrors = errors;
  return Object.assign(diff as UnjudgedDiff, judgementOf(findings, errors, diff.samples));
}

type Samples = Readonly<Record<Side, readonly SampleView[]>>;

/** What lies side by side, in the order in which it is written. Judgement comes after it. */
function sectionsOf(samples: Samples, sides: ChangedSides): Mutable<Sections> {
  const { left, right, changes } = sides;
  const diff: Mutable<Sections> = {
    schemaVersion: 1,
    comparisonId: left.envelope.comparisonId,
    leftProbeId: left.envelope.probeId,
    rightProbeId: right.envelope.probeId,
    origins: left.origins.pairs,
    samples: { left: sampleCounts(samples.left), right: sampleCounts(samples.right) },
    probe: outcomeDiff(left, right),
  };
  if (left.response && right.response) {
    diff.status = change(left.response.status, right.response.status);
    diff.finalUrl = finalUrlChange(left, right);
  }
  const headers = headersDiff({ left, right, changes });
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

type Judged = 'findings' | 'notices' | 'ruleErrors';
/** A diff without its judgement, which is filled in later. */
type Sections = Omit<UnjudgedDiff, Judged> & Partial<Pick<UnjudgedDiff, Judged>>;

/** The map of the last pair without further ones: the comparisons of a suite share it. */
let lastMap = new OriginMap([{ left: '', right: '' }]);

/** The requested pair first; more than one pair for the same left host is the caller's mistake. */
function originMapOf(requested: OriginPair, further: readonly OriginPair[] = []): OriginMap {
  if (further.length > ORIGIN_PAIRS_MAX) {
    throw new SondeError('INVALID_REQUEST', `origins: at most ${ORIGIN_PAIRS_MAX} pairs`, {
      details: { field: 'origins', limit: ORIGIN_PAIRS_MAX },
    });
  }
  if (further.length > 0) return new OriginMap([requested, ...further]);
  const [last] = lastMap.pairs;
  if (last?.left !== requested.left || last.right !== requested.right) lastMap = new OriginMap([requested]);
  return lastMap;
}

function originOf(envelope: SignalEnvelope | undefined): string {
  const text = envelope?.requestedUrl ?? '';
  return urlParts(text)?.origin ?? text;
}

function viewsOf(
  envelopes: readonly SignalEnvelope[],
  side: Side,
  scope: ComparisonScope,
): readonly SampleView[] {
  if (envelopes.length === 0 || envelopes.length > SAMPLES_MAX) {
    throw new SondeError('INVALID_REQUEST', `${side}: between 1 and ${SAMPLES_MAX} samples are compared`, {
      details: { field: side, limit: SAMPLES_MAX },
    });
  }
  return envelopes.map((envelope) => new SampleView(envelope, side, scope));
}

/** The first sample that was answered; the first one where none was. */
function representative(samples: readonly SampleView[]): SampleView {
  const [first] = samples;
  if (!first) throw new Error('a side has no sample');
  return samples.find(({ response }) => response !== undefined) ?? first;
}

function sampleCounts(samples: readonly SampleView[]): SampleCounts {
  return { total: samples.length, answered: samples.filter(({ response }) => response).length };
}

function finalUrlChange(left: SampleView, right: SampleView) {
  const a = left.response?.finalUrl ?? '';
  const b = right.response?.finalUrl ?? '';
  return change(a, b, !left.sameMapped(a, right, b));
}

interface NoticeFacts {
  readonly samples: Samples;
  readonly left: SampleView;
  readonly right: SampleView;
  readonly asked: number | undefined;
}

function noticesOf(
  { samples, left, right, asked }: NoticeFacts,
  truncated: readonly string[],
  findings: EnvDiff['findings'],
): readonly Notice[] {
  const notices: Notice[] = [];
  const noisy = findings.filter(({ stability }) => stability === 'noisy').map(({ id }) => id);
  if (noisy.length > 0) {
    const message = `${noisy.length} differences already occur between samples of one side and do not count.`;
    notices.push({ code: 'NOISE_SUPPRESSED', message, keys: noisy.sort(byCodeUnit) });
  }
  for (const view of [left, right]) {
    if (view.envelope.body?.truncated) {
      const message = `The ${view.side} body was longer than what is read; the rest was not compared.`;
      notices.push({ code: 'BODY_TRUNCATED', message, keys: [view.side] });
    }
    const answered = samples[view.side].filter(({ response }) => response).length;
    const wanted = asked ?? samples[view.side].length;
    if (answered < wanted) {
      const message = `${answered} of ${wanted} samples of the ${view.side} side were answered.`;
      notices.push({ code: 'SAMPLE_SHORTFALL', message, keys: [view.side] });
    }
  }
  const gaps = coverageGaps(left, right);
  if (gaps.length > 0) {
    const message = 'These sections were observed on one side only; rules that read them said nothing.';
    notices.push({ code: 'COVERAGE_GAP', message, keys: gaps });
  }
  if (truncated.length > 0) {
    const message = 'These findings have more evidence than is shown.';
    notices.push({ code: 'EVIDENCE_TRUNCATED', message, keys: [...truncated].sort(byCodeUnit) });
  }
  return notices;
}

/** A dead side has nothing to observe, which its failure already says. */
function coverageGaps(left: SampleView, right: SampleView): readonly string[] {
  if (!left.response || !right.response || left.coverage === right.coverage) return [];
  const a = left.envelope.coverage?.observed ?? [];
  const b = right.envelope.coverage?.observed ?? [];
  const gaps = [
    ...a.filter((section) => !right.covers(section) && !isInapplicable(right, section)),
    ...b.filter((section) => !left.covers(section) && !isInapplicable(left, section)),
  ];
  return gaps.sort(byCodeUnit);
}

function isInapplicable(
  view: SampleView,
  section: (typeof view.envelope.coverage & object)['observed'][number],
): boolean {
  return view.envelope.coverage?.gaps?.[section] === 'not-applicable';
}
