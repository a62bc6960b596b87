/**
 * Schemas of single values, shared by rows of the table of settings. Each accepts what a configuration file may contain
 * and returns the value that the program uses. Their messages are never shown; errors show the row's `form`.
 */
import * as z from 'zod';
import { TENANT_SCOPES } from '../scopes.js';
import { tryUrl } from '../try-url.js';
import { parseBytes, parseMs, SIZE_PATTERN, TIME_PATTERN } from './parse-units.js';

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const whole = ({ min, max }: Bounds) => z.int().min(min).max(max);

const measured = (pattern: RegExp, parse: (text: string) => number | undefined) => (bounds: Bounds) =>
  z.union([
    whole(bounds),
    z
      .string()
      .regex(pattern)
      .transform((text) => parse(text) ?? Number.NaN)
      .pipe(whole(bounds)),
  ]);

export const size = measured(SIZE_PATTERN, parseBytes);
export const time = measured(TIME_PATTERN, parseMs);

export const text = (max: number) => z.string().min(1).max(max);

/** Paths are passed to system calls, where a NUL would truncate them. */
export const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((value) => !value.includes('\0'));

/** Refuses a path, query or userinfo, which `URL` would silently drop or rewrite. */
function parseOrigin(value: string): string | undefined {
  const url = tryUrl(value);
  if (!url) return undefined;
  const bare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return bare && !/[?#@]/.test(value) ? url.origin : undefined;
}

export const origin = z
  .string()
  .max(2048)
  .regex(/^https?:\/\//i)
  .transform((value, context) => {
    const bare = parseOrigin(value);
    if (bare !== undefined) return bare;
    context.addIssue('must be an origin without a path, query or credentials');
    return z.NEVER;
  });

export const host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/);

export const ipOrCidr = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const isPort = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 65_535;
const isIpv6 = (value: string): boolean => z.ipv6().safeParse(value).success;
const isIpv4 = (value: string): boolean => z.ipv4().safeParse(value).success;

/** `address` or `address:port`; an IPv6 address before a port is in brackets. */
function isSocketAddress(value: string, port: 'required' | 'optional'): boolean {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(value);
  if (match) return isPort(match[3] ?? '') && (match[1] ? isIpv6(match[1]) : isIpv4(match[2] ?? ''));
  return port === 'optional' && (isIpv4(value) || isIpv6(value));
}

export const dnsServer = z
  .string()
  .max(64)
  .refine((value) => isSocketAddress(value, 'optional'));

export const connectTo = z.record(
  z
    .string()
    .max(260)
    .regex(/^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/),
  z
    .string()
    .max(64)
    .refine((value) => isSocketAddress(value, 'required')),
);

export const secret = (bytesMin: number) =>
  z
    .string()
    .max(4096)
    .refine((value) => new TextEncoder().encode(value).length >= bytesMin);

export const urlOrPath = path.refine((value) => !/^https?:/i.test(value) || tryUrl(value) !== undefined);

export const postgresUrl = z
  .string()
  .max(4096)
  .regex(/^postgres(?:ql)?:\/\//)
  .refine((value) => tryUrl(value) !== undefined);

export const userAgent = z
  .string()
  .max(256)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

export const serviceToken = z.strictObject({
  token: z
    .string()
    .max(4096)
    .regex(/^[\x21-\x7e]{32,}$/),
  tenant: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  scopes: z.array(z.enum(TENANT_SCOPES)).min(1).max(32),
});

/** Only checks the form; `orphan-policy.ts` parses the value. */
export const orphanPolicy = z.string().regex(/^(?:keep|cancel-after=\d{1,6}(?:ms|s|m|h))$/);

export const proxyRouteName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/);

export const proxyRoute = z.strictObject({
  url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^?#@\\*]+$/i),
  /** Required unless the server runs without authentication; `inline-routes.ts` checks that. */
  credential: z
    .string()
    .regex(/^(?:caller|env:[A-Za-z_][A-Za-z0-9_]*)$/)
    .optional(),
  private: z.boolean().optional(),
  headersMs: time({ min: 100, max: 3_600_000 }).optional(),
});
