/**
 * Finds and reads the configuration file, and resolves the settings of one call.
 *
 * The file is `--config`, or else SONDE_CONFIG, or else one of two names in the working folder. If both names exist,
 * the call is refused, so that nobody has to remember which one takes precedence.
 */
import type { Command } from 'commander';
import { parseJson } from '../config/parse-json.js';
import type { ConfigFile } from '../config/read-file-values.js';
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { SondeError } from '../errors.js';
import type { CliContext } from './cli-context.js';
import { settingFlags } from './setting-options.js';

const NAMES = ['sonde.config.ts', 'sonde.config.json'] as const;
const CONFIG_BYTES_MAX = 1024 * 1024;

const unreadable = (message: string, cause?: unknown): SondeError =>
  new SondeError('CONFIG_UNREADABLE', message, { cause });

async function findConfig(context: CliContext, command: Command): Promise<string | undefined> {
  const flag: unknown = command.optsWithGlobals()['config'];
  const explicit = typeof flag === 'string' ? flag : context.terminal.env['SONDE_CONFIG'];
  if (explicit) return explicit;
  const present: string[] = [];
  for (const name of NAMES) if (await context.files.exists(name)) present.push(name);
  if (present.length > 1) {
    throw unreadable(`${present.join(' and ')} both exist; keep one, or choose one with --config`);
  }
  return present[0];
}

async function readJson(context: CliContext, path: string): Promise<unknown> {
  const text = await context.files.readText(path, { bytesMax: CONFIG_BYTES_MAX }).catch((error: unknown) => {
    throw unreadable(error instanceof Error ? error.message : `${path} cannot be read`, error);
  });
  const parsed = parseJson(text);
  if (!parsed.ok) throw unreadable(`${path}:${parsed.line}:${parsed.column} is not valid JSON`);
  return parsed.value;
}

async function readConfig(context: CliContext, path: string): Promise<ConfigFile> {
  if (path.endsWith('.json')) return { name: path, content: await readJson(context, path) };
  if (!path.endsWith('.ts'))
    throw unreadable(`${path}: the name of a configuration file must end in .ts or .json`);
  if (!(await context.files.exists(path))) throw unreadable(`${path} does not exist`);
  return { name: path, content: await context.runtime.importConfig(path) };
}

export async function loadSettings(context: CliContext, command: Command): Promise<ResolvedSettings> {
  const path = await findConfig(context, command);
  const file = path === undefined ? undefined : await readConfig(context, path);
  const { resolveSettings } = await import('../config/resolve-settings.js');
  return resolveSettings({ flags: settingFlags(command), env: context.terminal.env, file });
}
