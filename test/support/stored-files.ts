import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the files of a data folder that contain this text; `all` is the number of files searched. */
export function storedFilesWith(folder: string, text: string): { all: number; found: readonly string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((path) => statSync(path).isFile());
  return { all: files.length, found: files.filter((path) => readFileSync(path).includes(text)) };
}
