// The physical limit of the disk: a bare loop that writes and calls fdatasync, with one write or a group per sync.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beginRun } from './processes.mjs';

/** Returns durable writes per second. @param {{ bytes: number, group: number, ms: number }} options */
export function fdatasyncRate({ bytes, group, ms }) {
  const file = openSync(join(beginRun(), 'fdatasync'), 'a');
  try {
    const block = Buffer.alloc(bytes * group, 'x');
    const startedAt = performance.now();
    let writes = 0;
    while (performance.now() - startedAt < ms) {
      writeSync(file, block);
      fdatasyncSync(file);
      writes += group;
    }
    return writes / ((performance.now() - startedAt) / 1000);
  } finally {
    closeSync(file);
  }
}
