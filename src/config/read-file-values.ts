/**
 * Reads the values of a configuration file by key. It checks the shape `{group: {name: value}}` but not the values.
 * Every unknown key is a problem, reported with a suggestion.
 */
import { type ConfigProblem, unknownKey } from './config-problem.js';
import { nearestName } from './nearest-name.js';
import { SETTING_ROWS, type SettingKey } from './setting-rows.js';

export interface ConfigFile {
  /** The name in messages and origins. */
  readonly name: string;
  readonly content: unknown;
}

export interface FileValues {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly ConfigProblem[];
}

const KEYS: readonly SettingKey[] = SETTING_ROWS.map((row) => row.key);
const GROUPS = [...new Set(KEYS.map((key) => key.slice(0, key.indexOf('.'))))];

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function suggest(name: string): string | undefined {
  const [group, member] = name.split('.');
  if (member !== undefined && KEYS.some((key) => key === name)) {
    return `write it nested: {"${group}": {"${member}": …}}`;
  }
  // An unknown name at the top level is usually a setting without its group.
  const ungrouped = KEYS.find((key) => key.endsWith(`.${name}`));
  const near = ungrouped ?? nearestName(name, name.includes('.') ? KEYS : GROUPS);
  return near && `did you mean ${near}?`;
}

export function readFileValues(file: ConfigFile): FileValues {
  const values = new Map<string, unknown>();
  const problems: ConfigProblem[] = [];
  const origin = `file ${file.name}`;
  const refuse = (name: string) => problems.push(unknownKey({ name, origin, hint: suggest(name) }));
  const membersOf = (what: string, value: unknown): [string, unknown][] => {
    if (isPlainObject(value)) return Object.entries(value).filter(([, member]) => member !== undefined);
    problems.push({ code: 'CONFIG_INVALID_VALUE', message: `${what}: expected an object (${origin})` });
    return [];
  };

  for (const [group, members] of membersOf('configuration', file.content)) {
    if (group === '$schema') continue;
    if (!GROUPS.includes(group)) {
      refuse(group);
      continue;
    }
    for (const [name, value] of membersOf(group, members)) {
      const key = `${group}.${name}`;
      if (KEYS.some((known) => known === key)) values.set(key, value);
      else refuse(key);
    }
  }
  return { values, problems };
}
