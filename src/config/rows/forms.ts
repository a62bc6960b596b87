/** The fields that rows of one form share. The default of a time or a size is also the example in its form. */
import type { ValueSchemas } from '../setting-row.js';

export const time = (min: string, max: string, fallback: string) =>
  ({
    takes: 'number',
    placeholder: 'TIME',
    form: `a time from ${min} to ${max} such as ${fallback}, or a number of milliseconds`,
    schema: (is: ValueSchemas) => is.time(min, max),
    default: fallback,
  }) as const;

export const size = (min: string, max: string, fallback: string) =>
  ({
    takes: 'number',
    placeholder: 'SIZE',
    form: `a size from ${min} to ${max} such as ${fallback}, or a number of bytes`,
    schema: (is: ValueSchemas) => is.size(min, max),
    default: fallback,
  }) as const;

export const count = (min: number, max: number, fallback: number) =>
  ({
    takes: 'number',
    placeholder: 'COUNT',
    form: `a whole number from ${min} to ${max}`,
    schema: (is: ValueSchemas) => is.whole(min, max),
    default: fallback,
  }) as const;

export const text = (max: number) =>
  ({
    takes: 'text',
    form: `text of 1 to ${max} characters`,
    schema: (is: ValueSchemas) => is.text(max),
  }) as const;

export const oneOf = <const Choices extends readonly string[]>(...choices: Choices) =>
  ({
    takes: 'text',
    form: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    schema: (is: ValueSchemas) => is.oneOf(choices),
    choices,
  }) as const;

export const secret = {
  takes: 'text',
  placeholder: 'SECRET',
  form: 'text of at least 32 bytes',
  schema: (is: ValueSchemas) => is.secret,
  unset: 'the one in the data folder',
  secret: true,
} as const;

/** The current one, and the previous one while it is being replaced. */
export const secretPair = {
  ...secret,
  takes: 'list',
  placeholder: 'SECRET,…',
  form: 'one or two texts of at least 32 bytes',
  schema: (is: ValueSchemas) => is.secretPair,
} as const;
