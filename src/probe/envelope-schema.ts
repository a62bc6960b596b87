/**
 * The form of an envelope that comes from a file or another process, and the door through which it is read.
 * Unknown fields are dropped (a later version may add some), every list and text has a bound, and a wrong
 * field is named. What passes is a `SignalEnvelope` by type.
 */
import * as z from 'zod';
import { SondeError } from '../errors.js';
import { BODY_FACT_LIMITS } from './body-facts.js';
import {
  CORE_HEADER_NAMES,
  COVERAGE_GAPS,
  COVERAGE_SECTIONS,
  ENVELOPE_SCHEMA_VERSION,
  PROBE_ERROR_CODES,
  type SignalEnvelope,
} from './signal-envelope.js';

const line = z.string().max(16_384);
const short = z.string().max(1024);
const texts = z.array(line).max(2000);
const count = z.int().min(0);
const ms = z.number().min(0);
const opt = <T extends z.ZodType>(schema: T) => z.exactOptional(schema);
const status = z.int().min(100).max(999);
const fault = z.object({ code: short, message: line });
const lines = z.record(short, texts);

const phases = z.object({
  dns: opt(ms),
  connect: opt(ms),
  tls: opt(ms),
  ttfb: opt(ms),
  download: opt(ms),
});
const address = z.object({
  ip: short,
  port: opt(z.int().min(0).max(65_535)),
  family: z.union([z.literal(4), z.literal(6)]),
});
const certificate = z.object({
  subject: line,
  issuer: line,
  altNames: texts,
  validFrom: short,
  validTo: short,
  serialNumber: opt(short),
  sha256: opt(short),
  keyType: opt(short),
  keyBits: opt(count),
  spkiSha256: opt(short),
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

const redirects = z.array(z.object({ fromUrl: line, toUrl: line, status })).max(100);
const response = z.object({
  status,
  finalUrl: line,
  headers: z.object({
    core: z.partialRecord(z.enum(CORE_HEADER_NAMES), line),
    accessControl: opt(z.record(short, line)),
    extended: opt(lines),
    otherNames: opt(texts),
  }),
  contentLength: opt(count),
  bodyHash: opt(short),
});
const result = z.union([
  z.object({ ok: z.literal(true), response, redirects: opt(redirects), durationMs: ms }),
  z.object({ ok: z.literal(false), response, redirects: opt(redirects), durationMs: ms }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: z.enum(PROBE_ERROR_CODES),
      message: line,
      details: opt(
        z.object({
          phase: opt(short),
          reason: opt(short),
          rule: opt(short),
          step: opt(short),
          url: opt(line),
          hop: opt(count),
        }),
      ),
    }),
    redirects: opt(redirects),
    durationMs: opt(ms),
  }),
]);

const cookie = z.object({
  name: line,
  domain: opt(line),
  path: opt(line),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  sameSite: opt(short),
  partitioned: opt(z.boolean()),
  lifetimeSeconds: opt(z.number()),
  deletes: opt(z.boolean()),
});

const json = z.object({
  entries: z
    .array(
      z.object({
        pointer: line,
        type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
        value: opt(line),
        length: opt(count),
      }),
    )
    .max(BODY_FACT_LIMITS.jsonEntries),
  truncated: z.boolean(),
});
const metas = z.array(z.object({ name: short, content: line })).max(1000);
const html = z.object({
  title: opt(line),
  lang: opt(short),
  charset: opt(short),
  canonical: opt(line),
  base: opt(line),
  description: opt(line),
  robots: texts,
  viewport: opt(line),
  generator: opt(line),
  metas,
  httpEquiv: metas,
  alternates: z.array(z.object({ hreflang: short, href: line })).max(1000),
  headings: z.array(z.object({ level: z.int().min(1).max(6), text: line })).max(1000),
  landmarks: z.record(short, count),
  forms: z
    .array(z.object({ method: short, action: opt(line), fields: texts, hasPassword: z.boolean() }))
    .max(1000),
  assets: z
    .array(
      z.object({
        kind: z.enum(['script', 'style', 'image', 'frame', 'media', 'font', 'object', 'other']),
        url: line,
        integrity: opt(line),
        crossorigin: opt(short),
      }),
    )
    .max(2000),
  links: texts,
  inlineScripts: count,
  inlineStyles: count,
  structuredData: texts,
  elements: count,
  textChars: count,
  truncated: z.boolean(),
});
const markers = [
  'challenge',
  'login',
  'stack-trace',
  'debug-page',
  'framework-error',
  'directory-listing',
  'source-map',
  'not-found-text',
  'maintenance',
  'default-page',
] as const;
const body = z.object({
  bytes: count,
  sha256: opt(short),
  normalizedSha256: opt(short),
  normalizedChars: opt(count),
  truncated: z.boolean(),
  wireBytes: opt(count),
  kind: z.enum(['json', 'html', 'text', 'binary', 'empty']),
  error: opt(fault),
  json: opt(json),
  html: opt(html),
  text: opt(z.object({ blocks: texts, cut: z.boolean() })),
  origins: opt(z.array(z.object({ origin: line, count })).max(1000)),
  markers: opt(z.array(z.object({ type: z.enum(markers), name: short })).max(1000)),
});

