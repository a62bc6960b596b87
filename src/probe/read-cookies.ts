/** Reads Set-Cookie lines as names and flags (RFC 6265bis §5.6). Of a value, only its emptiness is recorded. */
import type { HeaderList } from '../net/index.js';
import type { ProbeRedactor } from './probe-redactor.js';
import type { CookieFacts } from './signal-envelope.js';

const COOKIES_MAX = 100;
const NAME_CHARS = 200;
const ATTRIBUTE_CHARS = 500;

interface Reading {
  readonly redactor: ProbeRedactor;
  readonly capturedAtMs: number;
}

export function readCookies(headers: HeaderList, reading: Reading): CookieFacts[] {
  return headers
    .filter(([name]) => name === 'set-cookie')
    .slice(0, COOKIES_MAX)
    .map(([, line]) => readCookie(line, reading));
}

function readCookie(line: string, { redactor, capturedAtMs }: Reading): CookieFacts {
  const [pair = '', ...rest] = line.split(';');
  const equals = pair.indexOf('=');
  const name = equals < 0 ? '' : pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  const attributes = new Map(rest.map(readAttribute));
  const text = (key: string): string | undefined => {
    const found = attributes.get(key);
    return found === undefined || found === '' ? undefined : redactor.short(found, ATTRIBUTE_CHARS);
  };
  const [domain, path, sameSite] = [text('domain'), text('path'), text('samesite')];
  const lifetime = lifetimeOf(attributes, capturedAtMs);
  return {
    name: redactor.short(name, NAME_CHARS),
    ...(domain !== undefined && { domain: domain.toLowerCase() }),
    ...(path !== undefined && { path }),
    secure: attributes.has('secure'),
    httpOnly: attributes.has('httponly'),
    ...(sameSite !== undefined && { sameSite: sameSite.toLowerCase() }),
    ...(attributes.has('partitioned') && { partitioned: true }),
    ...(lifetime !== undefined && { lifetimeSeconds: lifetime }),
    ...((value === '' || (lifetime !== undefined && lifetime <= 0)) && { deletes: true }),
  };
}

function readAttribute(part: string): [string, string] {
  const equals = part.indexOf('=');
  if (equals < 0) return [part.trim().toLowerCase(), ''];
  return [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()];
}

/** Max-Age takes precedence over Expires, which is relative to the probe and rounded so that samples agree. */
function lifetimeOf(attributes: ReadonlyMap<string, string>, capturedAtMs: number): number | undefined {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d{1,15}$/.test(maxAge)) return Math.max(0, Number(maxAge));
  const expires = Date.parse(attributes.get('expires') ?? '');
  if (Number.isNaN(expires)) return undefined;
  return Math.max(0, Math.round((expires - capturedAtMs) / 60_000) * 60);
}
