/**
 * Copies everything in a data folder that is not copied in a way of its own: secrets, the list of lost writes, and any
 * file that a later version adds. What is left out is listed here, so nothing is left out by being forgotten.
 */
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../durable-files.js';

/** Entries of a data folder that are not copied as they are, each with the reason. */
export const NOT_COPIED: readonly (readonly [name: RegExp, why: string])[] = [
  [/^(?:sonde|records)\.db(?:-[a-z]+)?$/, 'databases are copied at one point in time, without their logs'],
  [/^segments$/, 'copied with the database that refers to them'],
  [/^control\.sock$/, 'belongs to the running server'],
  [/^\.ready-\d+$/, 'exists only while a readiness check runs'],
  [/^lost\+found$/, 'belongs to the file system'],
];
/** A file that is being written; it gets its name only when it is complete. */
const UNFINISHED = /\.tmp$/;

export async function copyRest(dataDir: string, target: string): Promise<void> {
  const names = await readdir(dataDir);
  const copied = names.filter((name) => !NOT_COPIED.some(([pattern]) => pattern.test(name)));
  await copyEntries({ from: dataDir, to: target, names: copied, above: [await realpath(dataDir)] });
}

interface Entries {
  readonly from: string;
  readonly to: string;
  readonly names: readonly string[];
  /** The real paths of the folders above, so that links cannot form a loop. */
  readonly above: readonly string[];
}

async function copyEntries({ from, to, names, above }: Entries): Promise<void> {
  for (const name of names) {
    if (UNFINISHED.test(name)) continue;
    const [source, copy] = [join(from, name), join(to, name)];
    // Follows links: a folder such as `secrets` may be mounted elsewhere.
    const found = await stat(source).catch(unlessGone);
    if (found?.isFile()) await copyPrivately(source, copy);
    if (!found?.isDirectory()) continue;
    const path = await realpath(source);
    if (above.includes(path)) continue;
    await mkdir(copy, { mode: 0o700 });
    await copyEntries({ from: source, to: copy, names: await readdir(source), above: [...above, path] });
    await syncFolder(copy);
  }
}

/** Whatever the mode of the original: a backup can sign tokens and open what is sealed. */
async function copyPrivately(source: string, copy: string): Promise<void> {
  await copyFile(source, copy, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await chmod(copy, 0o600);
  await syncFile(copy);
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
