import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { keepFilesInMemory } from './scripts/memory-folder.mjs';
import { CountReporter } from './test/support/count-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';

/** One project per kind of test; CONTRIBUTING.md explains what belongs where. Groups run one after another. */
const project = (name: string, include: string, extra: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include: [include], ...extra },
});

/** Projects that use the built program. The limits catch hangs, not a busy machine. */
const built = { globalSetup: ['test/support/build-once.ts'], testTimeout: 180_000, hookTimeout: 180_000 };

/**
 * Suites that also run against the Worker. The other suites of the proxy need their own clock and store; `test/edge/`
 * covers the same behaviour there.
 */
const EDGE_TOO = [
  'test/conformance/broken-bodies.test.ts',
  'test/conformance/proxy-{access,attempts,bodies,create,idempotency,inline,openapi,piping,raw-read,refusals,routes,sdk-keys,secrets,sharing,smuggling}.test.ts',
];

/** Files that measure deadlines, processor time or memory in their own process. */
const TIMED = [
  'test/faults/{compare,egress-deadlines,egress-floods,egress-sockets,proxy-upload}.test.ts',
  'test/faults/{redaction,stall}-growth.test.ts',
];

const CORES = Math.max(2, availableParallelism());

/** These mostly wait for processes, leases, alarms and pages. A file of `edge` computes for a third of its time. */
const waiting = { maxWorkers: 2 * CORES, sequence: { groupOrder: 1 } };

/** In a workflow: annotations on the change, and a report that is kept if a test fails. */
const inWorkflow: ('github-actions' | ['junit', { outputFile: string }])[] = process.env['GITHUB_ACTIONS']
  ? ['github-actions', ['junit', { outputFile: 'test-failures/report.xml' }]]
  : [];

// Workers inherit the folder. Syncing a disk took a tenth of a run.
keepFilesInMemory();

export default defineConfig({
  test: {
    testTimeout: 30_000,
    // One worker per core. The default leaves one core idle, which on two cores is half of the machine.
    maxWorkers: CORES,
    // Files share a worker and its loaded modules: reloading them took longer than most files' tests.
    isolate: false,
    // Code is optimised later than by default: for code that runs for seconds, optimising took a tenth of the CPU time.
    execArgv: ['--interrupt-budget=1000000'],
    restoreMocks: true,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', ...inWorkflow, new CountReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', '{src,packages/*/src}/**/*.test.ts'),
      project('dashboard', 'dashboard/src/**/*.test.ts'),
      project('contract', 'test/contract/**/*.test.ts', {
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/postgres-setup.ts'],
        ...waiting,
      }),
      // One project, because each project transforms the sources itself and has its own workers.
      project('node', 'test/{browser,conformance,engines,faults}/**/*.test.ts', {
        ...built,
        globalSetup: [
          ...built.globalSetup,
          'test/support/build-edge-once.ts',
          'test/support/postgres-setup.ts',
          'test/support/chromium-setup.ts',
        ],
        exclude: TIMED,
        ...waiting,
      }),
      // The edge's own classes in this process, on a simulated platform that counts.
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
      // In workerd: one per file, so as many as there are workers.
      project('edge', 'test/edge/**/*.test.ts', {
        include: ['test/edge/**/*.test.ts', ...EDGE_TOO],
        ...built,
        globalSetup: [...built.globalSetup, 'test/support/build-edge-once.ts'],
        setupFiles: ['test/support/close-connections.ts'],
        env: { SONDE_TEST_ENGINE: 'edge' },
        ...waiting,
      }),
      // In processes of their own, after everything else.
      project('timed', '', {
        include: TIMED,
        ...built,
        isolate: true,
        execArgv: [],
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});
