/**
 * A problem in the configuration, and the error that reports all problems at once.
 *
 * A message names the key, the source of the value and the allowed form. It quotes the value only if it is short,
 * contains no `@` (as URLs with credentials do), and the setting is not secret.
 */
import { SondeError } from '../errors.js';
import type { SettingRow } from './setting-rows.js';

export interface ConfigProblem {
  readonly code: 'CONFIG_UNKNOWN_KEY' | 'CONFIG_INVALID_VALUE';
  readonly message: string;
}

const QUOTED_MAX = 80;

function quote(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // A cycle or a BigInt from a .ts file cannot be shown.
  }
  return text === undefined || text.length > QUOTED_MAX || text.includes('@') ? '' : `, got ${text}`;
}

export interface RefusedValue {
  readonly value: unknown;
  readonly origin: string;
  /** The position of the problem inside the value, such as `[0].token`. */
  readonly at?: string;
  /** What is expected there; the form of the whole value if absent. */
  readonly form?: string;
}

export function invalidValue(
  row: Pick<SettingRow, 'key' | 'form' | 'secret'>,
  refused: RefusedValue,
): ConfigProblem {
  // A part may be a key that was written where its name belongs.
  const got = row.secret || refused.form !== undefined ? '' : quote(refused.value);
  const form = refused.form ?? row.form;
  const message = `${row.key}${refused.at ?? ''}: expected ${form}${got} (${refused.origin})`;
  return { code: 'CONFIG_INVALID_VALUE', message };
}

export interface UnknownName {
  readonly name: string;
  readonly origin: string;
  readonly hint?: string | undefined;
}

export function unknownKey({ name, origin, hint }: UnknownName): ConfigProblem {
  const shown = name.length > QUOTED_MAX ? `${name.slice(0, QUOTED_MAX)}…` : name;
  return {
    code: 'CONFIG_UNKNOWN_KEY',
    message: `${shown} is not a known setting (${origin})${hint ? `; ${hint}` : ''}`,
  };
}

/** One error for a list of problems; `details.problems` lists them separately. */
export function configError(problems: readonly ConfigProblem[]): SondeError {
  const messages = problems.map((problem) => problem.message);
  return new SondeError(problems[0]?.code ?? 'CONFIG_INVALID_VALUE', messages.join('; '), {
    details: { problems: messages },
  });
}
