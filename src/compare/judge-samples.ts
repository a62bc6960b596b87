/**
 * Judges a rule's differences over all samples of both sides.
 *
 * Each side has one view, and the two views are compared first. Samples that differ from their side's view show which
 * differences vary from request to request: those that the rule also finds within one side, and those that it finds
 * for some samples only. What varies on both sides is noise. What only the candidate varies in is a fault if some of
 * its samples are worse than the steady reference, and what only the reference varies in is one if the candidate is
 * worse than every sample of it.
 */
import type { Side } from '../probe/index.js';
import type { Direction } from './finding.js';
import { sameStatusClass } from './json-facts.js';
import type { JudgedDifference } from './make-finding.js';
import { bitsOf, type SectionBits } from './observed-facts.js';
import { type Difference, type Found, otherSide, type Rule, type RuleContext, weakerSide } from './rule.js';
import type { SampleView } from './sample-view.js';
import type { OtherSample, SideSamples } from './side-samples.js';

type Both<T> = Readonly<Record<Side, T>>;

export interface Sides extends Both<SideSamples> {
  readonly candidate: Side;
  readonly context: RuleContext;
}

/** A difference without the caller's ignore rules. */
export type JudgedSample = Omit<JudgedDifference, 'ignored'>;

export interface JudgedSamples {
  readonly differences: readonly JudgedSample[];
  /** Whether the samples of at least one side were compared with each other. */
  readonly verified: boolean;
}

/** Compares the sides' views once for every rule; nearly all rules find nothing, and are done with that. */
export class SampleJudge {
  readonly #sides: Sides;
  readonly #views: Views;
  readonly #varies: boolean;
  /** What every sample observed. */
  readonly #common: SectionBits;

  constructor(sides: Sides) {
    const { left, right, context } = sides;
    const { samples } = context;
    this.#common = [...samples.left, ...samples.right].reduce((bits, { observed }) => bits & observed, ~0);
    this.#sides = sides;
    this.#views = sameSections([left.view, right.view]);
    this.#varies = left.varies || right.varies;
  }

