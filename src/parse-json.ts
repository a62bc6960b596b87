/**
 * Parses JSON from callers. The nesting depth and the number of values are checked before parsing: `JSON.parse` takes
 * seconds for a few megabytes of brackets, code that walks the result recursively would overflow its stack, and a value
 * takes up to fifty times as much memory as its text.
 */
import { SondeError } from './errors.js';

export const JSON_DEPTH_MAX = 128;
export const JSON_VALUES_MAX = 1_000_000;

/** Throws `INVALID_REQUEST` for text that is not JSON, is nested too deeply or has too many values. */
export function parseJson(text: string): unknown {
  refuseLargeJson(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'The body is not valid JSON.', { cause });
  }
}

/** One pass without allocation. Text that is not JSON may pass; the parser refuses it. */
export function refuseLargeJson(text: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > JSON_DEPTH_MAX) throw tooDeep();
    } else if (code === COMMA) {
      if (++values > JSON_VALUES_MAX) throw tooManyValues();
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
}

export function tooDeep(): SondeError {
  return new SondeError('INVALID_REQUEST', `The JSON is nested more than ${JSON_DEPTH_MAX} levels deep.`, {
    details: { depthMax: JSON_DEPTH_MAX },
  });
}

function tooManyValues(): SondeError {
  return new SondeError('INVALID_REQUEST', `The JSON has more than ${JSON_VALUES_MAX} values.`, {
    details: { valuesMax: JSON_VALUES_MAX },
  });
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return at;
}
