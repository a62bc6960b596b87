/**
 * The redactor: hides live secrets and everything that matches a credential pattern in text, and redacts structured
 * values recursively.
 *
 * Idempotent by construction: the rules run until the text no longer changes. A text that still changes after
 * `ROUNDS_MAX` rounds was crafted to do so and is hidden as a whole, and so is a text of mostly secrets (`mask.ts`).
 * Never throws: if a rule fails, the whole text is hidden.
 */
import { CleanTexts } from './clean-texts.js';
import { maskInlineCredentials } from './inline-credentials.js';
import { maskKeyedValues } from './keyed-values.js';
import { LiveSecrets } from './live-secrets.js';
import { MASK, Mask } from './mask.js';
import { maskPrivateKeys } from './private-key-blocks.js';
import { maskProviderTokens } from './provider-tokens.js';
import { redactValue } from './redact-value.js';
import { maskUserinfo } from './url-userinfo.js';
import { maskWebTokens } from './web-tokens.js';

export interface Redactor {
  /** The text with every credential replaced by `[REDACTED]`. Never throws; idempotent; linear time. */
  text(input: string): string;
  /**
   * A redacted plain copy of any value: everything under a credential's name is hidden, and every other string goes
   * through `text`. Cycles, throwing getters and excessive depth or breadth become markers.
   */
  value(input: unknown): unknown;
  /** Redacts and then truncates to at most `max` UTF-16 units, never inside a surrogate pair. */
  truncated(input: string, max: number): string;
  /**
   * Hides a live secret from now on, plain and in its encoded forms. Returns a function that releases it. Secrets
   * under six characters are ignored; beyond a thousand, the oldest is dropped.
   */
  protect(secret: string): () => void;
}

const ROUNDS_MAX = 5;

export interface RedactorOptions {
  readonly secrets?: Iterable<string>;
  /** How many texts without a credential to remember, for work in which texts repeat. */
  readonly remembered?: number;
}

export function createRedactor(options: RedactorOptions = {}): Redactor {
  const secrets = new LiveSecrets();
  for (const secret of options.secrets ?? []) secrets.protect(secret);
  const clean = new CleanTexts(options.remembered ?? 0);
  const text = (input: string): string => {
    if (clean.has(input)) return input;
    const redacted = redactText(input, secrets);
    if (redacted === input) clean.add(input);
    return redacted;
  };
  return {
    text,
    value: (input) => redactValue(input, text),
    truncated: (input, max) => truncate(text(input), max),
    protect: (secret) => {
      clean.clear();
      return secrets.protect(secret);
    },
  };
}

function redactText(input: string, secrets: LiveSecrets): string {
  try {
    let text = input;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const redacted = redactOnce(text, secrets);
      if (redacted === text) return text;
      text = redacted;
    }
    return MASK;
  } catch {
    return MASK;
  }
}

function redactOnce(text: string, secrets: LiveSecrets): string {
  const mask = new Mask(text);
  secrets.mask(text, mask);
  maskPrivateKeys(text, mask);
  maskWebTokens(text, mask);
  maskProviderTokens(text, mask);
  maskUserinfo(text, mask);
  maskInlineCredentials(text, mask);
  maskKeyedValues(text, mask);
  return mask.apply();
}

function truncate(text: string, max: number): string {
  const length = Math.max(0, Math.trunc(max) || 0);
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && length > 0;
  return text.slice(0, splitsPair ? length - 1 : length);
}
