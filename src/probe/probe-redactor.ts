/**
 * The redactor as a probe uses it: it knows the credentials that were sent to this side, so that a target
 * which echoes them cannot get them stored, and it remembers what it found clean. Responses of one side repeat
 * themselves: of thirty header values of a second sample nearly all are known, and reading one afresh takes
 * about ten microseconds.
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

  /** Redacted, and only then cut; what was cut ends in an ellipsis. */
  short(input: string, max: number): string {
    const text = this.text(input);
    return text.length <= max ? text : `${this.#redactor.truncated(text, max - 1)}…`;
  }

  value(input: unknown): unknown {
    return this.#redactor.value(input);
  }
}

/** Headers that shape the response and are no secret; hiding their values would hide half of a page. */
const HARMLESS = /^(?:accept(?:-.*)?|cache-control|pragma|user-agent|content-type|dnt|referer|origin|if-.*)$/;

/** `Bearer abc` is also hidden as `abc`, `a=1; b=2` also by its values. */
function secretsOf(name: string, value: string): string[] {
  if (HARMLESS.test(name.toLowerCase())) return [];
  const words = value.split(/[\s;,]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  return [value, ...words].filter((word) => word.length >= 6);
}
