import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Ordered by duration. Without results of an earlier run Vitest sorts by size, and the longest are among the smallest.
 */
const LONGEST = [
  ...namesIn('test/browser', 'dashboard demo details landing sessions first-walk accessibility controls'),
  // The first only waits for a minute, so it runs beside pages, which compute.
  ...namesIn('test/edge', 'webhooks deletions durable-streams faults sdks cut-off-runs store-contracts'),
  ...namesIn('test/edge', 'orphaned-pumps proxy golden-responses streams'),
  ...namesIn('test/faults', 'operators'),
  ...namesIn('test/engines', 'docs operations package'),
  ...namesIn('test/faults', 'proxy-kill streams-kill sdks lost-writes jobs'),
  ...namesIn('test/engines', 'cli-stream cli-jobs action'),
  ...namesIn('test/conformance', 'durable-streams stream-model planted-sites stream-json-model'),
  ...namesIn('test/faults', 'stream-repair staged-appends backup streams-lives fuzz proxy-resume'),
  ...namesIn('test/engines', 'cli-serve generated-clients older-data-folder jobs-api'),
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
    const sorted = await super.sort(files);
    // Projects stay together, because a worker is kept only for the next file of its own project.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const inTurn = ({ project }: TestSpecification) => projects.indexOf(project);
    return sorted.sort((a, b) => inTurn(a) - inTurn(b) || place(a) - place(b));
  }
}
