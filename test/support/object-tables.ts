import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** Returns the first row that each object of a class yields. Its files can be read while nothing writes to them. */
function askObjects<Row>(folder: string, className: string, sql: string): Row[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(className) && name.endsWith('.sqlite') && !name.includes('metadata'))
    .map((name) => {
      const database = new Database(join(folder, name), { readonly: true });
      const row = database.prepare(sql).get() as Row;
      database.close();
      return row;
    });
}

/** Returns how many tables each object of a class has. */
export function tablesOfObjects(folder: string, className: string): number[] {
  const sql = "SELECT count(*) AS tables FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
  return askObjects<{ tables: number }>(folder, className, sql).map(({ tables }) => tables);
}

/** Returns how often each stream's object has sent its deletions, and when it will do so again. */
export function deletionsOfStreams(folder: string): { sends: number; dueAt: number }[] {
  return askObjects(folder, 'HotBuffer', 'SELECT sends, due_at AS dueAt FROM deletion_outbox');
}
