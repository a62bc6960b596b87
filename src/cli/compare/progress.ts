/**
 * Shows the progress of a suite on stderr: on a terminal one line that is rewritten, elsewhere one line per 10 %, and
 * nothing with `--json`.
 */
import { printableLine } from '../../printable.js';
import type { CliContext } from '../cli-context.js';
import { OWN_REWRITE } from '../own-sequences.js';
import { timeLeft } from '../progress-clock.js';
import type { ReportedPair } from './compare-report.js';

const BAR_WIDTH = 20;

export function createProgress(context: CliContext): {
  step(done: number, total: number, pair: ReportedPair): void;
  end(): Promise<void>;
} {
  const { stderr } = context.terminal;
  let last = Promise.resolve();
  let shownTenth = 0;
  const startedAt = Date.now();
  const write = (text: string): void => {
    last = last.then(() => stderr.write(text));
  };
  return {
    step(done, total, { name }) {
      if (context.json || total < 2) return;
      const left = timeLeft(startedAt, Date.now(), done / total);
      const tail = left === '' ? '' : `, ${left}`;
      if (stderr.isTTY) {
        const filled = Math.round((done / total) * BAR_WIDTH);
        const line = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done}/${total} ${printableLine(name)}${tail}`;
        write(`${OWN_REWRITE}${line.slice(0, Math.max(20, stderr.columns - 1))}`);
        return;
      }
      const tenth = Math.floor((done / total) * 10);
      if (tenth > shownTenth) write(`${done} of ${total} paths compared${tail}\n`);
      shownTenth = Math.max(shownTenth, tenth);
    },
    async end() {
      if (stderr.isTTY && !context.json) write(OWN_REWRITE);
      await last;
    },
  };
}
