/** The files that pages load are small, free of dependencies and Node, and their types need neither. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { folderWith } from './cli-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function bundled(entry: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    write: false,
  });
  return { bytes: outputFiles[0]?.contents ?? new Uint8Array(0), inputs: Object.keys(metafile.inputs) };
}

/** Gzipped bytes. The first limit is documented; the second keeps its neighbour honest. */
test.each([
  ['packages/client/src/index.ts', 4200],
  ['packages/client/src/ai-sdk.ts', 5000],
])('%s is at most %i bytes, all from its own folder', async (entry, bytesMax) => {
  const { bytes, inputs } = await bundled(entry);
  const size = gzipSync(bytes, { level: 9 }).length;
  expect(size).toBeLessThanOrEqual(bytesMax);
  expect(inputs.filter((input) => !input.startsWith('packages/client/src/'))).toEqual([]);
});

test('the bundle can be loaded by pages: it has no bare import', () => {
  for (const name of ['client.js', 'client-ai-sdk.js']) {
    const text = readFileSync(join(root, 'dist', name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)].map(([, path]) => path);
    expect(imports.filter((path) => !path?.startsWith('./'))).toEqual([]);
  }
});

test('a page type-checks against it without Node', () => {
  const cwd = folderWith({
    'page.ts': `import { durableFetch, DurableFetchError, type DurableFetch } from 'sonde/client';
      const get: DurableFetch = durableFetch({ proxy: '/', token: async () => 't', storage: localStorage, requestId: 'a' });
      const same: typeof fetch = get;
      try { await same('/x'); } catch (e) { if (e instanceof DurableFetchError) e.code satisfies string; }`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        types: [],
        lib: ['ES2023', 'DOM'],
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      },
      files: ['page.ts'],
    }),
    'package.json': '{"type":"module"}',
  });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(root, join(cwd, 'node_modules', 'sonde'));
  const tsc = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  spawnSync(process.execPath, [tsc, '-b', join(root, 'src', 'client')]);
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', cwd], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});
