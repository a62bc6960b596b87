/**
 * The view that rules have of one envelope: headers as lines and as canonical, origin-mapped text, fields parsed once,
 * and coverage. It holds only facts of sections that were observed. Rules always get two views with the same sections
 * (`narrowedTo`), so a section that one of them lacks is absent from both and cannot differ.
 */
import type {
  CoreHeaderName,
  CoverageSection,
  ProbeError,
  RedirectHop,
  ResponseHeaders,
  ResponseMetadata,
  Side,
  SignalEnvelope,
} from '../probe/index.js';
import { tryUrl } from '../try-url.js';
import { type CacheFields, cachePolicy } from './fields/cache-policy.js';
import { canonicalField, isListField } from './fields/canonical-field.js';
import { type CspPolicy, cspText, parseCsp, withoutNonces } from './fields/content-security-policy.js';
import { type Directives, parseDirectives } from './fields/directives.js';
import { listMembers } from './fields/list-field.js';
import { type MediaType, parseMediaType } from './fields/media-type.js';
import {
  bitsOf,
  FACT_BITS,
  hasSection,
  observedOnly,
  PARSED_BITS,
  type SectionBits,
  sectionsIn,
} from './observed-facts.js';
import type { OriginMap } from './origin-map.js';

const CSP = 'content-security-policy';
const CSP_REPORT_ONLY = 'content-security-policy-report-only';
const SIDE_PAIRS: Readonly<Record<Side, Readonly<Record<Side, readonly [Side, Side]>>>> = {
  left: { left: ['left', 'left'], right: ['left', 'right'] },
  right: { left: ['right', 'left'], right: ['right', 'right'] },
};

export interface SideOfSample {
  readonly side: Side;
  readonly origins: OriginMap;
}

