/**
 * The allowlist of upstreams. A pattern is `[scheme://]host[:port][/path]` and is compiled once; a bad pattern is
 * rejected with its text. Without a scheme it matches http and https, without a port the scheme's default port, and
 * without a path every path. `*.example.com` matches every name below, `/v1/*` the path and everything under it.
 * `private:` before a pattern opens private addresses for its single host; on loopback the port may be `*`. A pattern
 * that can never match is rejected. An empty list refuses everything.
 *
 * A path pattern applies to the path as the upstream may interpret it: a path that hides a slash or a dot segment
 * behind escapes, at any depth, or behind invalid UTF-8, matches nothing.
 */
import { asSondeError, SondeError } from '../errors.js';
import { matchesLiterals } from '../match-literals.js';
import { createPolicy, isBadPort } from '../net/index.js';
import { tryUrl } from '../try-url.js';

export interface AllowedUpstream {
  readonly url: URL;
  /** A pattern allows this target to have a private address. */
  readonly lifted: boolean;
}

export interface Allowlist {
  match(text: string): AllowedUpstream | undefined;
  readonly privateOrigins: readonly string[];
}

interface Pattern {
  readonly lifted: boolean;
  readonly schemes: readonly string[];
  matchesHost(host: string): boolean;
  /** `*`, or the port as in `URL.port`: empty for the scheme's default. */
  portOf(scheme: string): string;
  matchesPath(path: string): boolean;
  /** Empty unless private addresses are opened. */
  readonly origins: readonly string[];
}

const FORM = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s/:?#@[\]\\]+)(?::(\d{1,5}|\*))?(\/[^\s?#\\]*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const PRIVATE = 'private:';
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what the URL parser silently drops or escapes
const BLANK = /[\u0000-\u0020\u007f]/;

export function compileAllowlist(texts: readonly string[]): Allowlist {
  const patterns = texts.map(compile);
  return {
    privateOrigins: patterns.flatMap(({ origins }) => origins),
    match(text) {
      // The parser would silently drop or escape blanks; a URL with blanks, or two URLs in one value, is a mistake.
      const url = BLANK.test(text) ? undefined : tryUrl(text);
      if (url?.username !== '' || url.password !== '') return undefined;
      const matching = patterns.filter((pattern) => matches(pattern, url));
      return matching.length === 0 ? undefined : { url, lifted: matching.some(({ lifted }) => lifted) };
    },
  };
}

function matches(pattern: Pattern, url: URL): boolean {
  if (!pattern.schemes.includes(url.protocol)) return false;
  const port = pattern.portOf(url.protocol);
  return (
    (port === '*' || port === url.port) &&
    pattern.matchesHost(url.hostname) &&
    pattern.matchesPath(url.pathname)
  );
}

