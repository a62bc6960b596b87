/**
 * Resolves every setting from its sources: flag, then environment, then file, then default.
 *
 * Only the chosen value is validated, so a flag can override an invalid value in a file. All problems are reported in
 * one error, and settings are only returned if there are none.
 */
import { type ConfigProblem, configError, invalidValue } from './config-problem.js';
import { decodeText } from './decode-text.js';
import { formOf } from './own-form.js';
import { type Environment, unknownVariables } from './read-env.js';
import { type ConfigFile, readFileValues } from './read-file-values.js';
import { envName, SETTING_ROWS, type SettingKey, type SettingRow } from './setting-rows.js';
import { SETTING_SCHEMAS, type Settings } from './settings.js';

export interface SettingSources {
  /** By flag name without the leading dashes: `{'public-url': '…'}`; a list if the flag was repeated. */
  readonly flags?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly env?: Environment;
  readonly file?: ConfigFile | undefined;
}

export interface ResolvedSettings {
  readonly settings: Settings;
  /** `flag --host`, `env SONDE_HOST`, `file sonde.config.json` or `default`. */
  readonly origins: Readonly<Record<SettingKey, string>>;
}

function choose(row: SettingRow, sources: SettingSources, fileValues: ReadonlyMap<string, unknown>) {
  const flag = sources.flags?.[row.flag];
  if (flag !== undefined) return { value: decodeText(row, flag), origin: `flag --${row.flag}` };
  const variable = sources.env?.[envName(row)];
  if (variable) return { value: decodeText(row, variable), origin: `env ${envName(row)}` };
  if (fileValues.has(row.key)) {
    return { value: fileValues.get(row.key), origin: `file ${sources.file?.name ?? ''}` };
  }
  return { value: row.default, origin: 'default' };
}

const faultPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (/^[a-z]\w*$/i.test(String(step)) ? `.${String(step)}` : `[${JSON.stringify(step)}]`))
    .join('');

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

/** Checks rules between settings, once each setting is valid. */
function findConflicts({ server, auth }: Settings, origins: ResolvedSettings['origins']): ConfigProblem[] {
  const conflicts: string[] = [];
  if (server.auth === 'none' && !isLoopback(server.host)) {
    conflicts.push(
      `server.auth: none works on a loopback host only, and server.host is "${server.host}" (${origins['server.auth']}; ${origins['server.host']})`,
    );
  }
  if (auth.jwtSecret !== undefined && auth.jwks !== undefined) {
    conflicts.push(
      `auth.jwks: expected either auth.jwks or auth.jwtSecret, got both (${origins['auth.jwks']}; ${origins['auth.jwtSecret']})`,
    );
  }
  return conflicts.map((message) => ({ code: 'CONFIG_INVALID_VALUE', message }));
}

function nest(values: ReadonlyMap<SettingKey, unknown>): Settings {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of values) {
    const [group = '', name = ''] = key.split('.');
    groups[group] = { ...groups[group], [name]: value };
  }
  // Each value has passed the schema of its key, from which the type is derived.
  return groups as unknown as Settings;
}

export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const { values: fileValues, problems: fileProblems } = sources.file
    ? readFileValues(sources.file)
    : { values: new Map<string, unknown>(), problems: [] };
  const problems: ConfigProblem[] = [...fileProblems, ...unknownVariables(sources.env ?? {})];
  const values = new Map<SettingKey, unknown>();
  const origins: Partial<Record<SettingKey, string>> = {};
  for (const row of SETTING_ROWS) {
    const { value, origin } = choose(row, sources, fileValues);
    const parsed = value === undefined ? undefined : SETTING_SCHEMAS[row.key].safeParse(value);
    if (parsed?.success === false) {
      const [issue] = parsed.error.issues;
      const at = faultPath(issue?.path ?? []);
      const form = issue && formOf(issue);
      problems.push(invalidValue(row, { value, origin, at, ...(form !== undefined && { form }) }));
    }
    values.set(row.key, parsed?.data);
    origins[row.key] = origin;
  }
  if (problems.length > 0) throw configError(problems);
  const resolved = { settings: nest(values), origins: origins as Record<SettingKey, string> };
  const conflicts = findConflicts(resolved.settings, resolved.origins);
  if (conflicts.length > 0) throw configError(conflicts);
  return resolved;
}
