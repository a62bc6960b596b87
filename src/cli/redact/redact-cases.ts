/**
 * Runs a file of redaction cases, one JSON object per line: every string of `hide` must be gone from the redacted
 * `input`, and every string of `keep` must still be there. The whole file is parsed before the first case runs, and an
 * invalid line refuses the file. Results never contain the input.
 */
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import type { Redactor } from '../../net/redact/index.js';

interface RedactCase {
  readonly id: string;
  readonly input: unknown;
  readonly hide: readonly string[];
  readonly keep: readonly string[];
}

export interface CaseResult {
  readonly id: string;
  /** `hidden`, `kept`, `hidden+kept`, or `nothing` if a case has neither. */
  readonly expect: string;
  /** The same words, with `leaked` instead of `hidden` and `lost` instead of `kept` where the case failed. */
  readonly got: string;
  readonly pass: boolean;
  /** `leaked` or `lost`; `leaked` if both apply. */
  readonly code: string | null;
}

const isStringList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

function readCase(value: unknown): RedactCase | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, input, hide, keep }: Partial<Record<keyof RedactCase, unknown>> = value;
  if (typeof id !== 'string' || input === undefined || !isStringList(hide) || !isStringList(keep))
    return undefined;
  return { id, input, hide, keep };
}

export function parseRedactCases(path: string, text: string): RedactCase[] {
  const cases: RedactCase[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const found = parsed.ok ? readCase(parsed.value) : undefined;
    if (!found) {
      const message = `${path}:${index + 1} is not a case: expected {"id":"…","input":"…","hide":["…"],"keep":["…"]}`;
      throw new SondeError('FILE_UNREADABLE', message);
    }
    cases.push(found);
  }
  if (cases.length === 0) throw new SondeError('FILE_UNREADABLE', `${path} contains no cases`);
  return cases;
}

const phrase = (words: readonly (string | false)[]): string => words.filter(Boolean).join('+') || 'nothing';

export function runRedactCase({ id, input, hide, keep }: RedactCase, redactor: Redactor): CaseResult {
  const redacted = typeof input === 'string' ? redactor.text(input) : JSON.stringify(redactor.value(input));
  const hasLeaked = hide.some((secret) => redacted.includes(secret));
  const hasLost = keep.some((word) => !redacted.includes(word));
  return {
    id,
    expect: phrase([hide.length > 0 && 'hidden', keep.length > 0 && 'kept']),
    got: phrase([
      hide.length > 0 && (hasLeaked ? 'leaked' : 'hidden'),
      keep.length > 0 && (hasLost ? 'lost' : 'kept'),
    ]),
    pass: !hasLeaked && !hasLost,
    code: hasLeaked ? 'leaked' : hasLost ? 'lost' : null,
  };
}
