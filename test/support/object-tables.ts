import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** How many tables each object of a class has. Its files can be read while nobody writes them. */
export function tablesOfObjects(folder: string, className: string): number[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes(className) && name.endsWith('.sqlite') && !name.includes('metadata'))
    .map((name) => {
      const database = new Database(join(folder, name), { readonly: true });
      const row = database
        .prepare("SELECT count(*) AS tables FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'")
        .get() as { tables: number };
      database.close();
      return row.tables;
    });
}
