/**
 * Which upstreams may be called. A pattern is `[scheme://]host[:port][/path]`, compiled once; a bad one is
 * refused with its text. An omitted scheme is http or https, an omitted port the scheme's own, an omitted path
 * any. `*.example.com` is every name below, `/v1/*` the path and everything under it. `private:` before a
 * pattern opens the private address that its one host may have; on loopback its port may be a star. A pattern that
 * could never match is refused. An empty list refuses everything.
 *
 * A path pattern is compared with the path as the upstream may come to read it: one that hides a slash or a
 * dot segment behind escapes, however deep, or behind bytes that are no UTF-8, matches none.
 */
import { asSondeError, SondeError } from '../errors.js';
import { createPolicy, isBadPort } from '../net/index.js';
import { tryUrl } from '../try-url.js';

export interface AllowedUpstream {
  readonly url: URL;
  /** The pattern lets this target be at a private address. */
  readonly lifted: boolean;
}

export interface Allowlist {
  /** Undefined if no pattern matches. */
  match(text: string): AllowedUpstream | undefined;
  /** Origins that some pattern opens. */
  readonly privateOrigins: readonly string[];
}

interface Pattern {
  readonly lifted: boolean;
  readonly schemes: readonly string[];
  matchesHost(host: string): boolean;
  /** `*`, or as `URL.port` has it: empty for the scheme's own. */
  portOf(scheme: string): string;
  matchesPath(path: string): boolean;
  readonly origins: readonly string[];
}

const FORM = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[^\s/:?#@[\]\\]+)(?::(\d{1,5}|\*))?(\/[^\s?#\\]*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const PRIVATE = 'private:';
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly what the URL parser drops or escapes in silence
const BLANK = /[\u0000-\u0020\u007f]/;

export function compileAllowlist(texts: readonly string[]): Allowlist {
  const patterns = texts.map(compile);
  return {
    privateOrigins: patterns.filter(({ lifted }) => lifted).flatMap(({ origins }) => origins),
    match(text) {
      // The parser would drop or escape blanks silently; a URL with blanks, or two URLs in one value, is a mistake.
      const url = BLANK.test(text) ? undefined : tryUrl(text);
      if (!url || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
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
  if (port !== undefined && port !== '*' && (Number(port) < 1 || Number(port) > 65_535))
    throw bad(text, 'the port must be from 1 to 65535');
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
  const { protocol, origin: plain } = new URL(origin);
  return port === '*' ? `${plain}:*` : new URL(`${plain}:${port || DEFAULT_PORTS[protocol]}`).origin;
}

/** A pattern for what the egress layer always refuses would only fail later, one request at a time. */
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
    const verdict = createPolicy({ allowPrivate: [origin] }).judgeUrl(origin.replace(/\*$/, '8080'));
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
  // The parser's own spelling (case, punycode, numbers as addresses) is what it is compared with.
  const name = plain.includes('*') ? undefined : tryUrl(candidate)?.hostname;
  if (name === undefined) throw bad(text, 'a star must replace whole leading labels: *.example.com');
  return wild
    ? (given) => given.endsWith(`.${name}`) && given.length > name.length + 1
    : (given) => given === name;
}

function compilePath(text: string, path: string): (given: string) => boolean {
  if (path === '' || path === '/*') return () => true;
  const open = path.endsWith('/*');
  const written = new URL(open ? path.slice(0, -2) : path, 'http://x').pathname;
  if (!written.includes('*') && hidesSegments(written)) throw bad(text, 'its path can never match a request');
  // `/v1/*` is `/v1` itself and what is below: with a slash behind both, one rule covers the two.
  const literals = (open ? `${written.replace(/\/$/, '')}/*` : written).split('*');
  return (given) => matchesLiterals(literals, open ? `${given}/` : given) && !hidesSegments(given);
}

/**
 * Whether the text is these literals with anything in between. Each is taken where it first occurs, which leaves the
 * most to those behind it: nothing is tried twice, whatever the text.
 */
function matchesLiterals([first = '', ...rest]: readonly string[], text: string): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const literal of rest) {
    const found = text.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

const UNFOLDINGS_MAX = 4;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether some server could read slashes or dot segments out of this path that are not visible in it. */
function hidesSegments(path: string): boolean {
  // Dot segments with parameters are plain to servers that cut parameters off; so are escapes of no known form.
  if (/\/\.{1,2};|%(?![0-9a-f]{2})/i.test(path)) return true;
  let text = path;
  for (let round = 1; round <= UNFOLDINGS_MAX; round++) {
    if (/%(?:2f|5c|u)/i.test(text)) return true;
    const unfolded = unescapeOnce(text);
    if (unfolded === undefined) return true;
    if (unfolded === text) return false;
    // Full-width and other look-alike forms are what some servers take for the plain ones.
    const plain = unfolded.normalize('NFKC');
    if (slashes(plain) > slashes(text) || CONTROL.test(plain) || DOT_SEGMENT.test(plain)) return true;
    text = unfolded;
  }
  // Escapes of escapes of escapes are never written in good faith.
  return true;
}

const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:;[^/]*)?(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in a path are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

function slashes(text: string): number {
  return text.replace(/[^/\\]/g, '').length;
}

/** Undefined where the escapes are no UTF-8: overlong forms of slashes and dots among others. */
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
