/** One row of the table of settings (`setting-rows.ts`): names, text forms and default, without a schema. */
export interface SettingRow {
  readonly key: `${string}.${string}`;
  readonly flag: string;
  /** How the text of a flag or variable becomes the value that a file would hold. */
  readonly takes: 'text' | 'number' | 'list' | 'map' | 'json';
  /** What stands for the value in help. */
  readonly placeholder: string;
  readonly about: string;
  /** The allowed form, completing "expected …". */
  readonly form: string;
  readonly default?: string | number | readonly string[] | Readonly<Record<string, string>>;
  /** What counts when it is not set and has no fixed default. */
  readonly unset?: string;
  readonly choices?: readonly string[];
  /** Never shown: not in messages, not by `config show`. */
  readonly secret?: true;
  /** The variable's name, where the world has one of its own for it. */
  readonly env?: string;
}
