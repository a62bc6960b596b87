/** Shows progress on stderr: on a terminal one line that is rewritten, elsewhere one line per 10 %. */
import { printableLine } from '../../printable.js';
import type { CliContext } from '../cli-context.js';
import { OWN_REWRITE } from '../own-sequences.js';
import type { Output } from '../ports.js';
import { timeLeft } from '../progress-clock.js';
import type { ServerWork } from '../server-job.js';

/** Shows the progress of `work` until it ends; with `--json` nothing. */
export async function withProgressLine<T>(
  { json, terminal }: CliContext,
  work: (progress: ServerWork['progress']) => Promise<T>,
): Promise<T> {
  const line = json ? undefined : new ProgressLine(terminal.stderr);
  try {
    return await work(({ percent, message }) => line?.show(percent, message));
  } finally {
    await line?.end();
  }
}

class ProgressLine {
  readonly #output: Output;
  #shownTenth = -1;
  #isShown = false;
  readonly #startedAt = Date.now();

  constructor(output: Output) {
    this.#output = output;
  }

  show(percent: number, text: string): void {
    const left = timeLeft(this.#startedAt, Date.now(), percent / 100);
    const shown = printableLine(text);
    const message = left === '' ? shown : `${shown}, ${left}`;
    if (this.#output.isTTY) {
      const bar = '█'.repeat(Math.floor(percent / 5)).padEnd(20, '░');
      const line = `${bar} ${String(percent).padStart(3)} %  ${message}`;
      this.#isShown = true;
      void this.#output.write(`${OWN_REWRITE}${[...line].slice(0, this.#output.columns - 1).join('')}`);
      return;
    }
    const tenth = Math.floor(percent / 10);
    if (tenth <= this.#shownTenth) return;
    this.#shownTenth = tenth;
    void this.#output.write(`${percent} %  ${message}\n`);
  }

  /** Erases the line. */
  async end(): Promise<void> {
    if (this.#isShown) await this.#output.write(OWN_REWRITE);
    this.#isShown = false;
  }
}
