/** Shows progress on stderr: on a terminal one line that is rewritten, elsewhere one line per 10 %. */
import { printableLine } from '../printable.js';
import type { CliContext } from './cli-context.js';
import { OWN_REWRITE } from './own-sequences.js';
import type { Output } from './ports.js';
import { timeLeft } from './progress-clock.js';
import type { ServerWork } from './server-job.js';

/** Shows the progress of `work` until it ends; with `--json` nothing. */
export async function withProgressLine<T>(
  { json, terminal }: CliContext,
  work: (progress: ServerWork['progress']) => Promise<T>,
): Promise<T> {
  const line = json ? undefined : new ProgressLine(terminal.stderr);
  try {
    return await work(({ percent, message }) =>
      line?.show(percent / 100, {
        rewritten: `${String(percent).padStart(3)} %  ${message}`,
        line: `${percent} %  ${message}`,
      }),
    );
  } finally {
    await line?.end();
  }
}

export class ProgressLine {
  readonly #output: Output;
  #shownTenth: number;
  #isShown = false;
  #written = Promise.resolve();
  readonly #startedAt = Date.now();

  /** Lines are shown from the tenth after `shownTenth`. */
  constructor(output: Output, shownTenth = -1) {
    this.#output = output;
    this.#shownTenth = shownTenth;
  }

  /** `text` has one form for the line that is rewritten, and one for lines. `share` is from 0 to 1. */
  show(share: number, text: { readonly rewritten: string; readonly line: string }): void {
    const left = timeLeft(this.#startedAt, Date.now(), share);
    const shown = (form: string) => printableLine(left === '' ? form : `${form}, ${left}`);
    if (this.#output.isTTY) {
      const bar = '█'.repeat(Math.floor(share * 20)).padEnd(20, '░');
      const columns = Math.max(20, this.#output.columns - 1);
      this.#isShown = true;
      this.#write(`${OWN_REWRITE}${[...`${bar} ${shown(text.rewritten)}`].slice(0, columns).join('')}`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth <= this.#shownTenth) return;
    this.#shownTenth = tenth;
    this.#write(`${shown(text.line)}\n`);
  }

  /** Erases the line. */
  async end(): Promise<void> {
    if (this.#isShown) this.#write(OWN_REWRITE);
    this.#isShown = false;
    await this.#written;
  }

  #write(text: string): void {
    this.#written = this.#written.then(() => this.#output.write(text));
  }
}
