/** Adds the flags of settings to a command and reads their values, without loading schemas. */
import { type Command, Option } from 'commander';
import {
  envName,
  SETTING_ROWS,
  type SettingGroup,
  type SettingKey,
  type SettingRow,
} from '../config/setting-rows.js';
import { collect } from './header-options.js';

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

function describeOption(row: SettingRow): string {
  const { default: fallback, unset } = row;
  const fixed = typeof fallback === 'string' || typeof fallback === 'number' ? fallback : unset;
  return `${row.about} (${fixed === undefined ? '' : `default: ${fixed}; `}env: ${envName(row)})`;
}

function createOption(row: SettingRow): Option {
  const option = new Option(`--${row.flag} <${row.placeholder}>`, describeOption(row));
  option.helpGroup(HELP_GROUPS[row.key.split('.')[0] ?? ''] ?? 'Options:');
  // Only for help and completion. The schema validates, so that flags, variables and files give the same errors.
  if (row.choices) option.argChoices = [...row.choices];
  if (isRepeatable(row)) {
    option.argParser(collect);
  }
  return option;
}

/** A group stands for all its settings. */
export type SettingChoice = SettingGroup | SettingKey;

export function addSettingOptions(command: Command, chosen?: readonly SettingChoice[]): Command {
  const isChosen = ({ key }: SettingRow) =>
    !chosen || chosen.some((choice) => key === choice || key.startsWith(`${choice}.`));
  for (const row of SETTING_ROWS) if (isChosen(row)) command.addOption(createOption(row));
  return command;
}

/** The values given on the command line, by flag name, for `resolveSettings`. */
export function settingFlags(command: Command): Record<string, string | string[]> {
  const flags: Record<string, string | string[]> = {};
  for (const row of SETTING_ROWS) {
    const option = command.options.find((candidate) => candidate.long === `--${row.flag}`);
    const value: unknown = option && command.getOptionValue(option.attributeName());
    if (typeof value === 'string' || Array.isArray(value)) flags[row.flag] = value;
  }
  return flags;
}
