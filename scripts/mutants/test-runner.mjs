// One Vitest for many mutants: it keeps running, and a plugin replaces the file with the mutated text, so that nothing
// is written into the source tree. Every run gets a new worker process, so no mutant sees what another left behind.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadConfigFromFile, mergeConfig } from 'vite';
import { createVitest } from 'vitest/node';
import { loadedWith } from './import-graph.mjs';
import { HITS_VARIABLE, probedText } from './probed-text.mjs';
import { openSwappedSources } from './swapped-sources.mjs';

/** @typedef {import('./list-mutants.mjs').Mutant} Mutant */
/** @typedef {import('vitest/node').TestSpecification} TestSpecification */
/** @typedef {{ spec: TestSpecification, durationMs: number }} MeasuredTest */
/** @typedef {{ outcome: 'killed' | 'timed out' | 'survived', by: string }} Judged */
/**
 * @typedef {object} TestRunner
 * @property {(mutants: readonly Mutant[]) => Promise<MeasuredTest[][]>} measure the tests that reach each mutant
 * @property {(mutant: Mutant, tests: readonly MeasuredTest[]) => Promise<Judged>} run
 * @property {() => Promise<void>} close
 */

const SETUP_FILE = fileURLToPath(new URL('./note-test-file.mjs', import.meta.url));
/** The projects that run the sources in the test process. */
const PROJECTS = new Set(['unit', 'node']);
/**
 * Generous, because a slow machine must not count as a kill, and neither must the first run, which counts what it
 * reaches.
 */
const TEST_TIMEOUT_MS = 120_000;
/** How much longer than three times its normal duration a run may take: a slow machine must not count as a kill. */
const SPARE_MS = 30_000;
const MEASURE_MS = 20 * 60_000;
/** A mutant may allocate without end. The `ulimit` of the npm script limits memory outside the heap. */
const HEAP_MB = 1024;

/** Keeps the order in which the test files were given. */
class GivenOrder {
  /** @param {TestSpecification[]} specs */
  async sort(specs) {
    return specs;
  }

  /** @param {TestSpecification[]} specs */
  async shard(specs) {
    return specs;
  }
}

/**
 * Records the first failure of the current run, and how long files took. Vitest's stored results may come from an
 * earlier run.
 */
class FirstFailure {
  name = '';
  /** @type {Map<string, number>} */
  durations = new Map();

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    if (test.result().state === 'failed') this.#note(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  /** @param {import('vitest/node').TestSuite} suite */
  onTestSuiteResult(suite) {
    const [error] = suite.errors();
    if (error) this.#note(`${suite.module.relativeModuleId} > ${suite.fullName}: ${error.message}`);
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const { setupDuration, collectDuration, duration } = module.diagnostic();
    this.durations.set(module.moduleId, setupDuration + collectDuration + duration);
    const [error] = module.errors();
    if (error) this.#note(`${module.relativeModuleId}: ${error.message}`);
  }

  /** @param {unknown} _modules @param {readonly { message: string }[]} errors */
  onTestRunEnd(_modules, errors) {
    if (errors[0]) this.#note(`an unhandled error: ${errors[0].message}`);
  }

  /** @param {string} name */
  #note(name) {
    if (this.name === '') this.name = name.replace(/\s+/g, ' ').slice(0, 160);
  }
}

/**
 * @param {string} root
 * @param {readonly string[]} tests as in `parts.mjs`
 * @returns {Promise<TestRunner>}
 */
