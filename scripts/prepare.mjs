// The `prepare` script, which npm runs after `npm ci`, before packing, and in the clone of a git dependency: bundles
// what is stale, so that `npx sonde` works at once. Types take longer and are left to `prepack`; npm does not run that
// for a git dependency, so there they are built here.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { build, isStale } from './build.mjs';

function hasBuildTools() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

if (!hasBuildTools()) {
  // `npm ci --omit=dev`, as in the last stage of an image, which gets dist/ from elsewhere.
  process.stderr.write('sonde was not built: esbuild is a development dependency and is not installed\n');
} else {
  if (isStale()) await build();
  if (process.env['_PACOTE_NO_PREPARE_'] !== undefined) {
    const types = spawnSync('npm', ['run', 'build:types'], { stdio: ['ignore', 2, 2] });
    process.exitCode = types.status ?? 1;
  }
}
