/**
 * Loads a `sonde.config.ts` with jiti. The transpiled text is not cached on disk, because a configuration may contain
 * secrets. `sonde` resolves to this package even if it is not installed in the project.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SondeError } from '../../errors.js';

/** jiti's messages have the reason on the first line and, for a syntax error, the position on the second. */
function failure(path: string, thrown: unknown): SondeError {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const [reason = '', ...rest] = text.split('\n').map((line) => line.trim());
  const place = reason.startsWith('ParseError: ') ? /:\d+:\d+$/.exec(rest[0] ?? '')?.[0] : undefined;
  const message = place
    ? `${path}${place} is not valid TypeScript: ${reason.slice('ParseError: '.length)}`
    : `${path} cannot be loaded: ${reason || 'it threw without a message'}`;
  return new SondeError('CONFIG_UNREADABLE', message, { cause: thrown });
}

/** A promise or a class instance would look like an empty configuration. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export async function loadConfig(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    alias: { sonde: fileURLToPath(import.meta.resolve('sonde')) },
  });
  let loaded: unknown;
  try {
    loaded = await jiti.import(resolve(path));
  } catch (thrown) {
    throw failure(path, thrown);
  }
  const content =
    typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  if (!isPlainObject(content)) {
    throw new SondeError('CONFIG_UNREADABLE', `${path}: the default export must be a plain object`);
  }
  return content;
}
