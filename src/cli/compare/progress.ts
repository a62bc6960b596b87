/** Shows the progress of a suite, path by path; nothing of a single pair and with `--json`. */
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress-line.js';
import type { ReportedPair } from './compare-report.js';

export function createProgress({ json, terminal }: CliContext): {
  step(done: number, total: number, pair: ReportedPair): void;
  end(): Promise<void>;
} {
  const progress = new ProgressLine(terminal.stderr, 0);
  return {
    step(done, total, { name }) {
      if (json || total < 2) return;
      const line = `${done} of ${total} paths compared`;
      progress.show(done / total, { rewritten: `${done}/${total} ${name}`, line });
    },
    end: () => progress.end(),
  };
}
