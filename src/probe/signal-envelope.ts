/**
 * The result of one probe of one side, and the only data that comparison rules read. The types, the validation of
 * imported envelopes and the OpenAPI document all derive from the schema in this file.
 *
 * The fields of schema version 1 keep their names and meaning forever. Later additions are optional, so that old
 * envelopes stay valid. Every string from the wire is redacted before it is stored, and of a body only bounded facts
 * are kept. Sections that were not observed are missing from `coverage`: before a rule treats an absent field as "the
 * site does not send it", it must check there.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { body } from './body-facts.js';
import { address, certificate, phases } from './connection-facts.js';
import { exchanges } from './exchange-facts.js';
import { count, line, lines, ms, opt, short, status, texts } from './field-schemas.js';

export const ENVELOPE_SCHEMA_VERSION = 1;

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

export const CORE_HEADER_NAMES = [
  'cache-control',
  'content-type',
  'location',
  'vary',
  'www-authenticate',
] as const;

/**
 * `body` is the size and hash; `body.content` is the facts extracted from it. `challenge` is WWW-Authenticate, which a
 * sanitized HAR lacks although it has `headers.core`.
 */
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

const COVERAGE_GAPS = ['profile', 'platform', 'sanitized', 'budget', 'failed', 'not-applicable'] as const;

export const sideSchema = z.enum(['left', 'right']);
const profile = z.enum(['core', 'full']);

const cf = z
  .object({
    colo: opt(short),
    country: opt(short),
    asn: opt(z.number()),
    asOrganization: opt(short),
    tlsVersion: opt(short),
    httpProtocol: opt(short),
  })
  .describe('Location of the runner, as its platform reports it.');

export const CF_FIELDS = cf.keyof().options;

export const redirectHop = z.object({ fromUrl: line, toUrl: line, status });
const redirects = z.array(redirectHop).max(100);

const responseHeaders = z.object({
  core: z
    .partialRecord(z.enum(CORE_HEADER_NAMES), line)
    .describe('Repeated lines are joined by a comma and a space (RFC 9110, section 5.3).'),
  accessControl: opt(z.record(short, line).describe('All `access-control-*` headers.')),
  extended: opt(lines.describe('Other listed headers, each with its lines in order.')),
  otherNames: opt(texts.describe('Names, without values, of all other headers; sorted.')),
});
const response = z.object({
  status,
  finalUrl: line,
  headers: responseHeaders,
  contentLength: opt(count.describe('The Content-Length field: bytes on the wire, before decoding.')),
  bodyHash: opt(short.describe('SHA-256 of the whole decoded body. Absent if it was truncated or not read.')),
});

const probeError = z.object({
  code: z.enum(PROBE_ERROR_CODES),
  message: line,
  details: opt(
    z.object({
      phase: opt(short.describe('`dns`, `connect`, `tls`, `head`, `body` or `decode`.')),
      reason: opt(short.describe("The platform's own code, such as `ENOTFOUND`.")),
      rule: opt(short.describe('The rule of the address policy that blocked the request.')),
      step: opt(short.describe('The step of the address policy that blocked the request.')),
      url: opt(line.describe('URL of the hop that failed.')),
      hop: opt(count.describe('Number of the hop that failed, from 0.')),
    }),
  ),
});

const duration = ms.describe('From the first request to the last response head, over all hops.');
const answered = { response, redirects: opt(redirects), durationMs: duration };
const success = z.object({ ok: z.literal(true), ...answered });
const responseError = z.object({ ok: z.literal(false), ...answered });
const networkFailure = z.object({
  ok: z.literal(false),
  error: probeError,
  redirects: opt(
    redirects.describe(
      'The hops before the failure. The last may be one that was refused or exceeded the limit.',
    ),
  ),
  durationMs: opt(duration),
});
const result = z
  .union([success, responseError, networkFailure])
  .describe('Has either `response` or `error`. `ok` is true below status 400.');

const source = z.object({
  kind: z.enum(['active', 'har']),
  runner: opt(short.describe("`node`, `workers`, or the HAR recorder's name and version.")),
  region: opt(short),
  version: opt(short),
  assurance: opt(
    z.enum(['pinned', 'checked']).describe('How certain it is that the checked address was dialled.'),
  ),
  sanitized: opt(z.boolean().describe('HAR: the recorder removed cookies and credentials.')),
  cacheState: opt(z.enum(['network', 'cache', 'revalidated'])),
});

