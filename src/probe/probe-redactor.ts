/**
 * The redactor of a probe. It hides the credentials that were sent to this side, so that they are not stored if the
 * target echoes them, and it remembers clean texts. Responses of one side repeat: nearly all of the thirty header
 * values of a second sample are known, and redacting one takes about ten microseconds.
 */
import { createRedactor, type HeaderList, type Redactor } from '../net/index.js';

const REMEMBERED_MAX = 4000;

export class ProbeRedactor {
  readonly #redactor: Redactor;

  constructor(sent: HeaderList = []) {
    this.#redactor = createRedactor({
      secrets: sent.flatMap(([name, value]) => secretsOf(name, value)),
      remembered: REMEMBERED_MAX,
    });
  }

  text(input: string): string {
    return this.#redactor.text(input);
  }

  /** Redacts and then truncates; a truncated text ends in an ellipsis. */
  short(input: string, max: number): string {
    const text = this.text(input);
    return text.length <= max ? text : `${this.#redactor.truncated(text, max - 1)}…`;
  }

  value(input: unknown): unknown {
    return this.#redactor.value(input);
  }
}

/** Headers that affect the response but are not secret; hiding their values would hide half of a page. */
const HARMLESS = /^(?:accept(?:-.*)?|cache-control|pragma|user-agent|content-type|dnt|referer|origin|if-.*)$/;

/** `Bearer abc` is also hidden as `abc`, `a=1; b=2` also by its values. */
function secretsOf(name: string, value: string): string[] {
  if (HARMLESS.test(name.toLowerCase())) return [];
  const words = value.split(/[\s;,]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  return [value, ...words].filter((word) => word.length >= 6);
}
