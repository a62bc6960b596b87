/**
 * What one look at one side found: the data every rule of a comparison reads, and nothing else does.
 *
 * The fields of schema version 1 keep their names and meaning for ever; what was added later is optional, so
 * that an old envelope still reads. Every string that came over the wire is redacted before it gets in here, and of
 * a body only bounded facts do. What was not looked at is missing from `coverage`: a rule must never read an absent field
 * as "the site does not send it" without asking there first.
 */
import type { BodyFacts } from './body-facts.js';
import type { Exchanges } from './exchange-facts.js';

export const ENVELOPE_SCHEMA_VERSION = 1;

export type Side = 'left' | 'right';
export type ProbeProfile = 'core' | 'full';

export interface SignalEnvelope {
  readonly schemaVersion: typeof ENVELOPE_SCHEMA_VERSION;
  /** `unknown` until the caller names it; see `identifyEnvelope`. */
  readonly comparisonId: string;
  /** `${comparisonId}:${side}`, for every sample of that side. */
  readonly probeId: string;
  readonly side: Side;
  readonly requestedUrl: string;
  /** ISO 8601, the start of the probe. Rules that need "now" (a certificate's expiry) take this. */
  readonly capturedAt: string;
  readonly cf?: CfContext;
  readonly result: ProbeResult;

  /** 1 for the probe a side is known by, 2… for resamples. */
  readonly sample?: number;
  readonly source?: EnvelopeSource;
  readonly request?: RequestFacts;
  readonly coverage?: Coverage;
  /** One entry for each request that got a response head, the last one included. */
  readonly hops?: readonly HopFacts[];
  /** Of the last hop. */
  readonly phases?: Phases;
  /** Of the last hop, as ALPN writes it: `http/1.1`, `h2`, `h3`. */
  readonly protocol?: string;
  /** Of the last hop. */
  readonly address?: AddressFacts;
  /** Of the last hop. */
  readonly certificate?: CertificateFacts;
  /** Set-Cookie lines of the last response, in their order: names and flags, never values. */
  readonly cookies?: readonly CookieFacts[];
  readonly body?: BodyFacts;
  /** Once a side, with its first sample, profile `full`. */
  readonly exchanges?: Exchanges;
  /** Assets of the page with their status: what a recording has, or what HEAD requests of a `full` probe found. */
  readonly resources?: readonly ResourceFacts[];
}

/** Where the runner stands, as its platform tells. */
export interface CfContext {
  readonly colo?: string;
  readonly country?: string;
  readonly asn?: number;
  readonly asOrganization?: string;
  readonly tlsVersion?: string;
  readonly httpProtocol?: string;
}

/** Told apart by the presence of `response` or `error`; `ok` is true below status 400. */
export type ProbeResult = ProbeSuccess | ProbeResponseError | ProbeNetworkFailure;

export interface ProbeSuccess {
  readonly ok: true;
  readonly response: ResponseMetadata;
  /** Absent when there were none. */
  readonly redirects?: readonly RedirectHop[];
  /** From the first request to the last response head, over all hops. */
  readonly durationMs: number;
}

export interface ProbeResponseError {
  readonly ok: false;
  readonly response: ResponseMetadata;
  readonly redirects?: readonly RedirectHop[];
  readonly durationMs: number;
}

export interface ProbeNetworkFailure {
  readonly ok: false;
  readonly error: ProbeError;
  /** The hops before the failure; a refused, looping or surplus one is the last. */
  readonly redirects?: readonly RedirectHop[];
  readonly durationMs?: number;
}

export interface ProbeError {
  readonly code: ProbeErrorCode;
  readonly message: string;
  readonly details?: ProbeErrorDetails;
}

export interface ProbeErrorDetails {
  /** `dns`, `connect`, `tls`, `head`, `body`, `decode`. */
  readonly phase?: string;
  /** The platform's own word: `ENOTFOUND`, `CERT_HAS_EXPIRED`. */
  readonly reason?: string;
  /** The rule and the step of the policy that refused. */
  readonly rule?: string;
  readonly step?: string;
  /** The URL of the hop that failed, and its number from 0. */
  readonly url?: string;
  readonly hop?: number;
}

export const PROBE_ERROR_CODES = [
  'invalid_url',
  'dns_error',
  'timeout',
  'tls_error',
  'ssrf_blocked',
  'fetch_error',
  'unknown_error',
  'connect_error',
  'redirect_loop',
  'redirect_missing_location',
  'redirect_invalid_location',
  'redirect_limit',
  'redirect_downgrade',
  'redirect_body',
  'response_too_large',
  'header_too_large',
  'decode_error',
  'canceled',
] as const;
export type ProbeErrorCode = (typeof PROBE_ERROR_CODES)[number];

export interface RedirectHop {
  readonly fromUrl: string;
  readonly toUrl: string;
  readonly status: number;
}

export interface ResponseMetadata {
  readonly status: number;
  readonly finalUrl: string;
  readonly headers: ResponseHeaders;
  /** What the Content-Length field says: bytes on the wire, before decoding. */
  readonly contentLength?: number;
  /** SHA-256 of the whole decoded body, lower-case hex; absent if it was cut, broken or not read. */
  readonly bodyHash?: string;
}

