/**
 * The result of comparing two environments: sections of plain changes for people and reports, and findings that judge
 * them. The same envelopes and options serialize to the same bytes on every engine.
 *
 * Values are shown as they were observed. Whether they differ was decided after origin mapping, so `changed` may be
 * false while left and right name different hosts.
 */
import type { CfContext, RedirectHop, Side } from '../probe/index.js';
import type { ComparedParts } from './compared-parts.js';
import type { Finding, FindingStatus, Severity } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import type { SideLabels } from './side-labels.js';

/**
 * `inconclusive`: the observations do not allow a judgement (neither side responded, a side blocked the probe, a side
 * responds differently from sample to sample, a rule threw). It never hides a certain failure.
 */
export type Verdict = 'pass' | 'warn' | 'fail' | 'inconclusive';

/** A member is missing if the side does not have the value. */
export interface Change<T> {
  readonly left?: T;
  readonly right?: T;
  readonly changed: boolean;
}

export interface ProbeOutcomeDiff {
  readonly leftOk: boolean;
  readonly rightOk: boolean;
  readonly leftErrorCode?: string;
  readonly rightErrorCode?: string;
  readonly outcomeChanged: boolean;
  /** Both sides gave an HTTP response. */
  readonly responsePresent: boolean;
}

/** Names in code-unit order; `added` is right only, `removed` left only. */
export interface HeaderDiff {
  readonly added: Readonly<Record<string, string>>;
  readonly removed: Readonly<Record<string, string>>;
  readonly changed: Readonly<Record<string, { readonly left: string; readonly right: string }>>;
  readonly unchanged: readonly string[];
}

export interface RedirectsDiff {
  readonly left: readonly RedirectHop[];
  readonly right: readonly RedirectHop[];
  readonly hopCount: Change<number>;
  readonly chainChanged: boolean;
}

export interface ContentDiff {
  readonly contentType?: Change<string>;
  /** Decoded bytes. */
  readonly contentLength?: Change<number>;
  readonly bodyHash?: Change<string>;
}

export interface TimingDiff {
  /** The median of each side's samples. */
  readonly durationMs: Change<number>;
  /** right / left; missing when left is 0. */
  readonly ratio?: number;
  readonly deltaMs?: number;
  readonly samples: { readonly left: number; readonly right: number };
  /** The exact rank-sum interval of right − left; only with at least five samples per side. */
  readonly shift?: { readonly estimateMs: number; readonly lowMs: number; readonly highMs: number };
}

export type CfDiff = { readonly [Field in keyof CfContext]?: Change<NonNullable<CfContext[Field]>> } & {
  /** The data centre that responded, from each side's `cf-ray`. */
  readonly rayColo?: Change<string>;
};

export type NoticeCode =
  | 'NOISE_SUPPRESSED'
  | 'BODY_TRUNCATED'
  | 'SAMPLE_SHORTFALL'
  | 'SAMPLES_ADDED'
  | 'SUPPRESSION_EXPIRED'
  | 'COVERAGE_GAP'
  | 'EVIDENCE_TRUNCATED';

/** A note about the run, not about the environments. */
export interface Notice {
  readonly code: NoticeCode;
  readonly message: string;
  readonly keys: readonly string[];
}

/** A rule that threw. Only its own findings are missing. */
export interface RuleError {
  readonly code: FindingCode;
  readonly message: string;
}

/** A pair of origins that count as the same place; the first is the pair of requested URLs. */
export interface OriginPair {
  readonly left: string;
  readonly right: string;
}

export interface SampleCounts {
  /** Envelopes passed in. */
  readonly total: number;
  /** Envelopes with an HTTP response. */
  readonly answered: number;
}

export interface EnvDiff {
  readonly schemaVersion: 1;
  readonly comparisonId: string;
  readonly leftProbeId: string;
  readonly rightProbeId: string;
  readonly origins: readonly OriginPair[];
  /** The side that is about to ship and must not be worse than the other. */
  readonly candidate: Side;
  /** The names of the sides in messages. */
  readonly labels: SideLabels;
  readonly samples: { readonly left: SampleCounts; readonly right: SampleCounts };
  readonly probe: ProbeOutcomeDiff;
  readonly status?: Change<number>;
  readonly finalUrl?: Change<string>;
  /** Missing when no header differs. */
  readonly headers?: {
    readonly core: HeaderDiff;
    readonly accessControl?: HeaderDiff;
    readonly extended?: HeaderDiff;
  };
  /** Missing when neither side redirected. */
  readonly redirects?: RedirectsDiff;
  readonly content?: ContentDiff;
  readonly timing?: TimingDiff;
  readonly cf?: CfDiff;
  /** Which parts the verdict covers, and which it does not. */
  readonly coverage: ComparedParts;
  /** Worst first, causes before effects, then by code and id in code-unit order. */
  readonly findings: readonly Finding[];
  readonly notices: readonly Notice[];
  readonly ruleErrors: readonly RuleError[];
  /** The highest severity of the findings that count; `none` if there are none. */
  readonly maxSeverity: Severity | 'none';
  /** Findings that count, by severity; the others by the reason why they do not. */
  readonly counts: Readonly<Record<Severity | 'noisy' | 'explained' | Exclude<FindingStatus, 'new'>, number>>;
  readonly verdict: Verdict;
  /** The reasons as short sentences, most severe first. */
  readonly verdictReasons: readonly string[];
}
