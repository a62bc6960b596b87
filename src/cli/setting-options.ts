/** Flags of the settings table on a command, and their values back out of it, without loading a schema. */
import { type Command, Option } from 'commander';
import { envName, SETTING_ROWS, type SettingKey, type SettingRow } from '../config/setting-rows.js';

const HELP_GROUPS: Readonly<Record<string, string>> = {
  server: 'Server:',
  auth: 'Authentication:',
  net: 'Outbound requests:',
  explain: 'Explanations:',
  jobs: 'Jobs:',
  client: 'Client:',
  log: 'Log:',
};

const isRepeatable = (row: SettingRow): boolean => row.takes === 'list' || row.takes === 'map';

function describe(row: SettingRow): string {
  const { default: fallback, unset } = row;
  const fixed = typeof fallback === 'string' || typeof fallback === 'number' ? fallback : unset;
  return `${row.about} (${fixed === undefined ? '' : `default: ${fixed}; `}env: ${envName(row)})`;
}

function optionOf(row: SettingRow): Option {
  const option = new Option(`--${row.flag} <${row.placeholder}>`, describe(row));
  option.helpGroup(HELP_GROUPS[row.key.split('.')[0] ?? ''] ?? 'Options:');
  // Only for help and completion: the schema judges, so that flag, variable and file are refused alike.
  if (row.choices) option.argChoices = [...row.choices];
  if (isRepeatable(row)) {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return option;
}

export function addSettingOptions(command: Command, keys?: readonly SettingKey[]): Command {
  for (const row of SETTING_ROWS) {
    if (!keys || keys.includes(row.key)) command.addOption(optionOf(row));
  }
  return command;
}

/** What was given on the command line, by flag name, as `resolveSettings` takes it. */
export function settingFlags(command: Command): Record<string, string | string[]> {
  const flags: Record<string, string | string[]> = {};
  for (const row of SETTING_ROWS) {
    const option = command.options.find((candidate) => candidate.long === `--${row.flag}`);
    const value: unknown = option && command.getOptionValue(option.attributeName());
    if (typeof value === 'string' || Array.isArray(value)) flags[row.flag] = value;
  }
  return flags;
}
