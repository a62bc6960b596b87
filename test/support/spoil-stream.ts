/** Changes or removes bytes of streams on disk while no process has the files open. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { StreamHarness } from './stream-harness.js';

/** Bypasses our own opener, whose cached statements would hold the file's lock. */
const Database = createRequire(import.meta.url)('libsql') as new (
  path: string,
) => { exec(sql: string): void; close(): void };

/** Changes the ten bytes of the hot record that starts there. */
export async function spoilHot(
  harness: StreamHarness,
  id: string,
  { chunk = 0, position }: { readonly chunk?: number; readonly position: number },
): Promise<void> {
  await harness.whileClosed(() => {
    const database = new Database(join(harness.folder, 'sonde.db'));
    database.exec(
      `UPDATE chunks SET data = CAST('##########' AS BLOB)
       WHERE stream_id = (SELECT life FROM streams WHERE stream_id = '${id}')
         AND chunk_seq = ${chunk} AND position = ${position}`,
    );
    database.close();
  });
}

/** Returns the paths of the cold segments, in the order of their chunks. */
export function segmentsOf({ folder }: StreamHarness): string[] {
  return readdirSync(join(folder, 'segments'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
