/**
 * Copies the streams of a store as they are at one moment. The log is emptied into the database file, and until that is
 * copied nothing more is moved there: appends continue in the log alone. Segments never change, and none is deleted
 * before the copy is complete, so the copied database finds every segment that it names.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { syncFolder } from '../durable-files.js';
import type { FileObjectStore } from '../file-object-store.js';
import type { StoreHost } from '../sqlite/store-host.js';

export interface CopiedStreams {
  readonly segments: number;
  /** For how long appends waited, in milliseconds. */
  readonly pausedMs: number;
}

export interface StreamFiles {
  readonly host: Pick<StoreHost, 'freezeFile'>;
  readonly objects: Pick<FileObjectStore, 'holdRemovals'>;
  readonly dataDir: string;
}

/** `target` exists. */
export async function copyStreams(files: StreamFiles, target: string): Promise<CopiedStreams> {
  const { host, objects, dataDir } = files;
  const letRemove = objects.holdRemovals();
  try {
    const frozen = await host.freezeFile();
    try {
      await copySynced(join(dataDir, 'sonde.db'), join(target, 'sonde.db'));
    } finally {
      await frozen.thaw();
    }
    const segments = await copySegments(join(dataDir, 'segments'), join(target, 'segments'));
    await syncFolder(target);
    return { segments, pausedMs: frozen.pausedMs };
  } finally {
    await letRemove();
  }
}

async function copySegments(from: string, to: string): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(noneIfMissing);
  const segments = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'));
  const folders = new Set<string>();
  for (const { parentPath, name } of segments) {
    const folder = join(to, relative(from, parentPath));
    if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    folders.add(folder);
    await copySynced(join(parentPath, name), join(folder, name));
  }
  for (const folder of folders) await syncFolder(folder);
  for (const folder of new Set([...folders].map(dirname))) await syncFolder(folder);
  return segments.length;
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** A new file with the bytes of another, shared with it if the file system can; modes are kept. */
export async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