function compile(text: string): Pattern {
  const lifted = text.startsWith(PRIVATE);
  const [, scheme, host = '', port, path = ''] = FORM.exec(lifted ? text.slice(PRIVATE.length) : text) ?? [];
  if (host === '') throw bad(text, 'expected the form [scheme://]host[:port][/path]');
  if (Number(port) < 1 || Number(port) > 65_535) throw bad(text, 'the port must be from 1 to 65535');
  const schemes = scheme ? [`${scheme.toLowerCase()}:`] : ['http:', 'https:'];
  const portOf = (protocol: string) => (port === undefined || port === DEFAULT_PORTS[protocol] ? '' : port);
  const matchesHost = compileHost(text, host);
  if (lifted && (host.includes('*') || (port === '*' && !LOOPBACK.test(host))))
    throw bad(
      text,
      'a private pattern must have one host and port, or any port of localhost, 127.0.0.1 or [::1]',
    );
  const origins = lifted ? schemes.map((each) => privateOrigin(`${each}//${host}`, portOf(each))) : [];
  refuseUnreachable(text, { port, origins });
  return {
    lifted,
    schemes,
    portOf,
    matchesHost,
    matchesPath: compilePath(text, path),
    origins,
  };
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/i;

function privateOrigin(origin: string, port: string): string {
  const { origin: plain } = new URL(origin);
  return port === '*' ? `${plain}:*` : new URL(`${plain}:${port}`).origin;
}

/** A pattern for a target that the egress layer always refuses would only fail later, on every request. */
function refuseUnreachable(
  text: string,
  { port, origins }: { readonly port: string | undefined; readonly origins: readonly string[] },
): void {
  if (isBadPort(Number(port))) throw bad(text, `port ${port} is never called`);
  for (const origin of origins) {
    const why = whyRefused(origin);
    if (why !== undefined) throw bad(text, why);
  }
}

function whyRefused(origin: string): string | undefined {
  try {
    const verdict = createPolicy({ allowPrivate: [origin] }).judgeUrl(origin.replace('*', '8080'));
    return verdict.ok ? undefined : verdict.refusal.message;
  } catch (thrown) {
    return asSondeError(thrown).message;
  }
}

function compileHost(text: string, host: string): (name: string) => boolean {
  if (host === '*') return () => true;
  const wild = host.startsWith('*.');
  const plain = wild ? host.slice(2) : host;
  const candidate = `http://${plain}/`;
  // Compares in the parser's canonical form (case, punycode, numeric addresses).
  const name = plain.includes('*') ? undefined : tryUrl(candidate)?.hostname;
  if (name === undefined) throw bad(text, 'a star must replace whole leading labels: *.example.com');
  return wild
    ? (given) => given.endsWith(`.${name}`) && given.length > name.length + 1
    : (given) => given === name;
}

function compilePath(text: string, path: string): (given: string) => boolean {
  if (path === '' || path === '/*') return () => true;
  const open = path.endsWith('/*');
  // Resolved against a base, a path that begins with two slashes would name a host.
  const written = new URL(`http://x${open ? path.slice(0, -2) : path}`).pathname;
  if (!written.includes('*') && hidesSegments(written)) throw bad(text, 'its path can never match a request');
  // `/v1/*` matches `/v1` itself and everything below; a slash appended to the given path covers both.
  const literals = (open ? `${written.replace(/\/$/, '')}/*` : written).split('*');
  return (given) => matchesLiterals(literals, open ? `${given}/` : given) && !hidesSegments(given);
}

const DECODINGS_MAX = 4;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a server could find slashes or dot segments in this path that are not visible in it. */
function hidesSegments(path: string): boolean {
  // Some servers drop parameters, which turns these into dot segments; malformed escapes are as unpredictable.
  if (/\/\.{1,2};|%(?![0-9a-f]{2})/i.test(path)) return true;
  let text = path;
  for (let round = 1; round <= DECODINGS_MAX; round++) {
    if (/%(?:2f|5c|u)/i.test(text)) return true;
    const decoded = unescapeOnce(text);
    if (decoded === undefined) return true;
    if (decoded === text) return false;
    // Some servers treat full-width and other look-alike forms as the plain characters.
    const plain = decoded.normalize('NFKC');
    if (slashes(plain) > slashes(text) || CONTROL.test(plain) || DOT_SEGMENT.test(plain)) return true;
    text = decoded;
  }
  // Escapes nested this deeply are never legitimate.
  return true;
}

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this searches for control characters in a path
const CONTROL = /[\u0000-\u001f\u007f]/;

function slashes(text: string): number {
  return text.replace(/[^/\\]/g, '').length;
}

/** Undefined if the escapes are not valid UTF-8, such as overlong forms of slashes and dots. */
function unescapeOnce(text: string): string | undefined {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      strictUtf8.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))),
    );
  } catch {
    return undefined;
  }
}

function bad(text: string, why: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `proxy.allow: "${text}" is not a valid pattern: ${why}`, {
    details: { key: 'proxy.allow', pattern: text },
  });
}
