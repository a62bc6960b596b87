/**
 * Large JSON without a long turn of the event loop: writing and reading a value in pieces, with the results of
 * `JSON.stringify` and `JSON.parse`. Native calls on 26 MB, the report of a large audit, take a tenth of a second.
 */
import { setOwn } from './set-own.js';

/** Characters of text per piece, which take a fraction of a millisecond. */
const PIECE_CHARS = 64 * 1024;

/** How deep containers are opened; what is deeper is written at once. A report's findings are at depth 4. */
const DEPTH_MAX = 5;

/** Stored JSON inside a value that is written in pieces; it is neither parsed nor written again. */
export class StoredJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For a writer that does not know it. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The text of a plain JSON value, piece by piece. */
export function* jsonPieces(value: unknown): Generator<string> {
  let text = '';
  for (const part of partsOf(value, DEPTH_MAX)) {
    text += part;
    if (text.length < PIECE_CHARS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* partsOf(value: unknown, depth: number): Generator<string> {
  if (value instanceof StoredJson) {
    yield value.text;
  } else if (depth === 0 || value === null || typeof value !== 'object' || 'toJSON' in value) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* partsOf(item, depth - 1);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* partsOf(item, depth - 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}

/** Writes a value and yields between its pieces. */
export function* textInSteps(value: unknown): Generator<void, string> {
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    yield;
  }
  return pieces.join('');
}

/** Parses JSON and yields after about every 64 KB. Throws `SyntaxError` if the text is not JSON. */
export function* parseInSteps(text: string, pieceChars = PIECE_CHARS): Generator<void, unknown> {
  const from = text.search(NO_BLANK);
  if (text.length <= pieceChars) return JSON.parse(text);
  if (text[from] === '[') return yield* parseList(text, from, pieceChars);
  if (text[from] === '{') return yield* parseRecord(text, from, pieceChars);
  return JSON.parse(text);
}

function* parseList(text: string, start: number, pieceChars: number): Generator<void, unknown[]> {
  const list: unknown[] = [];
  for (const member of membersOf(text, start, pieceChars)) {
    if (member === undefined) yield;
    else if ('large' in member) list.push(yield* parseInSteps(member.large, pieceChars));
    else for (const item of JSON.parse(`[${member.small}]`)) list.push(item);
  }
  return list;
}

function* parseRecord(text: string, start: number, pieceChars: number): Generator<void, object> {
  const record: Record<string, unknown> = {};
  for (const member of membersOf(text, start, pieceChars)) {
    if (member === undefined) yield;
    else if ('large' in member) {
      const [name, value] = nameAndValue(member.large);
      setOwn(record, name, yield* parseInSteps(value, pieceChars));
    } else
      for (const [name, item] of Object.entries(JSON.parse(`{${member.small}}`))) setOwn(record, name, item);
  }
  return record;
}

function nameAndValue(member: string): [name: string, value: string] {
  const from = member.search(NO_BLANK);
  const colon = member.indexOf(':', endOfString(member, from) + 1);
  const name: unknown = colon < 0 ? undefined : JSON.parse(member.slice(from, colon));
  if (typeof name === 'string') return [name, member.slice(colon + 1)];
  throw new SyntaxError('the text is not JSON: a member has no name');
}

/** Members of a container: as many small ones as fit into a piece, or one that must be parsed in steps. */
type Members = { readonly small: string } | { readonly large: string };

/** Yields undefined between members whenever other work should run. */
function* membersOf(text: string, start: number, pieceChars: number): Generator<Members | undefined> {
  let member = start + 1;
  /** The first member that was not yielded yet. */
  let waiting = start + 1;
  for (const at of separatorsOf(text, start, pieceChars)) {
    if (at === undefined) {
      yield undefined;
      continue;
    }
    const isEnd = text.charCodeAt(at) !== COMMA;
    if (at - member > pieceChars) {
      if (member > waiting) yield { small: filled(text.slice(waiting, member - 1)) };
      yield { large: filled(text.slice(member, at)) };
      waiting = at + 1;
    } else if (isEnd || at - waiting > pieceChars) {
      const small = text.slice(waiting, at);
      yield { small: isEnd && waiting === start + 1 ? small : filled(small) };
      waiting = at + 1;
    }
    member = at + 1;
  }
}

/** The commas between the members of a container, and its end; undefined whenever other work should run. */
function* separatorsOf(text: string, start: number, pieceChars: number): Generator<number | undefined> {
  let depth = 1;
  let looked = start;
  for (let at = start + 1; at < text.length; at++) {
    if (at - looked > pieceChars) {
      looked = at;
      yield undefined;
    }
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === COMMA && depth === 1) yield at;
    else depth += nestingOf(char);
    if (depth > 0) continue;
    // The codes of an opening and its closing bracket differ by two.
    if (char !== text.charCodeAt(start) + 2 || NO_BLANK.test(text.slice(at + 1))) break;
    return yield at;
  }
  throw new SyntaxError('the text is not JSON: a container does not end, or text follows it');
}

function nestingOf(char: number): 1 | 0 | -1 {
  if (char === OPEN_LIST || char === OPEN_RECORD) return 1;
  return char === CLOSE_LIST || char === CLOSE_RECORD ? -1 : 0;
}

/** Only an empty container may have nothing between two separators. */
function filled(members: string): string {
  if (NO_BLANK.test(members)) return members;
  throw new SyntaxError('the text is not JSON: a member of a container is missing');
}

const NO_BLANK = /[^ \t\r\n]/;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
