/**
 * The samples of one side as rules see them: one view for the whole side, and the further samples that may differ from
 * it. The view of the side has each section from the first sample that observed it, because some requests are made for
 * one sample only and any of them can fail.
 */
import type { SignalEnvelope } from '../probe/index.js';
import { sameLines } from './compare-headers.js';
import { canonicalField } from './fields/canonical-field.js';
import { withoutNonces } from './fields/content-security-policy.js';
import { alignedEntries } from './json-facts.js';
import {
  bitsOf,
  FACT_SECTIONS,
  type FactSection,
  RESULT_SECTIONS,
  sectionsIn,
  withFactsOf,
} from './observed-facts.js';
import { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

export interface OtherSample {
  readonly view: SampleView;
  /** How it differs from the side's view: not at all, in values that change by design, such as dates, or more. */
  readonly likeness: Likeness;
}

type Likeness = 'identical' | 'alike' | 'different';

export interface SideSamples {
  readonly view: SampleView;
  /** Every other sample with a response. */
  readonly others: readonly OtherSample[];
  /** Whether one of them differs in more than values that change by design. */
  readonly varies: boolean;
}

export function sideSamples(samples: readonly SampleView[]): SideSamples {
  const base = baseOf(samples);
  const view = wholeView(base, samples);
  const others = samples
    .filter((sample) => sample !== base && sample.response !== undefined)
    .map((sample) => ({ view: sample, likeness: likenessOf(view, sample) }));
  return { view, others, varies: others.some(({ likeness }) => likeness === 'different') };
}

/** The first sample with a complete result, else the first with a response, else the first. */
function baseOf(samples: readonly SampleView[]): SampleView {
  const [first] = samples;
  if (!first) throw new Error('a side has no sample');
  const responses = samples.filter(({ response }) => response !== undefined);
  const isComplete = (view: SampleView) => RESULT_SECTIONS.every((section) => view.covers(section));
  return responses.find(isComplete) ?? responses[0] ?? first;
}

function wholeView(base: SampleView, samples: readonly SampleView[]): SampleView {
  const sources = new Map<FactSection, SignalEnvelope>();
  for (const section of FACT_SECTIONS) {
    if (base.covers(section)) continue;
    const source = samples.find((sample) => sample.covers(section) && sameStatus(sample, base));
    if (source) sources.set(section, source.envelope);
  }
  const gaps = gapsOf(base, samples);
  if (sources.size === 0 && gaps === base.envelope.coverage?.gaps) return base;
  const observed = [...sectionsIn(base.observed), ...sources.keys()];
  const envelope = withFactsOf(base.envelope, sources);
  return new SampleView({ ...envelope, coverage: { observed, ...(gaps && { gaps }) } }, base);
}

type Gaps = NonNullable<SignalEnvelope['coverage']>['gaps'];

/** Requests that are made for the first sample only are missing from the others for a reason that only it knows. */
function gapsOf(base: SampleView, [first]: readonly SampleView[]): Gaps {
  const own = base.envelope.coverage?.gaps;
  const known = first === base ? undefined : first?.envelope.coverage?.gaps;
  return known ? { ...own, ...known } : own;
}

function sameStatus(a: SampleView, b: SampleView): boolean {
  return a.response?.status === b.response?.status;
}

function likenessOf(view: SampleView, sample: SampleView): Likeness {
  const isSame =
    sameStatus(view, sample) &&
    view.response?.finalUrl === sample.response?.finalUrl &&
    coversAll(view, sample) &&
    sameChain(view, sample) &&
    FACTS.every((name) => sameFacts(view.envelope[name], sample.envelope[name]));
  if (!isSame) return 'different';
  const headers = likenessOfHeaders(view, sample);
  if (headers === 'different') return headers;
  const body = likenessOfBodies(view, sample);
  return body === 'identical' ? headers : body;
}

/** What the side's view observed and the sample did not cannot differ; what only the sample observed may. */
function coversAll(view: SampleView, sample: SampleView): boolean {
  return (sample.observed & ~view.observed) === 0 && ((sample.observed ^ view.observed) & HEADER_BITS) === 0;
}

const HEADER_BITS = bitsOf(['headers.core', 'headers.extended', 'headers.names', 'challenge']);

function sameChain(a: SampleView, b: SampleView): boolean {
  return (
    a.redirects.length === b.redirects.length &&
    a.redirects.every(
      ({ status, toUrl }, at) => status === b.redirects[at]?.status && toUrl === b.redirects[at]?.toUrl,
    )
  );
}

function likenessOfHeaders(a: SampleView, b: SampleView): Likeness {
  const [own, other] = [a.response?.headers, b.response?.headers];
  if (!own || !other) return 'different';
  if (!sameLines(own.otherNames ?? [], other.otherNames ?? [])) return 'different';
  let likeness: Likeness = 'identical';
  for (const family of FAMILIES) {
    const found = likenessOfFamily(own[family] ?? NO_HEADERS, other[family] ?? NO_HEADERS);
    if (found === 'different') return found;
    if (found === 'alike') likeness = found;
  }
  return likeness;
}

function likenessOfFamily(x: Family, y: Family): Likeness {
  let likeness: Likeness = 'identical';
  let more = 0;
  for (const _ in y) more++;
  for (const name in x) {
    more--;
    if (isSameLine(x[name], y[name])) continue;
    if (!isSameField(name, linesOf(x[name]), linesOf(y[name]))) return 'different';
    likeness = 'alike';
  }
  return more === 0 ? likeness : 'different';
}

type Family = Readonly<Record<string, string | readonly string[]>>;

const NO_HEADERS: Family = {};
const FAMILIES = ['core', 'accessControl', 'extended'] as const;

/** Both samples are of one side, so no hosts have to be mapped. */
function isSameField(
  name: string,
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): boolean {
  if (a === undefined || b === undefined) return false;
  if (VOLATILE_HEADERS.has(name)) return true;
  if (name === 'content-security-policy') return withoutNonces(a.join()) === withoutNonces(b.join());
  return (name === 'vary' && isReordered(a, b)) || canonicalField(name, a) === canonicalField(name, b);
}

/** The most frequent case, and much cheaper to recognize than to bring both into their canonical form. */
function isReordered(a: readonly string[], b: readonly string[]): boolean {
  const [x = '', y = ''] = [a[0], b[0]];
  if (a.length !== 1 || b.length !== 1 || x.length !== y.length) return false;
  return x.split(', ').sort().join() === y.split(', ').sort().join();
}

function linesOf(value: Family[string] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

function isSameLine(a: Family[string] | undefined, b: Family[string] | undefined): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && sameLines(a, b);
}

const FACTS = ['protocol', 'certificate', 'cookies', 'resources', 'exchanges'] as const;

function likenessOfBodies(a: SampleView, b: SampleView): Likeness {
  const [own, other] = [a.envelope.body, b.envelope.body];
  if (!own || !other) return own === other || !b.covers('body') ? 'identical' : 'different';
  if (own.kind !== other.kind || own.normalizedSha256 !== other.normalizedSha256) return 'different';
  if (own.sha256 !== other.sha256) return own.normalizedSha256 === undefined ? 'different' : 'alike';
  // Equal bytes have equal facts, unless someone wrote the envelope by hand.
  const isSame =
    sameJson(a, b) &&
    sameLines(own.text?.blocks ?? [], other.text?.blocks ?? []) &&
    sameFacts(own.html, other.html) &&
    sameFacts(own.markers, other.markers) &&
    sameFacts(own.origins, other.origins);
  return isSame ? 'identical' : 'different';
}

function sameJson(a: SampleView, b: SampleView): boolean {
  const aligned = alignedEntries(a, b);
  if (!aligned) return a.envelope.body?.json === b.envelope.body?.json;
  return aligned.identicalOrder && aligned.sameTypes && aligned.unlike.length === 0;
}

/** Compares two values of an envelope; one that was not observed is not different. */
function sameFacts(a: unknown, b: unknown): boolean {
  if (a === b || a === undefined || b === undefined) return true;
  return isEqual(a, b);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const x = a as Readonly<Record<string, unknown>>;
  const y = b as Readonly<Record<string, unknown>>;
  let more = 0;
  for (const _ in y) more++;
  for (const key in x) {
    more--;
    if (!isEqual(x[key], y[key])) return false;
  }
  return more === 0;
}
