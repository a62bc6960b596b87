import type { ZodType } from 'zod';

/** The schemas that rows choose from. */
export type ValueSchemas = typeof import('./value-schemas.js');

/**
 * One row of the table of settings (`setting-rows.ts`): everything about a setting. Its schema is a function, so that
 * `--help` can list every flag without loading zod.
 */
export interface SettingRow {
  readonly key: `${string}.${string}`;
  readonly flag: string;
  /** How the text of a flag or variable is decoded into the value that a file would contain. */
  readonly takes: 'text' | 'number' | 'list' | 'map' | 'json';
  /** Stands for the value in help texts. */
  readonly placeholder: string;
  readonly about: string;
  /** The allowed form, completing "expected …". */
  readonly form: string;
  schema(is: ValueSchemas): ZodType;
  readonly default?: string | number | readonly string[] | Readonly<Record<string, string>>;
  /** What applies if the setting is not set and has no fixed default. */
  readonly unset?: string;
  readonly choices?: readonly string[];
  /** Never shown in messages or by `config show`. */
  readonly secret?: true;
  /** The variable's name if a conventional one exists, such as `DATABASE_URL`. */
  readonly env?: string;
}
