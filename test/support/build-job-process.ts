/** Bundles `job-process.ts`, the worker that tests kill and freeze, to run as its own process. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function buildJobProcess(folder: string): Promise<string> {
  // Next to the packages that it imports.
  const outfile = join(ROOT, '.cache', `job-process-${folder.split('-').at(-1)}.mjs`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/support/job-process.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
  return outfile;
}
