/**
 * Validates JSON (RFC 8259) byte by byte, in pieces of any size, without building values. Appends can be megabytes
 * long, and parsing one in a single call would block every other request. Refuses nesting beyond `JSON_DEPTH_MAX`.
 * The caller checks that the bytes are UTF-8.
 */
import { SondeError } from '../errors.js';
import { JSON_DEPTH_MAX, tooDeep } from '../parse-json.js';

/** A state is a function that takes the next byte and returns the following state. */
type State = (scan: JsonScan, byte: number) => State;

export class JsonScan {
  /** Whether the top-level value is an array, and whether that array is empty. */
  isArray = false;
  isEmpty = false;
  /** The open brackets, outermost first: true for an object, false for an array. */
  readonly open: boolean[] = [];
  inKey = false;
  hexLeft = 0;
  /** The remaining characters of `true`, `false` or `null`. */
  word = '';
  #state: State = value;

  push(bytes: Uint8Array): void {
    let state = this.#state;
    for (const byte of bytes) state = state(this, byte);
    this.#state = state;
  }

  /** Throws if the text is incomplete. Call it after the last piece. */
  finish(): void {
    const complete = this.#state === after || NUMBER_ENDS.has(this.#state);
    if (!complete || this.open.length > 0) throw notJson();
  }
}

function notJson(): SondeError {
  return new SondeError('INVALID_REQUEST', 'The body is not valid JSON.');
}

const at = (char: string): number => char.charCodeAt(0);
const QUOTE = at('"');
const BACKSLASH = at('\\');
const [ZERO, NINE] = [at('0'), at('9')];
const WORDS = new Map([
  [at('t'), 'rue'],
  [at('f'), 'alse'],
  [at('n'), 'ull'],
]);
const ESCAPED = new Set([...'"\\/bfnrt'].map(at));
const EXPONENT = new Set([at('e'), at('E')]);

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;
const isHex = (byte: number): boolean =>
  isDigit(byte) || ((byte | 0x20) >= at('a') && (byte | 0x20) <= at('f'));

function value(scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return value;
  if (byte === QUOTE) return string;
  if (byte === at('[')) {
    if (scan.open.length === 0) scan.isArray = true;
    return opened(scan, false);
  }
  if (byte === at('{')) return opened(scan, true);
  if (byte === ZERO) return zero;
  if (isDigit(byte)) return digits;
  if (byte === at('-')) return minus;
  const rest = WORDS.get(byte);
  if (rest === undefined) throw notJson();
  scan.word = rest;
  return word;
}

function opened(scan: JsonScan, isObject: boolean): State {
  if (scan.open.push(isObject) > JSON_DEPTH_MAX) throw tooDeep();
  return isObject ? firstKey : firstItem;
}

function firstItem(scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return firstItem;
  if (byte !== at(']')) return value(scan, byte);
  if (scan.open.length === 1) scan.isEmpty = true;
  return after(scan, byte);
}

function firstKey(scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return firstKey;
  return byte === at('}') ? after(scan, byte) : key(scan, byte);
}

function key(scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return key;
  if (byte !== QUOTE) throw notJson();
  scan.inKey = true;
  return string;
}

function colon(_scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return colon;
  if (byte === at(':')) return value;
  throw notJson();
}

function after(scan: JsonScan, byte: number): State {
  if (isBlank(byte)) return after;
  const inObject = scan.open.at(-1);
  if (inObject === undefined) throw notJson();
  if (byte === at(',')) return inObject ? key : value;
  if (byte !== at(inObject ? '}' : ']')) throw notJson();
  scan.open.pop();
  return after;
}

function string(scan: JsonScan, byte: number): State {
  if (byte === BACKSLASH) return escaped;
  if (byte < 0x20) throw notJson();
  if (byte !== QUOTE) return string;
  if (!scan.inKey) return after;
  scan.inKey = false;
  return colon;
}

function escaped(scan: JsonScan, byte: number): State {
  if (ESCAPED.has(byte)) return string;
  if (byte !== at('u')) throw notJson();
  scan.hexLeft = 4;
  return hex;
}

function hex(scan: JsonScan, byte: number): State {
  if (!isHex(byte)) throw notJson();
  scan.hexLeft -= 1;
  return scan.hexLeft === 0 ? string : hex;
}

function word(scan: JsonScan, byte: number): State {
  if (byte !== scan.word.charCodeAt(0)) throw notJson();
  scan.word = scan.word.slice(1);
  return scan.word === '' ? after : word;
}

const needsDigit =
  (next: State): State =>
  (_scan, byte) => {
    if (isDigit(byte)) return next;
    throw notJson();
  };

function minus(_scan: JsonScan, byte: number): State {
  if (byte === ZERO) return zero;
  if (isDigit(byte)) return digits;
  throw notJson();
}

function zero(scan: JsonScan, byte: number): State {
  if (byte === at('.')) return point;
  return EXPONENT.has(byte) ? exponent : after(scan, byte);
}

function digits(scan: JsonScan, byte: number): State {
  return isDigit(byte) ? digits : zero(scan, byte);
}

function fraction(scan: JsonScan, byte: number): State {
  if (isDigit(byte)) return fraction;
  return EXPONENT.has(byte) ? exponent : after(scan, byte);
}

function exponent(scan: JsonScan, byte: number): State {
  return byte === at('+') || byte === at('-') ? sign : sign(scan, byte);
}

function power(scan: JsonScan, byte: number): State {
  return isDigit(byte) ? power : after(scan, byte);
}

const point = needsDigit(fraction);
const sign = needsDigit(power);
const NUMBER_ENDS: ReadonlySet<State> = new Set([zero, digits, fraction, power]);
