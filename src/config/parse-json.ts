/**
 * Parses JSON and reports the line and column of a syntax error. V8's own message quotes the text around the error,
 * which may be a secret in a configuration file, and sometimes has no position. This parser never quotes the text and
 * always reports the position.
 */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number };

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;
const SPACE = /[ \t\r\n]*/y;

type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

interface Scan {
  expecting: Expecting;
  readonly open: string[];
}

const afterValue = (scan: Scan): Expecting | undefined => {
  scan.expecting = ', or end';
  return scan.expecting;
};

function close(scan: Scan, mark: string): Expecting | undefined {
  const empty = mark === ']' ? 'value or ]' : 'key or }';
  const fits = scan.expecting === empty || scan.expecting === ', or end';
  if (!fits || scan.open.pop() !== (mark === ']' ? '[' : '{')) return undefined;
  return afterValue(scan);
}

/** What is expected after `mark`, or undefined if `mark` is not allowed here. */
function punctuation(scan: Scan, mark: string): Expecting | undefined {
  const wantsValue = scan.expecting === 'value' || scan.expecting === 'value or ]';
  switch (mark) {
    case '{':
    case '[':
      if (!wantsValue) return undefined;
      scan.open.push(mark);
      return mark === '{' ? 'key or }' : 'value or ]';
    case ']':
    case '}':
      return close(scan, mark);
    case ':':
      return scan.expecting === ':' ? 'value' : undefined;
    default:
      if (scan.expecting !== ', or end' || scan.open.length === 0) return undefined;
      return scan.open.at(-1) === '{' ? 'key' : 'value';
  }
}

function step(scan: Scan, match: RegExpExecArray): Expecting | undefined {
  const [, mark, string] = match;
  if (mark !== undefined) return punctuation(scan, mark);
  if (scan.expecting === 'key' || scan.expecting === 'key or }')
    return string === undefined ? undefined : ':';
  return scan.expecting === 'value' || scan.expecting === 'value or ]' ? afterValue(scan) : undefined;
}

function faultIndex(text: string): number {
  const scan: Scan = { expecting: 'value', open: [] };
  let index = 0;
  for (;;) {
    SPACE.lastIndex = index;
    const start = index + (SPACE.exec(text)?.[0].length ?? 0);
    TOKEN.lastIndex = index;
    const match = TOKEN.exec(text);
    const next = match && step(scan, match);
    if (!match || !next) return start;
    scan.expecting = next;
    index = TOKEN.lastIndex;
  }
}

export function parseJson(text: string): ParsedJson {
  // Editors on Windows may add a byte order mark.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    const before = body.slice(0, faultIndex(body)).split('\n');
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}
