/**
 * The view that rules have of one envelope: headers as lines and as canonical, origin-mapped text, fields parsed once,
 * and coverage. The runner skips rules that need a section which was not observed.
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
import { type CacheFields, cachePolicy } from './fields/cache-policy.js';
import { canonicalField, isListField } from './fields/canonical-field.js';
import { type CspPolicy, cspText, parseCsp, withoutNonces } from './fields/content-security-policy.js';
import { type Directives, parseDirectives } from './fields/directives.js';
import { listMembers } from './fields/list-field.js';
import { type MediaType, parseMediaType } from './fields/media-type.js';
import type { OriginMap } from './origin-map.js';
import type { UrlReader } from './url-reader.js';

const CSP = 'content-security-policy';
const CSP_REPORT_ONLY = 'content-security-policy-report-only';
const NO_POLICIES: readonly CspPolicy[] = [];
const NO_LINES: readonly string[] = [];
const NO_HOPS: readonly RedirectHop[] = [];
const SIDE_PAIRS: Readonly<Record<Side, Readonly<Record<Side, readonly [Side, Side]>>>> = {
  left: { left: ['left', 'left'], right: ['left', 'right'] },
  right: { left: ['right', 'left'], right: ['right', 'right'] },
};

/** What all samples of one comparison share. */
export interface ComparisonScope {
  readonly origins: OriginMap;
  readonly urls: UrlReader;
}

export class SampleView {
  readonly envelope: SignalEnvelope;
  readonly side: Side;
  readonly origins: OriginMap;
  readonly response: ResponseMetadata | undefined;
  readonly error: ProbeError | undefined;
  readonly redirects: readonly RedirectHop[];
  readonly #coverage: ReadonlySet<CoverageSection>;
  #lines: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #scope: ComparisonScope;
  #canonical: Map<string, string | undefined> | undefined;
  #parsed: Map<string, unknown> | undefined;
  #cspText: string | undefined;
  #csp: readonly CspPolicy[] | undefined;
  #cspReportOnly: readonly CspPolicy[] | undefined;

  constructor(envelope: SignalEnvelope, side: Side, scope: ComparisonScope) {
    this.envelope = envelope;
    this.side = side;
    this.#scope = scope;
    this.origins = scope.origins;
    const { result } = envelope;
    this.response = 'response' in result ? result.response : undefined;
    this.error = 'error' in result ? result.error : undefined;
    this.redirects = result.redirects ?? NO_HOPS;
    this.#coverage = new Set(envelope.coverage?.observed ?? assumedCoverage(envelope));
  }

  covers(section: CoverageSection): boolean {
    return this.#coverage.has(section);
  }

  /** The field's lines; undefined if the response does not have it. */
  lines(name: string): readonly string[] | undefined {
    this.#lines ??= linesOf(this.response?.headers);
    return this.#lines.get(name);
  }

  /** The observed value on one line, however it was split: the form shown as evidence. */
  text(name: string): string | null {
    const lines = this.lines(name);
    if (lines === undefined) return null;
    return isListField(name) ? listMembers(lines).join(', ') : lines.join(', ');
  }

  /** The canonical, origin-mapped value: the form that is compared. */
  canonical(name: string): string | undefined {
    this.#canonical ??= new Map();
    const known = this.#canonical.get(name);
    if (known !== undefined) return known;
    const lines = this.lines(name);
    if (!lines) return undefined;
    const policies = this.#policiesOf(name);
    const value = policies ? cspText(policies) : this.#canonicalOf(name, lines);
    this.#canonical.set(name, value);
    return value;
  }

  /** The parsed policies, if the field is a content security policy. */
  #policiesOf(name: string): readonly CspPolicy[] | undefined {
    if (name === CSP) return this.csp;
    return name === CSP_REPORT_ONLY ? this.cspReportOnly : undefined;
  }

  #canonicalOf(name: string, lines: readonly string[]): string {
    return canonicalField(
      name,
      lines.map((line) => this.map(line)),
    );
  }

  /** Visits every header whose value is known, in no particular order. */
  eachHeader(visit: (name: string, lines: readonly string[]) => void): void {
    this.#lines ??= linesOf(this.response?.headers);
    this.#lines.forEach((lines, name) => {
      visit(name, lines);
    });
  }

  /** How many headers have a known value. */
  get headerCount(): number {
    this.#lines ??= linesOf(this.response?.headers);
    return this.#lines.size;
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
    this.#parsed ??= new Map();
    const known = this.#parsed.get(key);
    if (known !== undefined || this.#parsed.has(key)) return known as T;
    const value = compute();
    this.#parsed.set(key, value);
    return value;
  }

  /** The directives of a field; empty if the response does not have it. */
  directives(name: string, separator: ',' | ';'): Directives {
    return parseDirectives(this.lines(name) ?? NO_LINES, separator);
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
    this.#csp ??= this.#readCsp(CSP);
    return this.#csp;
  }

  get cspReportOnly(): readonly CspPolicy[] {
    this.#cspReportOnly ??= this.#readCsp(CSP_REPORT_ONLY);
    return this.#cspReportOnly;
  }

  get finalUrl(): URL | undefined {
    const text = this.response?.finalUrl;
    return text === undefined ? undefined : this.#scope.urls.read(text);
  }

  get requestedUrl(): URL | undefined {
    return this.#scope.urls.read(this.envelope.requestedUrl);
  }

  /** The enforced policies as written, except for hosts and nonces. If two are equal, they need not be parsed. */
  get cspText(): string {
    this.#cspText ??= this.#plainCsp(this.lines(CSP) ?? []);
    return this.#cspText;
  }

  #plainCsp(lines: readonly string[]): string {
    const text = lines.length === 1 ? (lines[0] ?? '') : lines.join(', ');
    return this.map(withoutNonces(text));
  }

  #readCsp(name: string): readonly CspPolicy[] {
    const lines = this.lines(name);
    if (!lines) return NO_POLICIES;
    const text = name === CSP ? this.cspText : this.#plainCsp(lines);
    return parseCsp([text]);
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
