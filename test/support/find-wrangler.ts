/**
 * The wranglers that deploy the Worker: the pinned one, which is the last for Node 20, and a current one, which needs
 * Node 22 and is kept in .cache/. Without the npm registry only the pinned one remains; in CI that is an error.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNodes } from './find-nodes.js';

const CURRENT = '4.160.0';
const FOLDER = fileURLToPath(new URL(`../../.cache/wrangler-${CURRENT}`, import.meta.url));

export interface FoundWrangler {
  readonly name: 'pinned' | 'current';
  readonly node: string;
  /** Relative to the root of the project, or absolute. */
  readonly script: string;
}

const PINNED: FoundWrangler = {
  name: 'pinned',
  node: process.execPath,
  script: 'node_modules/wrangler/bin/wrangler.js',
};

export function findWranglers(): readonly FoundWrangler[] {
  const node = findNodes().find(({ major }) => major === 22)?.path;
  const script = node === undefined ? undefined : installed();
  if (node !== undefined && script !== undefined) return [PINNED, { name: 'current', node, script }];
  if (process.env['CI'] !== undefined)
    throw new Error(`wrangler ${CURRENT} and Node 22 could not be installed`);
  console.error(`deployment tests: wrangler ${CURRENT} is not available; only the pinned one is tested`);
  return [PINNED];
}

function installed(): string | undefined {
  const script = join(FOLDER, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  if (existsSync(script)) return script;
  mkdirSync(FOLDER, { recursive: true });
  const args = ['install', '--prefix', FOLDER, '--prefer-offline', '--no-save', '--ignore-scripts'];
  try {
    execFileSync('npm', [...args, `wrangler@${CURRENT}`], { stdio: 'ignore', timeout: 300_000 });
    return script;
  } catch {
    return undefined;
  }
}
