import { defineConfig } from 'vitest/config';

/** One project a kind of test; CONTRIBUTING.md says what belongs where. */
const project = (name: string, include: string, extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include: [include], ...extra },
});

/** Projects that start the built program. */
const built = { globalSetup: ['test/support/build-once.ts'], testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    testTimeout: 30_000,
    restoreMocks: true,
    projects: [
      project('unit', 'src/**/*.test.ts'),
      project('contract', 'test/contract/**/*.test.ts'),
      project('conformance', 'test/conformance/**/*.test.ts', built),
      project('engines', 'test/engines/**/*.test.ts', built),
      project('browser', 'test/browser/**/*.test.ts', {
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/find-chromium.ts'],
      }),
      project('faults', 'test/faults/**/*.test.ts', built),
    ],
  },
});
