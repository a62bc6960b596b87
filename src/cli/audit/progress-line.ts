/** Progress on stderr: one line that rewrites itself on a terminal, else a line at each tenth. */
import type { Output } from '../ports.js';

export class ProgressLine {
  readonly #output: Output;
  #shownTenth = -1;
  #open = false;

  constructor(output: Output) {
    this.#output = output;
  }

  show(percent: number, message: string): void {
    if (this.#output.isTTY) {
      const bar = '█'.repeat(Math.floor(percent / 5)).padEnd(20, '░');
      const text = `${bar} ${String(percent).padStart(3)} %  ${message}`;
      this.#open = true;
      void this.#output.write(`\r\u001b[2K${[...text].slice(0, this.#output.columns - 1).join('')}`);
      return;
    }
    const tenth = Math.floor(percent / 10);
    if (tenth <= this.#shownTenth) return;
    this.#shownTenth = tenth;
    void this.#output.write(`${percent} %  ${message}\n`);
  }

  /** Takes the line away again. */
  async end(): Promise<void> {
    if (this.#open) await this.#output.write('\r\u001b[2K');
    this.#open = false;
  }
}