  /**
   * Undefined if the rule found nothing, or a side did not observe its inputs. Yields after each sample that the rule
   * compares.
   */
  *judge(rule: Rule): Generator<void, JudgedSamples | undefined> {
    const [a, b] = this.#views;
    const inputs = inputsOf(rule);
    if ((inputs & ~(a.observed & b.observed)) !== 0) return undefined;
    if (rule.sampled) {
      return judgeSampled(rule, this.#views, { ...this.#sides, isComplete: (inputs & ~this.#common) === 0 });
    }
    const base = listOf(rule.compare(a, b, this.#sides.context));
    if (base.length === 0 && !this.#varies) return undefined;
    return yield* this.#judgeVariation(rule, base);
  }

  *#judgeVariation(rule: Rule, base: readonly Difference[]): Generator<void, JudgedSamples> {
    const { left, right } = this.#sides;
    const isWanted = ({ likeness, view }: OtherSample) =>
      likeness !== 'identical' && (base.length > 0 || likeness !== 'alike') && observes(rule, view);
    const others = { left: left.others.filter(isWanted), right: right.others.filter(isWanted) };
    const runs = new RuleRuns(rule, this.#sides, others);
    return {
      differences: yield* this.#varies ? runs.judge(base) : runs.judgeAlike(base),
      verified: [left, right].some((side) => side.others.some(({ view }) => observes(rule, view))),
    };
  }
}

const INPUTS = new WeakMap<Rule, SectionBits>();

function inputsOf(rule: Rule): SectionBits {
  const known = INPUTS.get(rule);
  if (known !== undefined) return known;
  const inputs = bitsOf(rule.inputs);
  INPUTS.set(rule, inputs);
  return inputs;
}

function observes(rule: Rule, { observed }: SampleView): boolean {
  return (inputsOf(rule) & ~observed) === 0;
}

function judgeSampled(
  rule: Rule,
  [left, right]: Views,
  { context, isComplete }: Sides & { readonly isComplete: boolean },
): JudgedSamples | undefined {
  const covering = (side: Side) => context.samples[side].filter((view) => observes(rule, view));
  const observing = isComplete
    ? context
    : { ...context, samples: { left: covering('left'), right: covering('right') } };
  const found = listOf(rule.compare(left, right, observing));
  if (found.length === 0) return undefined;
  return {
    differences: found.map((difference) => judged(difference, false)),
    verified: context.samples.left.length > 1 && context.samples.right.length > 1,
  };
}

type Views = readonly [SampleView, SampleView];

function compareViews(rule: Rule, views: Views, context: RuleContext): readonly Difference[] {
  const [left, right] = sameSections(views);
  return listOf(rule.compare(left, right, context));
}

/** Both views get the same sections, so that a section that one of them lacks cannot differ. */
function sameSections([left, right]: Views): Views {
  if (left.observed === right.observed) return [left, right];
  return [left.narrowedTo(right), right.narrowedTo(left)];
}

function listOf(found: Found): readonly Difference[] {
  if (!found) return NO_DIFFERENCES;
  return 'length' in found ? found : [found];
}

const NO_DIFFERENCES: readonly Difference[] = [];

type ByKey = ReadonlyMap<string, Difference>;

/** What the rule found for one sample of a side. */
interface Outcome {
  /** Between the sample and the other side's view. */
  readonly found: ByKey;
  /** The same for the sample's own side's view, with only those sections that the sample observed. */
  readonly expected: ByKey;
  /** Between the sample and the view of its own side. */
  readonly within: ByKey;
  /** A response of another status class is reported as such, and is no evidence of anything else. */
  readonly isEvidence: boolean;
}

const NONE: ByKey = new Map();

function judged(difference: Difference, noisy: boolean): JudgedSample {
  return { difference, noisy };
}

function varyingOn(difference: Difference): JudgedSample {
  return { difference, noisy: false, varies: true };
}

class RuleRuns {
  readonly #rule: Rule;
  readonly #sides: Sides;
  readonly #others: Readonly<Record<Side, readonly OtherSample[]>>;

  constructor(rule: Rule, sides: Sides, others: Readonly<Record<Side, readonly OtherSample[]>>) {
    this.#rule = rule;
    this.#sides = sides;
    this.#others = others;
  }

  /** If only values that change by design vary, the samples cannot have other differences than the sides' views. */
  *judgeAlike(base: readonly Difference[]): Generator<void, readonly JudgedSample[]> {
    if (this.#rule.bySide) return base.map((difference) => judged(difference, false));
    const varying = { left: new Set<string>(), right: new Set<string>() };
    const { candidate, context } = this.#sides;
    const isNoise = (difference: Difference): boolean => {
      const key = keyOf(difference);
      const own = varying[candidate].has(key);
      if (varying[otherSide(candidate)].has(key)) {
        return own || difference.direction !== weakerSide(candidate);
      }
      return own && !isFault(difference, candidate);
    };
    for (const side of ['left', 'right'] as const) {
      for (const { view } of this.#others[side]) {
        yield;
        const within = compareViews(this.#rule, [this.#sides[side].view, view], context);
        for (const one of within) varying[side].add(keyOf(one));
        // Further samples cannot make noise count again.
        if (within.length > 0 && base.every(isNoise)) {
          return base.map((difference) => judged(difference, true));
        }
      }
    }
    if (varying.left.size === 0 && varying.right.size === 0) {
      return base.map((difference) => judged(difference, false));
    }
    return base.map((difference) => {
      if (isNoise(difference)) return judged(difference, true);
      const key = keyOf(difference);
      const varies = varying.left.has(key) || varying.right.has(key);
      return varies ? varyingOn(difference) : judged(difference, false);
    });
  }

  *judge(base: readonly Difference[]): Generator<void, readonly JudgedSample[]> {
    const first = byKey(base);
    const left = yield* this.#outcomes('left', first);
    const outcomes = { left, right: yield* this.#outcomes('right', first) };
    const varying = { left: varyingKeys(outcomes.left, first), right: varyingKeys(outcomes.right, first) };
    const varies = (key: string) => varying.left.has(key) || varying.right.has(key);
    const known = base
      .filter((difference) => !varies(keyOf(difference)) || first.get(keyOf(difference)) === difference)
      .map((difference) =>
        varies(keyOf(difference))
          ? this.#judgeVarying(keyOf(difference), difference, { outcomes, varying })
          : judged(difference, false),
      );
    const more = [...new Set([...varying.left, ...varying.right])].filter((key) => !first.has(key));
    const added = more.map((key) => this.#judgeVarying(key, undefined, { outcomes, varying }));
    return [...known, ...added].filter((one) => one !== undefined);
  }

  *#outcomes(side: Side, first: ByKey): Generator<void, readonly Outcome[]> {
    const other = this.#sides[otherSide(side)].view;
    const own = this.#sides[side].view;
    const outcomes: Outcome[] = [];
    for (const { view, likeness } of this.#others[side]) {
      yield;
      const narrowed = own.narrowedTo(view);
      const found = this.#compare(side, likeness === 'alike' ? narrowed : view, other);
      outcomes.push({
        found,
        expected: narrowed === own || isSameKeys(found, first) ? first : this.#compare(side, narrowed, other),
        within: this.#rule.bySide ? NONE : byKey(compareViews(this.#rule, [own, view], this.#sides.context)),
        isEvidence: sameStatusClass(view, own),
      });
    }
    return outcomes;
  }

  #compare(side: Side, view: SampleView, other: SampleView): ByKey {
    const views: Views = side === 'left' ? [view, other] : [other, view];
    return byKey(compareViews(this.#rule, views, this.#sides.context));
  }

  #judgeVarying(
    key: string,
    first: Difference | undefined,
    { outcomes, varying }: Variation,
  ): JudgedSample | undefined {
    const { candidate } = this.#sides;
    const reference = otherSide(candidate);
    const shown = [...outcomes[candidate], ...outcomes[reference]].flatMap(
      ({ found }) => found.get(key) ?? [],
    );
    const difference = first ?? shown[0];
    // It differs within both sides, and nowhere between them.
    if (!difference) return undefined;
    if (!varying[reference].has(key))
      return this.#judgeCandidate(key, { first, difference }, outcomes[candidate]);
    const isWorse = ({ found }: Outcome) => found.get(key)?.direction === weakerSide(candidate);
    const isFault = first?.direction === weakerSide(candidate) && outcomes[reference].every(isWorse);
    if (!isFault || varying[candidate].has(key)) return judged(difference, true);
    return varyingOn(difference);
  }

  /** The reference is steady and the candidate is not: how many of its samples are worse? */
  #judgeCandidate(
    key: string,
    { first, difference }: { readonly first: Difference | undefined; readonly difference: Difference },
    outcomes: readonly Outcome[],
  ): JudgedSample {
    const { candidate } = this.#sides;
    const telling = outcomes.filter(
      ({ isEvidence, expected }) => isEvidence && (!first || expected.has(key)),
    );
    const views = [this.#sides.left.view, this.#sides.right.view] as const;
    const own = sameStatusClass(...views) ? this.#countLikeView(outcomes.length) : 0;
    const faults = [
      ...Array.from({ length: own }, () => first),
      ...telling.map(({ found }) => found.get(key)),
    ].filter((one) => one !== undefined && isFault(one, candidate));
    const worst = faults.find((one) => one?.severity === 'critical') ?? faults[0];
    if (!worst) return judged(difference, true);
    const of = own + telling.length;
    if (faults.length === of) return varyingOn(worst);
    return { ...varyingOn(worst), occurrence: { samples: faults.length, of } };
  }

  /** The samples of the candidate that do not differ from its view, including the one that is its view. */
  #countLikeView(different: number): number {
    const { others } = this.#sides[this.#sides.candidate];
    return 1 + others.filter(({ view }) => observes(this.#rule, view)).length - different;
  }
}

interface Variation {
  readonly outcomes: Both<readonly Outcome[]>;
  readonly varying: Both<ReadonlySet<string>>;
}

/**
 * Differences within a side, and those that only some of its samples have. A sample with another status is only a
 * reason to doubt what was found.
 */
function varyingKeys(outcomes: readonly Outcome[], first: ByKey): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { found, expected, within, isEvidence } of outcomes) {
    for (const key of within.keys()) if (isEvidence || first.has(key)) keys.add(key);
    if (!isEvidence) continue;
    for (const key of [...missing(found, expected), ...missing(expected, found)]) keys.add(key);
  }
  return keys;
}

function missing(own: ByKey, others: ByKey): readonly string[] {
  return [...own.keys()].filter((key) => !others.has(key));
}

function isSameKeys(a: ByKey, b: ByKey): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) if (!b.has(key)) return false;
  return true;
}

/** Worse on the candidate, or so different that no direction is needed, such as a redirect to another site. */
function isFault({ direction, severity }: Difference, candidate: Side): boolean {
  return direction === weakerSide(candidate) || (severity === 'critical' && !isWeaker(direction));
}

function isWeaker(direction: Direction): boolean {
  return direction === 'left_weaker' || direction === 'right_weaker';
}

function byKey(differences: readonly Difference[]): ByKey {
  const found = new Map<string, Difference>();
  for (const difference of differences) {
    const key = keyOf(difference);
    if (!found.has(key)) found.set(key, difference);
  }
  return found;
}

function keyOf({ section, key }: Difference): string {
  return `${section} ${key}`;
}
