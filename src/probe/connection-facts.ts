/** Schemas of the facts about the connection of a response: phases, address and certificate. */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { count, line, ms, opt, short, texts } from './field-schemas.js';

export const phases = z
  .object({ dns: opt(ms), connect: opt(ms), tls: opt(ms), ttfb: opt(ms), download: opt(ms) })
  .describe('Milliseconds. A phase that did not happen (reused socket, literal address) is absent.');

export const address = z.object({
  ip: short,
  port: opt(z.int().min(0).max(65_535)),
  family: z.union([z.literal(4), z.literal(6)]),
});

export const certificate = z.object({
  subject: line,
  issuer: line,
  altNames: texts.describe('In X.509 notation: `DNS:a.example`, `IP Address:10.0.0.1`.'),
  validFrom: short,
  validTo: short,
  serialNumber: opt(short),
  sha256: opt(short),
  keyType: opt(short.describe('Known from the TLS exchange only, like the next two fields.')),
  keyBits: opt(count),
  spkiSha256: opt(short),
});

export type Phases = DeepReadonly<z.infer<typeof phases>>;
export type AddressFacts = DeepReadonly<z.infer<typeof address>>;
export type CertificateFacts = DeepReadonly<z.infer<typeof certificate>>;
