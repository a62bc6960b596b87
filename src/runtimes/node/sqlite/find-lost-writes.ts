/**
 * Checks that a database still has its last acknowledged write. This reads one row, however many there are. A loss is
 * recorded in a file for the operator. If streams lost writes, every open stream continues in an unused chunk.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteStreamStore } from '../../../stores/sqlite/sqlite-stream-store.js';
import { formatOffset } from '../../../streams/index.js';
import type { CommitCounter, Commits } from './commit-counter.js';
import { type CommitMark, hasMarkedWrite, type StreamMark } from './commit-mark.js';
import type { OpenDatabase } from './open-database.js';

export interface LostWrites {
  /** ISO 8601. */
  readonly foundAt: string;
  /** The stream of the last acknowledged write, if streams lost any. */
  readonly stream?: string;
  /** What else lost acknowledged writes. */
  readonly of?: string;
  readonly lastWrite: string;
  readonly found: string;
}

/** A file in the data folder with one JSON object per line. */
export const LOST_WRITES_FILE = 'lost-writes.jsonl';

interface Opened {
  readonly database: OpenDatabase;
  readonly streams: SqliteStreamStore;
  readonly mark: CommitMark;
  readonly folder: string;
}

export function findLostWrites({ database, streams, mark, folder }: Opened): void {
  const { found } = mark;
  if (!found || found.kind === 'none') return;
  if (found.kind !== 'restored') {
    if (hasMarkedWrite(found, streams.get(found.id))) return;
    record(folder, describe(found, streams));
  }
  database.begin();
  streams.skipChunks();
  database.commit();
  mark.write({ kind: 'none' });
}

/** Checks what has no mark of its own by the number of commits. `of` says what the database contains. */
export function findLostCommits(
  database: OpenDatabase,
  counter: CommitCounter,
  { folder, of }: { readonly folder: string; readonly of: string },
): void {
  database.begin();
  const lost = counter.takeLoss();
  database.commit();
  if (!lost) return;
  const { acknowledged, found } = lost;
  record(folder, {
    foundAt: new Date().toISOString(),
    of,
    lastWrite: describeCommits(acknowledged),
    found: describeCommits(found),
  });
}

function describeCommits({ count, at }: Commits): string {
  return count === 0 ? 'no commit' : `commit ${count} of ${new Date(at).toISOString()}`;
}

function describe(mark: StreamMark, streams: SqliteStreamStore): LostWrites {
  const state = streams.get(mark.id);
  const here = state?.life === mark.life ? state : undefined;
  const at = mark.kind === 'written' && here ? formatOffset(here.hash, mark.tail) : undefined;
  return {
    foundAt: new Date().toISOString(),
    stream: mark.id,
    lastWrite:
      mark.kind === 'removed'
        ? 'deleted'
        : `${mark.closed ? 'closed' : 'written'}${at ? ` up to ${at}` : ''}`,
    found: here ? `ends at ${formatOffset(here.hash, here.tail)}` : 'no such stream',
  };
}

function record(folder: string, lost: LostWrites): void {
  const file = openSync(join(folder, LOST_WRITES_FILE), 'a', 0o600);
  try {
    writeSync(file, `${JSON.stringify(lost)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** All recorded losses, until the operator removes the file. */
export function readLostWrites(folder: string): readonly LostWrites[] {
  const path = join(folder, LOST_WRITES_FILE);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => parseLine(line) ?? []);
}

/** A line that was truncated by a crash must not prevent a start. */
function parseLine(line: string): LostWrites | undefined {
  try {
    return JSON.parse(line) as LostWrites;
  } catch {
    return undefined;
  }
}
