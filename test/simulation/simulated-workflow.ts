/**
 * A Workflow whose instances run at once, with their steps one after another and the retries that they request, unless
 * the platform is made to hold instances back or to refuse new ones.
 */
import type { EdgeCounts } from './edge-world.js';

interface StepConfig {
  readonly retries?: { readonly limit: number; readonly delay: number };
}

interface CreateOptions {
  readonly id: string;
  readonly params: unknown;
  readonly retention?: object;
}

type EntryClass = new (ctx: never, env: never) => { run(event: never, step: never): Promise<void> };

export class SimulatedWorkflow {
  readonly binding: unknown;
  running = 0;
  /** How many of the next creations are refused. */
  refusals = 0;
  /** When instances were created, and how many at a time. */
  readonly batches: { readonly at: number; readonly size: number; readonly retained: boolean }[] = [];
  /** How often an instance was paused, resumed or restarted. */
  interventions = 0;
  readonly #entry: EntryClass;
  readonly #counts: EdgeCounts;
  readonly #env: () => unknown;
  /** Instances that wait while the account is at its limit. */
  #queued: Map<string, CreateOptions> | undefined;

  constructor(entry: EntryClass, counts: EdgeCounts, env: () => unknown) {
    this.#entry = entry;
    this.#counts = counts;
    this.#env = env;
    this.binding = {
      create: async (options: CreateOptions) => this.#create([options]),
      createBatch: async (batch: readonly CreateOptions[]) => this.#create(batch),
      get: async (id: string) => this.#instance(id),
    };
  }

  /** Makes instances wait from now on. */
  holdBack(): void {
    this.#queued = new Map();
  }

  release(): void {
    const queued = [...(this.#queued?.values() ?? [])];
    this.#queued = undefined;
    for (const options of queued) this.#start(options);
  }

  #create(batch: readonly CreateOptions[]): readonly { readonly id: string }[] {
    if (this.refusals > 0) {
      this.refusals--;
      throw new Error('the account creates too many instances');
    }
    const retained = batch.every(({ retention }) => retention !== undefined);
    this.batches.push({ at: Date.now(), size: batch.length, retained });
    for (const options of batch) {
      if (this.#queued) this.#queued.set(options.id, options);
      else this.#start(options);
    }
    return batch.map(({ id }) => ({ id }));
  }

  #instance(id: string): unknown {
    const intervene = async () => {
      this.interventions++;
    };
    return {
      id,
      status: async () => ({ status: this.#queued?.has(id) ? 'queued' : 'running' }),
      pause: intervene,
      resume: intervene,
      restart: async () => {
        await intervene();
        const options = this.#queued?.get(id);
        this.#queued?.delete(id);
        if (options) this.#start(options);
      },
    };
  }

  #start({ id, params }: CreateOptions): void {
    this.#counts.workflowRuns++;
    this.running++;
    const entry = new this.#entry({} as never, this.#env() as never);
    const event = { payload: structuredClone(params), instanceId: id, timestamp: new Date() };
    const step = { do: this.#step.bind(this) };
    const over = () => {
      this.running--;
    };
    entry.run(event as never, step as never).then(over, over);
  }

  async #step(_name: string, config: StepConfig, act: () => Promise<unknown>): Promise<unknown> {
    for (let failed = 0; ; failed++) {
      this.#counts.workflowSteps++;
      try {
        return structuredClone(await act());
      } catch (error) {
        if (failed >= (config.retries?.limit ?? 0)) throw error;
        await new Promise((resolve) => setTimeout(resolve, config.retries?.delay ?? 0));
      }
    }
  }
}
