/**
 * The command line's file port. A file is never read beyond its limit, even if it grows or has no end. A link that the
 * user names is followed, as a shell's redirection would; a link that somebody planted beside it is not.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Files } from '../../cli/ports.js';
import { SondeError } from '../../errors.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
};

function unreadable(path: string, thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const code = codeOf(thrown);
  const why = REASONS[code] ?? `cannot be read (${code || 'error'})`;
  return new SondeError('FILE_UNREADABLE', `${path} ${why}`, { cause: thrown });
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

async function readBounded(path: string, bytesMax: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: bytesMax })) {
      chunks.push(chunk);
      total += chunk.length;
    }
    if (total > bytesMax) throw new SondeError('FILE_UNREADABLE', `${path} has more than ${bytesMax} bytes`);
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

async function readText(path: string, { bytesMax }: { readonly bytesMax: number }): Promise<string> {
  try {
    const bytes = await readBounded(path, bytesMax);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      throw new SondeError('FILE_UNREADABLE', `${path} is not UTF-8 text`, { cause: thrown });
    }
    throw unreadable(path, thrown);
  }
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path, 'r');
    yield* file.createReadStream();
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
}

async function writeText(path: string, text: string): Promise<void> {
  try {
    const found = await lstat(path).catch(() => undefined);
    // A link, pipe or terminal is written to, not replaced by a file.
    if (found && !found.isFile()) await writeFile(path, text);
    else await replaceFile(path, text, found?.mode);
  } catch (thrown) {
    throw unwritable(path, thrown);
  }
}

/**
 * Writes a temporary file and renames it, so that a reader never sees half a report. The name cannot be guessed and the
 * file must be new, so the bytes go nowhere else.
 */
async function replaceFile(path: string, text: string, mode = 0o666): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.part`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: mode & 0o777 });
    await rename(temporary, path);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Opens the file for writing, because only that is reliable. A file that did not exist before is removed again. */
async function checkWritable(path: string): Promise<void> {
  try {
    const found = await stat(path).catch(() => undefined);
    // Opening and closing a pipe would end it for its reader.
    if (found && !found.isFile() && !found.isDirectory()) return await access(path, constants.W_OK);
    await (await open(path, 'a')).close();
    // Behind a link that leads nowhere, the new file is its target.
    if (!found) await rm(await realpath(path), { force: true });
  } catch (thrown) {
    throw unwritable(path, thrown);
  }
}

function unwritable(path: string, thrown: unknown): SondeError {
  const code = codeOf(thrown);
  const why = WRITE_REASONS[code] ?? `cannot be written (${code || 'error'})`;
  return new SondeError('FILE_UNWRITABLE', `${path} ${why}`, { cause: thrown });
}

const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'is in a folder that does not exist',
  ENOTDIR: 'is in a folder that does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be written: permission denied',
  EPERM: 'cannot be written: permission denied',
  EROFS: 'cannot be written: permission denied',
  ENOSPC: 'cannot be written: the disk is full',
};

export const createFiles = (): Files => ({
  exists,
  readText,
  readChunks,
  checkWritable,
  writeText,
});