const exchangeFields = { status: opt(status), headers: opt(lines), error: opt(fault) };
const exchanges = z.object({
  preflight: opt(z.object({ ...exchangeFields, origin: line, method: short, requestHeaders: line })),
  origins: opt(
    z.array(z.object({ ...exchangeFields, origin: line, relation: z.enum(['own', 'foreign']) })).max(10),
  ),
  head: opt(z.object(exchangeFields)),
  options: opt(z.object(exchangeFields)),
  conditional: opt(z.object({ ...exchangeFields, validator: z.enum(['etag', 'last-modified']) })),
  httpVariant: opt(z.object({ ...exchangeFields, url: line })),
  robots: opt(
    z.object({
      ...exchangeFields,
      robots: opt(
        z.object({
          groups: z.array(z.object({ agents: texts, allow: texts, disallow: texts })).max(1000),
          sitemaps: texts,
          truncated: z.boolean(),
        }),
      ),
    }),
  ),
  dns: opt(
    z.object({
      a: opt(texts),
      aaaa: opt(texts),
      cname: opt(texts),
      caa: opt(texts),
      error: opt(fault),
    }),
  ),
  tls: opt(
    z.object({
      alpn: opt(short),
      version: opt(short),
      cipher: opt(short),
      authorized: opt(z.boolean()),
      authorizationError: opt(short),
      certificate: opt(certificate),
      chain: opt(z.array(z.object({ subject: line, issuer: line })).max(20)),
      error: opt(fault),
    }),
  ),
  requests: count,
  durationMs: ms,
});

const resource = z.object({
  url: line,
  method: short,
  status: opt(status),
  error: opt(line),
  kind: z.enum(['document', 'script', 'style', 'image', 'font', 'media', 'fetch', 'other']),
  contentType: opt(short),
});

export const envelopeSchema = z.object({
  schemaVersion: z.literal(ENVELOPE_SCHEMA_VERSION),
  comparisonId: short,
  probeId: short,
  side: z.enum(['left', 'right']),
  requestedUrl: line,
  capturedAt: z.iso.datetime({ offset: true }),
  cf: opt(
    z.object({
      colo: opt(short),
      country: opt(short),
      asn: opt(z.number()),
      asOrganization: opt(short),
      tlsVersion: opt(short),
      httpProtocol: opt(short),
    }),
  ),
  result,
  sample: opt(z.int().min(1)),
  source: opt(
    z.object({
      kind: z.enum(['active', 'har']),
      runner: opt(short),
      region: opt(short),
      version: opt(short),
      assurance: opt(z.enum(['pinned', 'checked'])),
      sanitized: opt(z.boolean()),
      cacheState: opt(z.enum(['network', 'cache', 'revalidated'])),
    }),
  ),
  request: opt(
    z.object({
      method: short,
      profile: opt(z.enum(['core', 'full'])),
      headerNames: texts,
      sideHeaderNames: opt(texts),
      userAgent: opt(line),
      accept: opt(line),
      acceptLanguage: opt(line),
      acceptEncoding: opt(line),
      hadCookies: opt(z.boolean()),
      hadAuthorization: opt(z.boolean()),
    }),
  ),
  coverage: opt(
    z.object({
      observed: z.array(z.enum(COVERAGE_SECTIONS)).max(COVERAGE_SECTIONS.length),
      gaps: opt(z.partialRecord(z.enum(COVERAGE_SECTIONS), z.enum(COVERAGE_GAPS))),
    }),
  ),
  hops: opt(z.array(hop).max(100)),
  phases: opt(phases),
  protocol: opt(short),
  address: opt(address),
  certificate: opt(certificate),
  cookies: opt(z.array(cookie).max(300)),
  body: opt(body),
  exchanges: opt(exchanges),
  resources: opt(z.array(resource).max(5000)),
}) satisfies z.ZodType<SignalEnvelope>;

/** Refuses with `ENVELOPE_INVALID`, naming the first field that is wrong. `name` is what the person called it. */
export function readEnvelope(value: unknown, name: string): SignalEnvelope {
  const parsed = envelopeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new SondeError(
    'ENVELOPE_INVALID',
    `${name} is no envelope of schema version ${ENVELOPE_SCHEMA_VERSION}: ${field === '' ? 'the document' : field}: ${issue?.message ?? 'invalid'}`,
    { details: { file: name, field } },
  );
}
