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
  'test/conformance/proxy-{access,create,idempotency,inline,openapi,piping,raw-read,secrets,smuggling}.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    restoreMocks: true,
    reporters: ['default', new CountReporter()],
    projects: [
      project('unit', 'src/**/*.test.ts'),
      project('contract', 'test/contract/**/*.test.ts', withPostgres),
      project('conformance', 'test/conformance/**/*.test.ts', built),
      project('engines', 'test/engines/**/*.test.ts', { ...withPostgres, sequence: { groupOrder: 1 } }),
      // In workerd, which has the machine to itself while it runs.
      project('edge', 'test/edge/**/*.test.ts', {
        include: ['test/edge/**/*.test.ts', ...EDGE_TOO],
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/build-edge-once.ts'],
        env: { SONDE_TEST_ENGINE: 'edge' },
        sequence: { groupOrder: 2 },
      }),
      project('browser', 'test/browser/**/*.test.ts', {
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/find-chromium.ts'],
        sequence: { groupOrder: 3 },
      }),
      // One file at a time: these measure how soon a deadline is met and how far memory grows.
      project('faults', 'test/faults/**/*.test.ts', {
        ...built,
        testTimeout: 60_000,
        fileParallelism: false,
        sequence: { groupOrder: 4 },
      }),
    ],
  },
});
