/**
 * The results of additional, harmless requests to the same side. Each is sent once per side, to the final URL of the
 * first sample, without following redirects. A failed one has `error` and is missing from the coverage.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { certificate } from './connection-facts.js';
import { count, fault, line, lines, ms, opt, short, status, texts } from './field-schemas.js';

const exchange = z.object({
  status: opt(status.describe('Absent if there was no response.')),
  headers: opt(lines.describe('Response headers of the core, extended and `access-control-*` lists.')),
  error: opt(fault),
});
const originExchange = exchange.extend({ origin: line, relation: z.enum(['own', 'foreign']) });

const robotsGroup = z.object({
  agents: texts.describe('In lower case, in order.'),
  allow: texts,
  disallow: texts,
});
const robots = z.object({
  groups: z.array(robotsGroup).max(1000),
  sitemaps: texts,
  truncated: z.boolean(),
});

const dns = z
  .object({ a: opt(texts), aaaa: opt(texts), cname: opt(texts), caa: opt(texts), error: opt(fault) })
  .describe('Sorted by code unit. An empty list means that the name has no such record.');

const tls = z
  .object({
    alpn: opt(short),
    version: opt(short),
    cipher: opt(short),
    authorized: opt(z.boolean().describe('False if the certificate does not verify.')),
    authorizationError: opt(short.describe('Why it does not verify, such as `CERT_HAS_EXPIRED`.')),
    certificate: opt(certificate),
    chain: opt(z.array(z.object({ subject: line, issuer: line })).max(20)),
    error: opt(fault),
  })
  .describe('A handshake that offers h2 and http/1.1, accepts any certificate and sends no request.');

export const exchanges = z.object({
  preflight: opt(exchange.extend({ origin: line, method: short, requestHeaders: line })),
  origins: opt(
    z
      .array(originExchange)
      .max(10)
      .describe("Two GET requests with an Origin: the side's own, and one that no site allows."),
  ),
  head: opt(exchange),
  options: opt(exchange),
  conditional: opt(
    exchange
      .extend({ validator: z.enum(['etag', 'last-modified']) })
      .describe('Absent if the first response had no validator.'),
  ),
  httpVariant: opt(
    exchange.extend({ url: line }).describe('The same URL over http. Absent if the side itself uses http.'),
  ),
  robots: opt(exchange.extend({ robots: opt(robots) })),
  dns: opt(dns),
  tls: opt(tls),
  requests: count.describe('Requests that were sent.'),
  durationMs: ms.describe('Duration of all exchanges together.'),
});

export type Exchange = DeepReadonly<z.infer<typeof exchange>>;
export type OriginExchange = DeepReadonly<z.infer<typeof originExchange>>;
export type RobotsGroup = DeepReadonly<z.infer<typeof robotsGroup>>;
export type RobotsFacts = DeepReadonly<z.infer<typeof robots>>;
export type DnsFacts = DeepReadonly<z.infer<typeof dns>>;
export type TlsExchange = DeepReadonly<z.infer<typeof tls>>;
export type Exchanges = DeepReadonly<z.infer<typeof exchanges>>;