export async function openTestRunner(root, tests) {
  const sources = await openSwappedSources(root);
  const failure = new FirstFailure();
  const vitest = await createVitest(
    'test',
    { config: false, watch: false, silent: true, bail: 1, root },
    {
      test: {
        projects: await projectsOf(root, sources.plugin),
        reporters: [failure],
        sequence: { sequencer: GivenOrder },
      },
    },
  );
  const specs = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    tests.some((each) => moduleId.startsWith(join(root, each.replace(/\*$/, '')))),
  );

  /** @param {ReadonlyMap<string, string>} texts */
  const swap = async (texts) => {
    for (const file of await sources.swap(texts)) vitest.invalidateFile(file);
  };

  /** @param {TestSpecification[]} chosen @param {number} timeoutMs @returns {Promise<Judged>} */
  const runSpecs = async (chosen, timeoutMs) => {
    failure.name = '';
    let isLate = false;
    // The second call ends the worker without waiting for it, because an endless loop would never react to the first.
    const timer = setTimeout(() => {
      isLate = true;
      void vitest.cancelCurrentRun('test-failure');
      void vitest.cancelCurrentRun('test-failure');
    }, timeoutMs);
    await vitest.runTestSpecifications(chosen);
    clearTimeout(timer);
    if (isLate) return { outcome: 'timed out', by: `${timeoutMs} ms` };
    return failure.name === '' ? { outcome: 'survived', by: '' } : { outcome: 'killed', by: failure.name };
  };

  return {
    async measure(mutants) {
      await swap(probedTexts(root, mutants));
      const files = new Set(mutants.map(({ file }) => join(root, file)));
      const candidates = specs.map((spec) => ({ spec, loaded: loadedWith(spec.moduleId) }));
      const reaching = candidates.filter(({ loaded }) => [...files].some((file) => loaded.has(file)));
      const hits = join(sources.folder, 'hits');
      process.env[HITS_VARIABLE] = hits;
      for (const group of inProjects(reaching.map(({ spec }) => spec))) {
        const { outcome, by } = await runSpecs(group, MEASURE_MS);
        if (outcome !== 'survived') throw new Error(`The tests fail without any mutant: ${by}`);
      }
      delete process.env[HITS_VARIABLE];
      await swap(new Map());
      const noted = existsSync(hits) ? readFileSync(hits, 'utf8').trim().split('\n') : [];
      const isHit = new Set(noted);
      const namedIn = (/** @type {RegExp} */ phase) =>
        new Set(noted.flatMap((each) => (phase.test(each) ? [each.split(' ')[0]] : [])));
      const isLoaded = namedIn(/ load /);
      // A file that a test imports while it runs is loaded once for all tests of the worker.
      const isLoadedLate = namedIn(/ run /);
      return mutants.map(({ file }, id) =>
        reaching
          .filter(
            ({ spec, loaded }) =>
              isHit.has(`${id} run ${spec.moduleId}`) ||
              ((isLoaded.has(String(id)) || isLoadedLate.has(file)) && loaded.has(join(root, file))),
          )
          .map(({ spec }) => ({ spec, durationMs: failure.durations.get(spec.moduleId) ?? 0 })),
      );
    },

    async run(mutant, measured) {
      const file = join(root, mutant.file);
      const text = readFileSync(file, 'utf8');
      await swap(new Map([[file, text.slice(0, mutant.start) + mutant.text + text.slice(mutant.end)]]));
      try {
        for (const group of inRunningOrder(mutant, measured)) {
          const usualMs = group.reduce((sum, { durationMs }) => sum + durationMs, 0);
          const judged = await runSpecs(
            group.map(({ spec }) => spec),
            3 * usualMs + SPARE_MS,
          );
          if (judged.outcome !== 'survived') return judged;
        }
        return { outcome: 'survived', by: '' };
      } finally {
        await swap(new Map());
      }
    },

    async close() {
      await vitest.close();
      await sources.close();
    },
  };
}

/** @param {string} root @param {import('vite').Plugin} plugin */
async function projectsOf(root, plugin) {
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, 'vitest.config.ts', root);
  const { test = {} } = /** @type {import('vitest/config').ViteUserConfig} */ (loaded?.config ?? {});
  const { projects, ...shared } = test;
  // Contains what a project would inherit from the file.
  const first = { plugins: [plugin], test: shared };
  const last = {
    test: {
      testTimeout: TEST_TIMEOUT_MS,
      maxWorkers: 1,
      isolate: false,
      setupFiles: [SETUP_FILE],
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
    },
  };
  return (projects ?? []).flatMap((project) => {
    const { extends: _, ...own } = /** @type {{ extends?: boolean, test?: { name?: string } }} */ (project);
    return PROJECTS.has(own.test?.name ?? '') ? [mergeConfig(mergeConfig(first, own), last)] : [];
  });
}

/** @param {string} root @param {readonly Mutant[]} mutants @returns {Map<string, string>} */
function probedTexts(root, mutants) {
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const { file } of mutants) {
    const path = join(root, file);
    if (texts.has(path)) continue;
    const probes = mutants.flatMap((mutant, id) => (mutant.file === file ? [{ id, ...mutant.probe }] : []));
    texts.set(path, probedText(readFileSync(path, 'utf8'), probes, file));
  }
  return texts;
}

/**
 * Unit tests run first, starting with the one next to the file; then the others by duration. Files of a project share a
 * worker.
 * @param {Mutant} mutant
 * @param {readonly MeasuredTest[]} measured
 * @returns {MeasuredTest[][]}
 */
function inRunningOrder({ file }, measured) {
  const own = basename(file).replace(/\.ts$/, '.test.ts');
  const sorted = [...measured].sort((a, b) => {
    const [isOwnA, isOwnB] = [a, b].map(({ spec }) => Number(basename(spec.moduleId) === own));
    return (isOwnB ?? 0) - (isOwnA ?? 0) || a.durationMs - b.durationMs;
  });
  const order = inProjects(sorted.map(({ spec }) => spec));
  return order.map((specs) => sorted.filter(({ spec }) => specs.includes(spec)));
}

/** @param {readonly TestSpecification[]} specs @returns {TestSpecification[][]} by project, unit tests first */
function inProjects(specs) {
  const names = new Set(['unit', ...specs.map(({ project }) => project.name)]);
  return [...names]
    .map((name) => specs.filter(({ project }) => project.name === name))
    .filter((group) => group.length > 0);
}
