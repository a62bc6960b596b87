/** Removes every row of a stream. Returns the chunks whose segments must be removed too. */
import type { StreamKey } from '../../streams/index.js';
import { type HotTables, removeHotRows } from './hot-writer.js';
import { SELECT_COLD } from './stream-statements.js';

export function removeStreamRows(tables: HotTables, { id, life }: StreamKey): readonly number[] {
  const { database } = tables;
  const cold = database.all(SELECT_COLD, [life]).map((row) => Number(row['chunk_seq']));
  removeHotRows(tables, life);
  for (const table of ['sealed_chunks', 'stream_forks']) {
    database.run(`DELETE FROM ${table} WHERE stream_id = ?`, [life]);
  }
  database.run('DELETE FROM streams WHERE stream_id = ?', [id]);
  return cold;
}
