import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

/** The long fault runs: one file per part, one after another, without a time limit of their own. */
export default defineConfig({
  test: {
    include: ['test/faults/*.fault.ts'],
    globalSetup: ['test/support/build-once.ts'],
    reporters: ['default', new CountReporter()],
    fileParallelism: false,
    testTimeout: 3 * 3_600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
