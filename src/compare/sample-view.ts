/**
 * One envelope as rules read it: headers as lines and as canonical, origin-mapped text, fields parsed once, and
 * coverage. It answers only from what was observed; asking for a section outside coverage is the runner's job,
 * which keeps a rule silent then.
 */
import type {
  CoverageSection,
  ProbeError,
  RedirectHop,
  ResponseMetadata,
  Side,
  SignalEnvelope,
} from '../probe/index.js';
import { type CacheFields, cachePolicy } from './fields/cache-policy.js';
import { canonicalField } from './fields/canonical-field.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { type CspPolicy, parseCsp } from './fields/content-security-policy.js';
import { parseDirectives } from './fields/directives.js';
import { type MediaType, parseMediaType } from './fields/media-type.js';
import type { OriginMap } from './origin-map.js';

const NO_HOPS: readonly RedirectHop[] = [];

export class SampleView {
  readonly envelope: SignalEnvelope;
  readonly side: Side;
  readonly origins: OriginMap;
  readonly response: ResponseMetadata | undefined;
  readonly error: ProbeError | undefined;
  readonly redirects: readonly RedirectHop[];
  readonly #observed: ReadonlySet<CoverageSection>;
  readonly #canonical = new Map<string, string | undefined>();
  readonly #parsed = new Map<string, unknown>();

  constructor(envelope: SignalEnvelope, side: Side, origins: OriginMap) {
    this.envelope = envelope;
    this.side = side;
    this.origins = origins;
    const { result } = envelope;
    this.response = 'response' in result ? result.response : undefined;
    this.error = 'error' in result ? result.error : undefined;
    this.redirects = result.redirects ?? NO_HOPS;
    this.#observed = new Set(envelope.coverage?.observed ?? assumedCoverage(envelope));
  }

  covers(section: CoverageSection): boolean {
    return this.#observed.has(section);
  }

  /** The field's lines; undefined when the response does not have it. */
  lines(name: string): readonly string[] | undefined {
    const headers = this.response?.headers;
    if (!headers) return undefined;
    const extended = headers.extended?.[name];
    if (extended) return extended;
    const joined =
      (headers.core as Readonly<Record<string, string | undefined>>)[name] ?? headers.accessControl?.[name];
    return joined === undefined ? undefined : [joined];
  }

  /** As observed, lines joined: what evidence shows. */
  text(name: string): string | null {
    return this.lines(name)?.join(', ') ?? null;
  }

  /** Canonical and origin-mapped: what is compared. */
  canonical(name: string): string | undefined {
    if (this.#canonical.has(name)) return this.#canonical.get(name);
    const lines = this.lines(name);
    const value =
      lines &&
      canonicalField(
        name,
        lines.map((line) => this.map(line)),
      );
    this.#canonical.set(name, value);
    return value;
  }

  /** Names of all headers whose values are known, in code-unit order. */
  headerNames(): readonly string[] {
    return this.parsed('names', () => {
      const headers = this.response?.headers;
      if (!headers) return [];
      return [
        ...Object.keys(headers.core),
        ...Object.keys(headers.accessControl ?? {}),
        ...Object.keys(headers.extended ?? {}),
      ].sort(byCodeUnit);
    });
  }

  map(text: string): string {
    return this.origins.mapText(text, this.side);
  }

  /** Computed once for this sample. */
  parsed<T>(key: string, compute: () => T): T {
    if (this.#parsed.has(key)) return this.#parsed.get(key) as T;
    const value = compute();
    this.#parsed.set(key, value);
    return value;
  }

  get cacheFields(): CacheFields {
    return this.parsed('cache', () => ({
      cacheControl: parseDirectives(this.lines('cache-control') ?? [], ','),
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
    return this.#cspOf('content-security-policy');
  }

  get cspReportOnly(): readonly CspPolicy[] {
    return this.#cspOf('content-security-policy-report-only');
  }

  get finalUrl(): URL | undefined {
    return this.parsed('final-url', () => {
      const text = this.response?.finalUrl;
      return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
    });
  }

  #cspOf(name: string): readonly CspPolicy[] {
    return this.parsed(name, () => parseCsp((this.lines(name) ?? []).map((line) => this.map(line))));
  }
}

/** What an envelope of the first schema, which had no coverage, is known to have looked at. */
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