export const CORE_HEADER_NAMES = [
  'cache-control',
  'content-type',
  'location',
  'vary',
  'www-authenticate',
] as const;
export type CoreHeaderName = (typeof CORE_HEADER_NAMES)[number];

export interface ResponseHeaders {
  /** Repeated lines are joined with a comma and a blank, as RFC 9110 §5.3 allows. */
  readonly core: Readonly<Partial<Record<CoreHeaderName, string>>>;
  /** Any `access-control-*`; absent when there is none. */
  readonly accessControl?: Readonly<Record<string, string>>;
  /** The names of `extended-headers.ts`, each with its lines in their order. */
  readonly extended?: Readonly<Record<string, readonly string[]>>;
  /** Names, without values, of all other response headers; sorted by code unit. */
  readonly otherNames?: readonly string[];
}

export interface HopFacts {
  readonly url: string;
  readonly status: number;
  readonly protocol?: string;
  readonly address?: AddressFacts;
  readonly tlsVersion?: string;
  readonly certificate?: CertificateFacts;
  readonly phases?: Phases;
}

/** Milliseconds; a phase that did not happen (a reused socket, a literal host) is absent. */
export interface Phases {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly ttfb?: number;
  readonly download?: number;
}

export interface AddressFacts {
  readonly ip: string;
  readonly port?: number;
  readonly family: 4 | 6;
}

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** As X.509 writes them: `DNS:a.example`, `IP Address:10.0.0.1`. */
  readonly altNames: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly serialNumber?: string;
  readonly sha256?: string;
  /** Known from the TLS exchange only. */
  readonly keyType?: string;
  readonly keyBits?: number;
  readonly spkiSha256?: string;
}

export interface CookieFacts {
  readonly name: string;
  readonly domain?: string;
  readonly path?: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** As it came, in lower case: `strict`, `lax`, `none`, or what else was sent. */
  readonly sameSite?: string;
  readonly partitioned?: boolean;
  /** Seconds it lives by Max-Age; or from `capturedAt` by Expires, rounded to whole minutes. */
  readonly lifetimeSeconds?: number;
  /** The value is empty or the lifetime is over: the line deletes the cookie. */
  readonly deletes?: boolean;
}

export interface ResourceFacts {
  readonly url: string;
  readonly method: string;
  /** Absent where the request was blocked or failed. */
  readonly status?: number;
  readonly error?: string;
  readonly kind: 'document' | 'script' | 'style' | 'image' | 'font' | 'media' | 'fetch' | 'other';
  readonly contentType?: string;
}

/** What was asked, as far as it shapes the answer. Names of headers, never their values. */
export interface RequestFacts {
  readonly method: string;
  readonly profile?: ProbeProfile;
  /** Every request header sent by name, sorted; `sideHeaderNames` are those given for this side. */
  readonly headerNames: readonly string[];
  readonly sideHeaderNames?: readonly string[];
  readonly userAgent?: string;
  readonly accept?: string;
  readonly acceptLanguage?: string;
  readonly acceptEncoding?: string;
  readonly hadCookies?: boolean;
  readonly hadAuthorization?: boolean;
}

export interface EnvelopeSource {
  readonly kind: 'active' | 'har';
  /** Active: `node`, `workers`. HAR: the recorder's name and version. */
  readonly runner?: string;
  readonly region?: string;
  readonly version?: string;
  /** How sure the door is that the judged address was the dialled one. */
  readonly assurance?: 'pinned' | 'checked';
  /** HAR: cookies and credentials were taken out by the recorder. */
  readonly sanitized?: boolean;
  /** HAR: where the answer came from. */
  readonly cacheState?: 'network' | 'cache' | 'revalidated';
}

export const COVERAGE_SECTIONS = [
  'outcome',
  'status',
  'redirects',
  'headers.core',
  'headers.extended',
  'headers.names',
  'cookies',
  'challenge',
  'timing',
  'phases',
  'protocol',
  'address',
  'certificate',
  'body',
  'body.content',
  'exchanges.preflight',
  'exchanges.origins',
  'exchanges.head',
  'exchanges.options',
  'exchanges.conditional',
  'exchanges.httpVariant',
  'exchanges.robots',
  'exchanges.dns',
  'exchanges.tls',
  'resources',
  'cf',
] as const;
/**
 * `body` is size and hash; `body.content` the facts read from it, whatever its kind. `challenge` is
 * WWW-Authenticate, which a sanitised HAR has lost although it has `headers.core`.
 */
export type CoverageSection = (typeof COVERAGE_SECTIONS)[number];

export const COVERAGE_GAPS = [
  'profile',
  'platform',
  'sanitized',
  'budget',
  'failed',
  'not-applicable',
] as const;
export type CoverageGap = (typeof COVERAGE_GAPS)[number];

export interface Coverage {
  /** Sections that were looked at, in the order of `COVERAGE_SECTIONS`: absence inside them is a fact. */
  readonly observed: readonly CoverageSection[];
  /** Why a section was not, where it is known. */
  readonly gaps?: Readonly<Partial<Record<CoverageSection, CoverageGap>>>;
}
