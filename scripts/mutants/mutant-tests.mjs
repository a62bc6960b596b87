// Runs the unit and contract tests that load a mutated file. One Vitest serves all mutants; a plugin gives it the
// mutated text, so nothing is written into the source tree. Each run has a new worker process, so no mutant sees what
// another left behind.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { loadConfigFromFile, mergeConfig } from 'vite';
import { createVitest } from 'vitest/node';
import { bundleThreads } from '../build.mjs';

/** @typedef {import('./list-mutants.mjs').Mutant} Mutant */
/** @typedef {import('vitest/node').TestSpecification} TestSpecification */
/** @typedef {'killed' | 'timed out' | 'survived' | 'loaded by no test'} Outcome */

/** Unit tests run first, because they are quicker. */
const PROJECTS = ['unit', 'contract'];
/** A run may take three times as long as without a mutant, and this much more: a slow machine is no kill. */
const SPARE_MS = 30_000;
/** A mutant may allocate without end. The `ulimit` of the npm script limits memory outside the heap. */
const HEAP_MB = 1024;

/** @param {string} root */
export async function openMutantTests(root) {
  const folder = join(root, '.cache', `mutants-${process.pid}`);
  // Tests get the built threads from here.
  const served = join(root, 'test/support/serve.ts');
  /** @type {{ file: string, text: string, threads?: string } | undefined} */
  let mutated;
  const plugin = servingPlugin((path) => {
    if (path === mutated?.file) return () => mutated?.text ?? '';
    if (path !== served || !mutated?.threads) return undefined;
    const threads = `${pathToFileURL(mutated.threads).href}/$1`;
    return (code) => code.replace(/\.\.\/\.\.\/dist\/([a-z]+-worker\.js)/g, threads);
  });
  mkdirSync(folder, { recursive: true });
  const ofThreads = await bundleThreads(join(folder, 'unchanged'), { name: 'none', setup: () => {} });
  const vitest = await createVitest(
    'test',
    { config: false, watch: false, silent: true, bail: 1, root },
    { test: { projects: await projectsOf(root, plugin), reporters: [{}] } },
  );
  const specs = (await vitest.globTestSpecifications()).map((spec) => ({
    spec,
    loaded: loadedWith(spec.moduleId),
  }));
  /** @type {Map<string, number>} how long the tests of a file take without a mutant */
  const usual = new Map();

  /** @param {TestSpecification[]} tests @param {number} limitMs @returns {Promise<Outcome>} */
  const run = async (tests, limitMs) => {
    let isLate = false;
    // The second call ends the worker without waiting for it: an endless loop would never react to the first.
    const timer = setTimeout(() => {
      isLate = true;
      void vitest.cancelCurrentRun('test-failure');
      void vitest.cancelCurrentRun('test-failure');
    }, limitMs);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
    clearTimeout(timer);
    if (isLate) return 'timed out';
    return unhandledErrors.length > 0 || testModules.some((module) => !module.ok()) ? 'killed' : 'survived';
  };

  /** @param {string} file @returns {TestSpecification[][]} the test beside the file first, which kills most mutants */
  const testsOf = (file) => {
    const own = file.replace(/\.ts$/, '.test.ts');
    const loading = specs
      .filter(({ loaded }) => loaded.has(file) || (ofThreads.has(file) && loaded.has(served)))
      .map(({ spec }) => spec);
    return [
      loading.filter(({ moduleId }) => moduleId === own),
      ...PROJECTS.map((name) =>
        loading.filter(({ moduleId, project }) => moduleId !== own && project.name === name),
      ),
    ].filter((group) => group.length > 0);
  };

  /** @param {typeof mutated} next */
  const swap = (next) => {
    for (const file of [mutated?.file, next?.file, served]) if (file) vitest.invalidateFile(file);
    mutated = next;
  };

  /** @param {string} file @param {TestSpecification[][]} groups @returns {Promise<number>} */
  const usualMs = async (file, groups) => {
    const known = usual.get(file);
    if (known !== undefined) return known;
    const startedAt = Date.now();
    for (const group of groups) {
      const outcome = await run(group, 20 * 60_000);
      if (outcome !== 'survived') throw new Error(`The tests of ${file} fail without a mutant.`);
    }
    usual.set(file, Date.now() - startedAt);
    return Date.now() - startedAt;
  };

  return {
    /** @param {Mutant} mutant @returns {Promise<Outcome>} */
    async judge(mutant) {
      const file = join(root, mutant.file);
      const groups = testsOf(file);
      if (groups.length === 0) return 'loaded by no test';
      const limitMs = 3 * (await usualMs(file, groups)) + SPARE_MS;
      const source = readFileSync(file, 'utf8');
      const text = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end);
      const threads = ofThreads.has(file) ? join(folder, 'threads') : undefined;
      if (threads) await bundleThreads(threads, replacing(file, text));
      swap({ file, text, ...(threads && { threads }) });
      try {
        for (const group of groups) {
          const outcome = await run(group, limitMs);
          if (outcome !== 'survived') return outcome;
        }
        return 'survived';
      } finally {
        swap(undefined);
      }
    },

    async close() {
      await vitest.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param {(path: string) => ((code: string) => string) | undefined} replacementOf @returns {import('vite').Plugin} */
function servingPlugin(replacementOf) {
  return {
    name: 'sonde:mutant',
    enforce: 'pre',
    transform(code, id) {
      const replace = replacementOf(id.split('?')[0] ?? '');
      return replace && { code: replace(code), map: null };
    },
  };
}

/** @param {string} file @param {string} contents @returns {import('esbuild').Plugin} */
function replacing(file, contents) {
  return {
    name: 'mutant',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => (path === file ? { contents, loader: 'ts' } : undefined)),
  };
}

/** @param {string} file @returns {Set<string>} every file of this repository that is loaded with it */
function loadedWith(file) {
  const loaded = new Set([file]);
  for (const each of loaded) for (const next of importsOf(each)) loaded.add(next);
  return loaded;
}

/** @type {Map<string, string[]>} */
const imports = new Map();

/** @param {string} file @returns {string[]} */
function importsOf(file) {
  const known = imports.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8').replace(/^(im|ex)port type [^;]*;/gm, '');
  const found = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '.ts')))
    .filter((path) => /\.(ts|mjs)$/.test(path) && existsSync(path));
  imports.set(file, found);
  return found;
}

/** @param {string} root @param {import('vite').Plugin} plugin */
async function projectsOf(root, plugin) {
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, 'vitest.config.ts', root);
  const { test = {} } = /** @type {import('vitest/config').ViteUserConfig} */ (loaded?.config ?? {});
  const { projects, ...shared } = test;
  // Contains what a project would inherit from the file.
  const first = { plugins: [plugin], test: shared };
  const last = {
    test: { maxWorkers: 1, isolate: false, execArgv: [`--max-old-space-size=${HEAP_MB}`] },
  };
  return (projects ?? []).flatMap((project) => {
    const { extends: _, ...own } = /** @type {{ extends?: boolean, test?: { name?: string } }} */ (project);
    return PROJECTS.includes(own.test?.name ?? '') ? [mergeConfig(mergeConfig(first, own), last)] : [];
  });
}
