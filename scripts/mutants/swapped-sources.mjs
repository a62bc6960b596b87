// Replaces the text of source files for tests: for Vite with a plugin, and for the built store threads with separate
// bundles in a folder of the cache.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { bundleThreads } from '../build.mjs';

/**
 * @typedef {object} SwappedSources
 * @property {import('vite').Plugin} plugin
 * @property {string} folder for files of this run
 * @property {(texts: ReadonlyMap<string, string>) => Promise<string[]>} swap by absolute path; returns the changed
 * files
 * @property {() => Promise<void>} close
 */

/** @param {string} root @returns {Promise<SwappedSources>} */
export async function openSwappedSources(root) {
  const folder = join(root, '.cache', `mutants-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // All tests get the built threads from here.
  const served = join(root, 'test/support/serve.ts');
  /** @type {ReadonlyMap<string, string>} */
  let texts = new Map();
  let bundles = 0;
  /** @type {string | undefined} */
  let threads;
  const inputs = await bundle(join(folder, 'threads'), texts);

  return {
    folder,
    plugin: {
      name: 'sonde:swapped-sources',
      enforce: 'pre',
      transform(code, id) {
        const [path = ''] = id.split('?');
        if (path === served && threads !== undefined) {
          const replacement = `${pathToFileURL(threads).href}/$1`;
          return { code: code.replace(/\.\.\/\.\.\/dist\/([a-z]+-worker\.js)/g, replacement), map: null };
        }
        const text = texts.get(path);
        return text === undefined ? undefined : { code: text, map: null };
      },
    },
    async swap(next) {
      const changed = [...texts.keys(), ...next.keys(), served];
      texts = next;
      if (threads !== undefined) rmSync(threads, { recursive: true, force: true });
      threads = undefined;
      if ([...next.keys()].some((file) => inputs.has(file))) {
        threads = join(folder, `threads-${++bundles}`);
        await bundle(threads, next);
      }
      return changed;
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /**
   * @param {string} outdir @param {ReadonlyMap<string, string>} others @returns {Promise<Set<string>>} the files read
   */
  function bundle(outdir, others) {
    return bundleThreads(outdir, {
      name: 'swapped-sources',
      setup: ({ onLoad }) =>
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
          const contents = others.get(path);
          return contents === undefined ? undefined : { contents, loader: 'ts' };
        }),
    });
  }
}
