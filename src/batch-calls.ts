/**
 * Gathers calls while one is under way and makes the next one of all of them: a lone call does not wait, and
 * under load one statement does the work of hundreds.
 */
export class BatchCalls<Input, Output> {
  readonly #run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  readonly #max: number;
  readonly #waiting: {
    readonly input: Input;
    resolve(output: Output): void;
    reject(error: unknown): void;
  }[] = [];
  #busy = false;

  constructor(max: number, run: (inputs: readonly Input[]) => Promise<readonly Output[]>) {
    this.#max = max;
    this.#run = run;
  }

  get size(): number {
    return this.#waiting.length;
  }

  call(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (!this.#busy) {
        this.#busy = true;
        // Calls of the same turn are sent together.
        queueMicrotask(() => void this.#next());
      }
    });
  }

  async #next(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#max);
      try {
        const outputs = await this.#run(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#busy = false;
  }
}
