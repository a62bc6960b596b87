/**
 * Batches calls: while one batch is running, further calls are collected and run together as the next one. A single
 * call does not wait, and under load one statement does the work of hundreds.
 */
export class BatchCalls<Input, Output> {
  readonly #run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  readonly #max: number;
  readonly #waiting: {
    readonly input: Input;
    resolve(output: Output): void;
    reject(error: unknown): void;
  }[] = [];
  #isRunning = false;

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
      if (!this.#isRunning) {
        this.#isRunning = true;
        // Calls in the same turn of the event loop share a batch.
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
    this.#isRunning = false;
  }
}
