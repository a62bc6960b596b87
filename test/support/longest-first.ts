import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Ordered by duration. Without results of an earlier run Vitest sorts by size, and the longest are among the smallest.
 */
const LONGEST = [
  // The first only waits for a minute.
  ...namesIn('test/edge', 'long-waits durable-streams deletions faults proxy golden-responses'),
  ...namesIn('test/edge', 'store-contracts cut-off-runs streams'),
  ...namesIn('test/engines', 'docs operations package'),
  ...namesIn('test/browser', 'details dashboard'),
  ...namesIn('test/conformance', 'durable-streams'),
  ...namesIn('test/faults', 'operators'),
  ...namesIn('test/browser', 'demo sessions controls accessibility landing first-walk'),
  ...namesIn('test/faults', 'sdks proxy-kill streams-kill lost-writes jobs stream-repair backup'),
  ...namesIn('test/engines', 'cli-stream cli-jobs action'),
  ...namesIn('test/conformance', 'stream-model planted-sites stream-json-model'),
  ...namesIn('test/faults', 'staged-appends streams-lives fuzz proxy-resume'),
  ...namesIn('test/engines', 'cli-serve generated-clients recorded-data jobs-api'),
  ...namesIn('test/contract', 'postgres-interleavings active-probe'),
];

function namesIn(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}.test.ts`);
}

/** Starts the longest files first, so that no worker is left with a long file when the others are done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.filter((path) => !existsSync(`${this.ctx.config.root}/${path}`));
    if (gone.length > 0) throw new Error(`test/support/longest-first.ts names ${gone.join(', ')}`);
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return found < 0 ? LONGEST.length : found;
    };
    const sorted = (await super.sort(files)).sort((a, b) => place(a) - place(b));
    // Projects stay together, because a worker is kept only for the next file of its own project. `edge` waits the most
    // and comes first, so that the other one fills the gaps at its end.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return sorted.sort((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project));
  }
}
