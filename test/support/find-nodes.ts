/**
 * The Node versions that the package supports, for tests that run it on each: this process, and the others from npm's
 * `node` package, kept in .cache/. Prints in one line which were found; without the registry only this one remains.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const NODE_MAJORS: readonly number[] = [20, 22, 24];
const CACHE = fileURLToPath(new URL('../../.cache/nodes', import.meta.url));

export interface FoundNode {
  readonly major: number;
  readonly path: string;
}

export function findNodes(): readonly FoundNode[] {
  const own = Number(process.versions.node.split('.')[0]);
  const found = NODE_MAJORS.flatMap((major): FoundNode[] => {
    if (major === own) return [{ major, path: process.execPath }];
    const path = installed(major);
    return path === undefined ? [] : [{ major, path }];
  });
  console.error(`package tests: Node ${found.map(({ major }) => major).join(', ')}`);
  return found;
}

function installed(major: number): string | undefined {
  const folder = join(CACHE, String(major));
  const path = join(folder, 'node_modules', 'node', 'bin', 'node');
  try {
    if (!existsSync(path)) {
      mkdirSync(folder, { recursive: true });
      const args = ['install', '--prefix', folder, '--prefer-offline', '--no-save', `node@${major}`];
      execFileSync('npm', args, { stdio: 'ignore', timeout: 300_000 });
    }
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' });
    return version.startsWith(`v${major}.`) ? path : undefined;
  } catch {
    return undefined;
  }
}
