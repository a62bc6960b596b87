/**
 * Copies the streams of a store at one point in time. The write-ahead log is checkpointed into the database file. Until
 * the file is copied there are no further checkpoints, and appends go only to the log. Segments never change, and none
 * is deleted before the copy is complete, so the copy has every segment that its database refers to.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { syncFile, syncFolder } from '../durable-files.js';
import type { FileObjectStore } from '../file-object-store.js';
import type { StoreHost } from '../sqlite/store-host.js';

export interface CopiedStreams {
  readonly segments: number;
  /** How long appends waited, in milliseconds. */
  readonly pausedMs: number;
}

export interface StreamFiles {
  readonly host: Pick<StoreHost, 'freezeFile'>;
  readonly objects: Pick<FileObjectStore, 'holdRemovals'>;
  readonly dataDir: string;
  /** Aborted if nobody waits for the copy any more. */
  readonly signal?: AbortSignal;
}

/** `target` must exist. */
export async function copyStreams(files: StreamFiles, target: string): Promise<CopiedStreams> {
  const { host, objects, dataDir, signal } = files;
  const resumeRemovals = objects.holdRemovals();
  try {
    const frozen = await host.freezeFile();
    try {
      await copySynced(join(dataDir, 'sonde.db'), join(target, 'sonde.db'));
    } finally {
      await frozen.thaw();
    }
    const segments = await copySegments(join(dataDir, 'segments'), join(target, 'segments'), signal);
    await syncFolder(target);
    return { segments, pausedMs: frozen.pausedMs };
  } finally {
    await resumeRemovals();
  }
}

async function copySegments(from: string, to: string, signal?: AbortSignal): Promise<number> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(noneIfMissing);
  const segments = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'));
  const folders = new Set<string>();
  for (const { parentPath, name } of segments) {
    signal?.throwIfAborted();
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

/** Copies a file and its mode, as a reflink if the file system supports it. Fails if the new file exists. */
export async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await syncFile(to);
}
