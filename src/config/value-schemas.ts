/**
 * Schemas of single values, shared by rows of the table of settings. Each accepts what a configuration file may contain
 * and returns the value that the program uses. Errors show the row's `form`, or that of a part (`own-form.ts`).
 */
import * as z from 'zod';
import {
  CREDENTIAL_FORM,
  KEY_HEADERS,
  PATH_RULE,
  PATH_RULE_FORM,
  PATHS_MAX,
  ROUTE_NAME,
  ROUTE_NAME_FORM,
  ROUTES_MAX,
} from '../route-claims.js';
import { TENANT_SCOPES } from '../scopes.js';
import { tryUrl } from '../try-url.js';
import { ownForm } from './own-form.js';
import { parseBytes, parseMs, SIZE_PATTERN, TIME_PATTERN } from './parse-units.js';

/** Each entry is compared on every request, and a longer list is most likely a mistake. */
const ENTRIES_MAX = 256;
export const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(ENTRIES_MAX);

export const oneOf = <const Choices extends readonly string[]>(choices: Choices) => z.enum(choices);

export const whole = (min: number, max: number) => z.int().min(min).max(max);

const measured =
  (pattern: RegExp, parse: (text: string) => number | undefined) => (min: string, max: string) => {
    const number = (text: string) => parse(text) ?? Number.NaN;
    const bounded = whole(number(min), number(max));
    return z.union([bounded, z.string().regex(pattern).transform(number).pipe(bounded)]);
  };

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

const SECRET_BYTES_MIN = 32;

export const secret = z
  .string()
  .max(4096)
  .refine((value) => new TextEncoder().encode(value).length >= SECRET_BYTES_MIN);

export const secretPair = z.array(secret).min(1).max(2);

export const urlOrPath = path.refine((value) => !/^https?:/i.test(value) || tryUrl(value) !== undefined);

export const postgresUrl = z
  .string()
  .max(4096)
  .regex(/^postgres(?:ql)?:\/\//)
  .refine((value) => tryUrl(value) !== undefined);

/** A path may follow it, but no query. */
export const baseUrl = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s?#@]+$/);

export const userAgent = z
  .string()
  .max(256)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

const tenantSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, ownForm('a tenant: a slug of a-z, 0-9 and -, at most 63 characters'));

const proxyRouteName = z.string().regex(ROUTE_NAME, ownForm(ROUTE_NAME_FORM));

const pathRules = z
  .array(z.string().regex(PATH_RULE, ownForm(PATH_RULE_FORM)))
  .min(1, ownForm('at least one path; leave the field out to allow every one'))
  .max(PATHS_MAX, ownForm(`at most ${PATHS_MAX} paths`));

/** How its fields depend on each other is checked by `service-tokens.ts`. */
export const serviceToken = z.strictObject({
  token: z
    .string()
    .max(4096)
    .regex(/^[\x21-\x7e]{32,}$/, ownForm('at least 32 visible ASCII characters')),
  tenant: tenantSlug,
  scopes: z
    .array(z.enum(TENANT_SCOPES, ownForm(`one of the scopes ${TENANT_SCOPES.join(', ')}`)))
    .min(1)
    .max(32),
  routes: z.array(proxyRouteName).min(1).max(ROUTES_MAX).optional(),
  paths: pathRules.optional(),
});

/** Only checks the form; `orphan-policy.ts` parses the value. */
export const orphanPolicy = z.string().regex(/^(?:keep|cancel-after=\d{1,6}(?:ms|s|m|h))$/);

const KEY_OF_SERVER = /^env:[A-Za-z_][A-Za-z0-9_]*$/;

/** How its fields depend on each other is checked by `inline-routes.ts`. */
const proxyRoute = z.strictObject({
  url: z
    .string()
    .max(2048)
    .regex(
      /^https?:\/\/[^?#@\\*]+$/i,
      ownForm('an http or https URL without credentials, query or star, such as https://api.openai.com/v1'),
    ),
  /** Required unless the server runs without authentication. */
  credential: z
    .union(
      [
        z.string().regex(/^(?:caller|env:[A-Za-z_][A-Za-z0-9_]*)$/, ownForm(CREDENTIAL_FORM)),
        z.record(
          z.string().regex(/^(?:\*|[a-z0-9][a-z0-9-]{0,62})$/),
          z.string().regex(KEY_OF_SERVER, ownForm('"env:NAME" (the key is in that environment variable)')),
        ),
      ],
      ownForm(CREDENTIAL_FORM),
    )
    .optional(),
  keyHeader: z.enum(KEY_HEADERS, ownForm(`one of ${KEY_HEADERS.join(', ')}`)).optional(),
  tenants: z
    .array(tenantSlug)
    .min(1, ownForm('at least one tenant; leave the field out for every tenant of this server'))
    .max(256)
    .optional(),
  paths: pathRules.optional(),
  private: z.boolean().optional(),
  headersMs: time('100ms', '1h').optional(),
});

export const proxyRoutes = z.record(proxyRouteName, proxyRoute);