export class SampleView {
  readonly envelope: SignalEnvelope;
  readonly side: Side;
  readonly origins: OriginMap;
  readonly response: ResponseMetadata | undefined;
  readonly error: ProbeError | undefined;
  readonly redirects: readonly RedirectHop[];
  readonly observed: SectionBits;
  readonly #parsed: Map<string, unknown>;
  #narrowed: Map<SectionBits, SampleView> | undefined;
  #lines: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(
    envelope: SignalEnvelope,
    { side, origins }: SideOfSample,
    parsed = new Map<string, unknown>(),
  ) {
    this.observed = bitsOf(envelope.coverage?.observed ?? assumedCoverage(envelope));
    this.envelope = observedOnly(envelope, this.observed);
    this.side = side;
    this.origins = origins;
    this.#parsed = parsed;
    const { result } = this.envelope;
    this.response = 'response' in result ? result.response : undefined;
    this.error = 'error' in result ? result.error : undefined;
    this.redirects = result.redirects ?? [];
  }

  covers(section: CoverageSection): boolean {
    return hasSection(this.observed, section);
  }

  /** This view without the facts of sections that the other one does not cover; itself if there are none. */
  narrowedTo(other: SampleView): SampleView {
    const missing = this.observed & ~other.observed & FACT_BITS;
    if (missing === 0) return this;
    const known = this.#narrowed?.get(missing);
    if (known) return known;
    const observed = sectionsIn(this.observed & ~missing);
    const envelope = { ...this.envelope, coverage: { ...this.envelope.coverage, observed } };
    // What is parsed from the response itself stays valid.
    const parsed = (missing & PARSED_BITS) === 0 ? this.#parsed : new Map<string, unknown>();
    const view = new SampleView(envelope, this, parsed);
    this.#narrowed ??= new Map();
    this.#narrowed.set(missing, view);
    return view;
  }

  /** All headers whose value is known, with their lines. */
  get headers(): ReadonlyMap<string, readonly string[]> {
    this.#lines ??= linesOf(this.response?.headers);
    return this.#lines;
  }

  /** The field's lines; undefined if the response does not have it. */
  lines(name: string): readonly string[] | undefined {
    return this.headers.get(name);
  }

  /** The observed value on one line, however it was split: the form shown as evidence. */
  text(name: string): string | null {
    const lines = this.lines(name);
    if (lines === undefined) return null;
    return isListField(name) ? listMembers(lines).join(', ') : lines.join(', ');
  }

  /** The canonical, origin-mapped value: the form that is compared. */
  canonical(name: string): string | undefined {
    return this.parsed(`canonical ${name}`, () => {
      if (name === CSP) return this.lines(name) && cspText(this.csp);
      if (name === CSP_REPORT_ONLY) return this.lines(name) && cspText(this.cspReportOnly);
      const lines = this.lines(name)?.map((line) => this.map(line));
      return lines && canonicalField(name, lines);
    });
  }

  map(text: string): string {
    return this.origins.mapText(text, this.side);
  }

  /** Whether two texts are equal after origin mapping. */
  sameMapped(text: string, other: SampleView, otherText: string): boolean {
    return (
      text === otherText ||
      this.origins.isTwin(text, otherText, SIDE_PAIRS[this.side][other.side]) ||
      this.map(text) === other.map(otherText)
    );
  }

  /** Computes a value once per sample. */
  parsed<T>(key: string, compute: () => T): T {
    const known = this.#parsed.get(key);
    if (known !== undefined || this.#parsed.has(key)) return known as T;
    const value = compute();
    this.#parsed.set(key, value);
    return value;
  }

  /** Computes a value once per pair of samples. */
  parsedWith<T>(other: SampleView, key: string, compute: () => T): T {
    const known = this.parsed(key, () => new Map<SampleView, T>());
    const value = known.get(other) ?? compute();
    known.set(other, value);
    return value;
  }

  /** The directives of a field; empty if the response does not have it. */
  directives(name: string, separator: ',' | ';'): Directives {
    return parseDirectives(this.lines(name) ?? [], separator);
  }

  get cacheFields(): CacheFields {
    return this.parsed('cache', () => ({
      cacheControl: this.directives('cache-control', ','),
      expires: this.lines('expires')?.[0],
      date: this.lines('date')?.[0],
    }));
  }

  get cachePolicy() {
    return this.parsed('cache-policy', () => cachePolicy(this.cacheFields));
  }

  get mediaType(): MediaType | undefined {
    return this.parsed('media-type', () => parseMediaType(this.lines('content-type')?.[0] ?? ''));
  }

  /** Enforced policies, origin-mapped. */
  get csp(): readonly CspPolicy[] {
    return this.parsed('csp', () => parseCsp([this.cspText]));
  }

  get cspReportOnly(): readonly CspPolicy[] {
    return this.parsed('csp-report-only', () => parseCsp([this.#plainCsp(CSP_REPORT_ONLY)]));
  }

  /** The enforced policies as written, except for hosts and nonces. If two are equal, they need not be parsed. */
  get cspText(): string {
    return this.parsed('csp-text', () => this.#plainCsp(CSP));
  }

  #plainCsp(name: string): string {
    return this.map(withoutNonces(this.lines(name)?.join(', ') ?? ''));
  }

  get finalUrl(): URL | undefined {
    return this.parsed('final-url', () => this.response && tryUrl(this.response.finalUrl));
  }

  get requestedUrl(): URL | undefined {
    return this.parsed('requested-url', () => tryUrl(this.envelope.requestedUrl));
  }
}

/** Merges all header families, because rules look headers up by name. */
function linesOf(headers: ResponseHeaders | undefined): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, readonly string[]>();
  if (!headers) return lines;
  const { core, accessControl, extended } = headers;
  for (const name in core) lines.set(name, [core[name as CoreHeaderName] ?? '']);
  for (const name in accessControl) lines.set(name, [accessControl[name] ?? '']);
  for (const name in extended) lines.set(name, extended[name] ?? []);
  return lines;
}

/** The sections that an envelope of schema version 1, which had no coverage, is known to have observed. */
function assumedCoverage({ result, cf }: SignalEnvelope): readonly CoverageSection[] {
  const always: CoverageSection[] = ['outcome', 'redirects', ...(cf ? (['cf'] as const) : [])];
  if (!('response' in result)) return always;
  const { headers, bodyHash } = result.response;
  return [
    ...always,
    'status',
    'headers.core',
    'challenge',
    'timing',
    ...(headers.extended ? (['headers.extended'] as const) : []),
    ...(bodyHash === undefined ? [] : (['body'] as const)),
  ];
}
