import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

/** One project a kind of test; CONTRIBUTING.md says what belongs where. Groups run one after another. */
const project = (name: string, include: string, extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include: [include], ...extra },
});

/** Projects that start the built program. */
const built = { globalSetup: ['test/support/build-once.ts'], testTimeout: 60_000, hookTimeout: 60_000 };

/** Projects that also need a PostgreSQL server. */
const withPostgres = { ...built, globalSetup: [...built.globalSetup, 'test/support/postgres-setup.ts'] };

/**
 * Suites that run against the Worker too. The others of the proxy need a clock and a store of the test's own; what
 * they show is shown by `test/edge/`.
 */
const EDGE_TOO = [
  'test/conformance/broken-bodies.test.ts',
  'test/conformance/proxy-{access,bodies,create,idempotency,inline,openapi,piping,raw-read,secrets,smuggling}.test.ts',
];

/** Fault runs that time nothing: their processes die and come back, or their cases are many. */
const UNTIMED_FAULTS =
  'test/faults/{compare-permutations,proxy-kill,proxy-resume,streams-kill,streams-lives}.test.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    // A core each; by itself it would leave one core idle, and on two that is half of the machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // Files share a worker and what it has loaded: loading the parts anew took more time than most files' tests.
    isolate: false,
    restoreMocks: true,
    // By itself it gives up after a second, which on a busy machine says nothing.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', new CountReporter()],
    projects: [
      project('unit', 'src/**/*.test.ts'),
      project('contract', 'test/contract/**/*.test.ts', withPostgres),
      project('conformance', 'test/conformance/**/*.test.ts', built),
      project('engines', 'test/engines/**/*.test.ts', { ...withPostgres, sequence: { groupOrder: 1 } }),
      // The edge's own classes on a platform that counts, in this process.
      {
        ...project('simulation', 'test/simulation/**/*.test.ts'),
        resolve: {
          alias: {
            'cloudflare:workers': fileURLToPath(
              new URL('test/simulation/cloudflare-workers.ts', import.meta.url),
            ),
            'cloudflare:workflows': fileURLToPath(
              new URL('test/simulation/cloudflare-workflows.ts', import.meta.url),
            ),
          },
        },
      },
      // In workerd: one a file, so as many as there are workers.
      project('edge', 'test/edge/**/*.test.ts', {
        include: ['test/edge/**/*.test.ts', ...EDGE_TOO],
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/build-edge-once.ts'],
        setupFiles: ['test/support/close-connections.ts'],
        env: { SONDE_TEST_ENGINE: 'edge' },
        sequence: { groupOrder: 2 },
      }),
      project('browser', 'test/browser/**/*.test.ts', {
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/find-chromium.ts'],
        sequence: { groupOrder: 3 },
      }),
      project('kills', UNTIMED_FAULTS, { ...built, sequence: { groupOrder: 4 } }),
      // One file at a time: these measure how soon a deadline is met, and how far time and memory grow.
      project('faults', 'test/faults/**/*.test.ts', {
        ...built,
        exclude: [UNTIMED_FAULTS],
        isolate: true,
        fileParallelism: false,
        sequence: { groupOrder: 5 },
      }),
    ],
  },
});
