/**
 * Copies the folder of a running server as a crash would leave it: it repeats until no file has changed meanwhile. It
 * does not use `cpSync`, which never returns if a file shrinks while it is copied.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export function copyFolder(from: string, to: string): void {
  for (let tries = 0; tries < 1_000; tries++) {
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { mode: 0o700 });
    const before = stateOf(from);
    try {
      for (const path of before.keys()) {
        const copy = join(to, relative(from, path));
        mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
        writeFileSync(copy, readFileSync(path), { mode: 0o600 });
      }
      if (JSON.stringify([...before]) === JSON.stringify([...stateOf(from)])) return;
    } catch (error) {
      // The file was removed meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${from} keeps changing`);
}

function stateOf(folder: string): Map<string, readonly number[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { size, mtimeMs } = statSync(path);
      return [path, [size, mtimeMs]];
    }),
  );
}
