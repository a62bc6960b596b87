/**
 * Finds the first error in a JSON text. Engines word and place `JSON.parse` errors differently, and a finding must be
 * the same on all of them. Returns null for exactly the texts that parse.
 */
export interface JsonFault {
  readonly message: string;
  /** Position in the text, in UTF-16 units. */
  readonly at: number;
}

const BLANK = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 §7 forbids exactly these in a string
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const LITERAL = /true|false|null/y;
const DEPTH_MAX = 500;

export function jsonFault(text: string): JsonFault | null {
  const scan = new Scan(text);
  return scan.value(0) ?? scan.end();
}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonFault | null {
    this.#take(BLANK);
    const next = this.#text[this.#at];
    if (depth > DEPTH_MAX) return this.#fault(`nested deeper than ${DEPTH_MAX}`);
    if (next === '{') return this.#members(depth, '}');
    if (next === '[') return this.#members(depth, ']');
    if (next === '"')
      return this.#take(STRING) ? null : this.#fault('a string that is not closed or has a bad escape');
    return this.#take(NUMBER) || this.#take(LITERAL) ? null : this.#fault('a value was expected');
  }

  end(): JsonFault | null {
    this.#take(BLANK);
    return this.#at === this.#text.length ? null : this.#fault('more text after the end of the value');
  }

  #members(depth: number, close: '}' | ']'): JsonFault | null {
    this.#at += 1;
    this.#take(BLANK);
    if (this.#eat(close)) return null;
    for (;;) {
      const fault = (close === '}' ? this.#key() : null) ?? this.value(depth + 1);
      if (fault) return fault;
      this.#take(BLANK);
      if (this.#eat(close)) return null;
      if (!this.#eat(',')) return this.#fault(`a comma or ${close} was expected`);
    }
  }

  #key(): JsonFault | null {
    this.#take(BLANK);
    if (!this.#take(STRING)) return this.#fault('a name in double quotes was expected');
    this.#take(BLANK);
    return this.#eat(':') ? null : this.#fault('a colon was expected');
  }

  #eat(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return false;
    this.#at = pattern.lastIndex;
    return found[0] !== '' || pattern === BLANK;
  }

  #fault(message: string): JsonFault {
    const seen = this.#text[this.#at];
    return {
      message:
        seen === undefined ? `${message}, but the text ends` : `${message}, found ${JSON.stringify(seen)}`,
      at: this.#at,
    };
  }
}