const request = z.object({
  method: short,
  profile: opt(profile),
  headerNames: texts.describe('Names of all request headers, sorted.'),
  sideHeaderNames: opt(texts.describe('Names of the headers given for this side.')),
  userAgent: opt(line),
  accept: opt(line),
  acceptLanguage: opt(line),
  acceptEncoding: opt(line),
  hadCookies: opt(z.boolean()),
  hadAuthorization: opt(z.boolean()),
});

const coverage = z.object({
  observed: z
    .array(z.enum(COVERAGE_SECTIONS))
    .max(COVERAGE_SECTIONS.length)
    .describe('Sections that were observed: a value missing from them was absent.'),
  gaps: opt(
    z
      .partialRecord(z.enum(COVERAGE_SECTIONS), z.enum(COVERAGE_GAPS))
      .describe('Why a section was not observed, if known.'),
  ),
});

const hop = z.object({
  url: line,
  status,
  protocol: opt(short),
  address: opt(address),
  tlsVersion: opt(short),
  certificate: opt(certificate),
  phases: opt(phases),
});

const cookie = z.object({
  name: line,
  domain: opt(line),
  path: opt(line),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  sameSite: opt(short.describe('In lower case: `strict`, `lax`, `none`, or any other value that was sent.')),
  partitioned: opt(z.boolean()),
  lifetimeSeconds: opt(
    z.number().describe('From Max-Age, or from Expires relative to `capturedAt`, rounded to minutes.'),
  ),
  deletes: opt(z.boolean().describe('The line deletes the cookie: no value, or no lifetime left.')),
});

const resource = z.object({
  url: line,
  method: short,
  status: opt(status.describe('Absent if the request was blocked or failed.')),
  error: opt(line),
  kind: z.enum(['document', 'script', 'style', 'image', 'font', 'media', 'fetch', 'other']),
  contentType: opt(short),
});

export const envelopeSchema = z
  .object({
    schemaVersion: z.literal(ENVELOPE_SCHEMA_VERSION),
    comparisonId: short.describe('`unknown` until the caller assigns one.'),
    probeId: short.describe('`{comparisonId}:{side}`, the same for every sample of that side.'),
    side: sideSchema,
    requestedUrl: line,
    capturedAt: z.iso.datetime({ offset: true }).describe('Start of the probe.'),
    cf: opt(cf),
    result,
    sample: opt(z.int().min(1).describe('1 for the first probe of a side, 2… for resamples.')),
    source: opt(source),
    request: opt(request),
    coverage: opt(coverage),
    hops: opt(z.array(hop).max(100).describe('One entry per request that got a response head.')),
    phases: opt(phases),
    protocol: opt(short.describe('Of the last hop, in ALPN notation: `http/1.1`, `h2`, `h3`.')),
    address: opt(address),
    certificate: opt(certificate),
    cookies: opt(
      z.array(cookie).max(300).describe('Set-Cookie lines in order: names and flags, never values.'),
    ),
    body: opt(body),
    exchanges: opt(exchanges.describe('Once per side, with its first sample, in profile `full`.')),
    resources: opt(
      z
        .array(resource)
        .max(5000)
        .describe('What else the page loads: from a HAR recording, or checked with HEAD requests.'),
    ),
  })
  .meta({ id: 'SignalEnvelope' });

export type SignalEnvelope = DeepReadonly<z.infer<typeof envelopeSchema>>;
export type Side = z.infer<typeof sideSchema>;
export type ProbeProfile = z.infer<typeof profile>;
export type CfContext = DeepReadonly<z.infer<typeof cf>>;
export type ProbeResult = DeepReadonly<z.infer<typeof result>>;
export type ProbeError = DeepReadonly<z.infer<typeof probeError>>;
export type ProbeErrorCode = ProbeError['code'];
export type RedirectHop = DeepReadonly<z.infer<typeof redirectHop>>;
export type ResponseMetadata = DeepReadonly<z.infer<typeof response>>;
export type ResponseHeaders = DeepReadonly<z.infer<typeof responseHeaders>>;
export type CoreHeaderName = (typeof CORE_HEADER_NAMES)[number];
export type HopFacts = DeepReadonly<z.infer<typeof hop>>;
export type CookieFacts = DeepReadonly<z.infer<typeof cookie>>;
export type ResourceFacts = DeepReadonly<z.infer<typeof resource>>;
export type RequestFacts = DeepReadonly<z.infer<typeof request>>;
export type EnvelopeSource = DeepReadonly<z.infer<typeof source>>;
export type Coverage = DeepReadonly<z.infer<typeof coverage>>;
export type CoverageSection = (typeof COVERAGE_SECTIONS)[number];
export type CoverageGap = (typeof COVERAGE_GAPS)[number];
