/**
 * The allowlist of upstreams. A pattern is `[scheme://]host[:port][/path]` and is compiled once; a bad pattern is
 * rejected with its text. Without a scheme it matches http and https, without a port the scheme's default port, and
 * without a path every path. `*.example.com` matches every name below, `/v1/*` the path and everything under it.
 * `private:` before a pattern opens private addresses for its single host; on loopback the port may be `*`. A pattern
 * that can never match is rejected. An empty list refuses everything.
 */
import { asSondeError, SondeError } from '../errors.js';
import { createPolicy, isBadPort } from '../net/index.js';
import { tryUrl } from '../try-url.js';
import { compilePathPattern } from './path-pattern.js';

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
  const matches = compilePathPattern(path);
  if (!matches) throw bad(text, 'its path can never match a request');
  return matches;
}

function bad(text: string, why: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `proxy.allow: "${text}" is not a valid pattern: ${why}`, {
    details: { key: 'proxy.allow', pattern: text },
  });
}
