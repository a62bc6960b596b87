/**
 * The names of streams: paths below `/v1/stream/` in a canonical spelling, and patterns over their segments. `*`
 * matches one segment, `**` any number; `%2A` is a literal star. Matching takes at most segments × segments steps.
 */
import { SondeError } from '../../errors.js';
import { CHARS_MAX, SEGMENTS_MAX } from './subscription-limits.js';

const ROOT = '/v1/stream/';
/** Exceeds the limits of paths and patterns, with room for escapes and outer slashes. */
const GIVEN_CHARS_MAX = 8 * CHARS_MAX.path;
const RESERVED = /^__ds(?:\/|$)/;

export function streamIdOf(tenant: string, path: string): string {
  return `stream/${tenant}/${path}`;
}

export function streamsOf(tenant: string): string {
  return `stream/${tenant}`;
}

export function collectionOf(id: string): string {
  return streamsOf(splitStreamId(id)?.tenant ?? '');
}

/** Undefined for streams that are not reachable by a path. */
export function splitStreamId(id: string): { readonly tenant: string; readonly path: string } | undefined {
  if (!id.startsWith('stream/')) return undefined;
  const at = id.indexOf('/', 7);
  return at === -1 ? undefined : { tenant: id.slice(7, at), path: id.slice(at + 1) };
}

/** Paths of the control routes are not streams. */
export function isReservedPath(path: string): boolean {
  return RESERVED.test(path);
}

/** Characters that need no percent-encoding in a path, and the slash, which generated clients encode. */
const PLAIN = /[\w.~!$&'()*+,;=:@/-]/;

/**
 * The canonical spelling of a path, under which its stream is stored: `a%2Fb` and `a/b` are the same stream. Undefined
 * if the decoded path has dot segments, which a URL cannot contain.
 */
export function canonicalPath(path: string): string | undefined {
  const decoded = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return PLAIN.test(character) ? character : code.toUpperCase();
  });
  return decoded.split('/').some((segment) => segment === '.' || segment === '..') ? undefined : decoded;
}

export function readStreamPath(text: unknown, name: string): string {
  const given = typeof text === 'string' ? withoutOuterSlashes(text) : '';
  const { pathname } = new URL(`http://x${ROOT}${given}`);
  const isBelowRoot = pathname.startsWith(ROOT) && !/[?#]/.test(given);
  const path = (isBelowRoot ? canonicalPath(pathname.slice(ROOT.length)) : undefined) ?? '';
  if (path === '' || path.length > CHARS_MAX.path || isReservedPath(path)) {
    throw new SondeError(
      'INVALID_REQUEST',
      `${name}: expected the path of a stream, 1 to ${CHARS_MAX.path} characters`,
    );
  }
  return path;
}

export class PathPattern {
  readonly text: string;
  /** The common prefix of all matching paths. */
  readonly prefix: string;
  /** `*` and `**` are wildcards; a literal star is spelled as `segmentsOf` spells it. */
  readonly segments: readonly string[];

  constructor(text: string) {
    const segments = text.split('/');
    this.text = text;
    this.segments = segments.map((segment) => (isWild(segment) ? segment : unstarred(segment)));
    // A star has more than one spelling, so a literal one ends the prefix too.
    const starred = segments.findIndex((segment) => /%2a|\*/i.test(segment));
    const plain = starred < 0 ? segments : segments.slice(0, starred);
    // `a/**` also matches `a`, which does not begin with `a/`.
    const open = starred > 0 && segments[starred] !== '**';
    this.prefix = `${plain.join('/')}${open ? '/' : ''}`;
  }

  /** Backtracks only to the last `**`: whatever an earlier one could match, the last one can match too. */
  matches(path: string): boolean {
    const pattern = this.segments;
    const segments = segmentsOf(path);
    let [at, next] = [0, 0];
    let retry: { at: number; readonly next: number } | undefined;
    while (at < segments.length) {
      const want = pattern[next];
      if (want === '**') {
        retry = { at, next: ++next };
      } else if (want === '*' || want === segments[at]) {
        at++;
        next++;
      } else if (retry) {
        at = ++retry.at;
        next = retry.next;
      } else {
        return false;
      }
    }
    while (pattern[next] === '**') next++;
    return next === pattern.length;
  }
}

export function readPattern(text: string): PathPattern {
  const given = withoutOuterSlashes(text);
  const isValid =
    given !== '' &&
    given.length <= CHARS_MAX.pattern &&
    given.split('/').length <= SEGMENTS_MAX &&
    !/[?#]/.test(given) &&
    !isReservedPath(given);
  if (isValid) return new PathPattern(given);
  throw new SondeError(
    'INVALID_REQUEST',
    `pattern: 1 to ${CHARS_MAX.pattern} characters in at most ${SEGMENTS_MAX} segments are required`,
  );
}

/** Returns '', which the callers refuse, for a text that is too long for any limit. */
function withoutOuterSlashes(text: string): string {
  if (text.length > GIVEN_CHARS_MAX) return '';
  let [from, to] = [0, text.length];
  while (text[from] === '/') from++;
  while (text[to - 1] === '/') to--;
  return text.slice(from, to);
}

export function segmentsOf(path: string): string[] {
  return path.split('/').map(unstarred);
}

function isWild(segment: string): boolean {
  return segment === '*' || segment === '**';
}

/** Replaces literal stars with a character that no path contains, to distinguish them from wildcards. */
function unstarred(segment: string): string {
  return segment.replace(/%2a|\*/gi, '\u0000');
}
