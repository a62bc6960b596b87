/**
 * One object: created by its first call or alarm, evicted after ten seconds without work, and created again by the
 * next.
 */
import { CountedStorage } from './counted-storage.js';
import type { EdgeCounts } from './edge-world.js';

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

export interface ObjectOptions {
  readonly binding: string;
  readonly id: { toString(): string };
  readonly counts: EdgeCounts;
  open(ctx: object): Methods;
}

interface Instance {
  readonly object: Methods;
  ready: Promise<unknown>;
  isLive: boolean;
}

const IDLE_MS = 10_000;
/** The longest delay of a timer. */
const TIMER_MS_MAX = 2_000_000_000;

export class SimulatedObject {
  readonly stub: unknown;
  readonly #options: ObjectOptions;
  readonly #storage: CountedStorage;
  #instance: Instance | undefined;
  #working = 0;
  #busySince = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #alarmTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ObjectOptions) {
    this.#options = options;
    this.#storage = new CountedStorage(options.counts, () => this.#schedule());
    this.stub = new Proxy(
      {},
      {
        get: (_none, method) =>
          method === 'then' ? undefined : (...args: unknown[]) => this.#call(String(method), args),
      },
    );
  }

  get binding(): string {
    return this.#options.binding;
  }

  get alarm(): number | null {
    return this.#storage.alarm;
  }

  close(): void {
    this.#storage.close();
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    const { counts, binding } = this.#options;
    const name = `${binding}.${method}`;
    counts.calls[name] = (counts.calls[name] ?? 0) + 1;
    const carried = structuredClone(args) as unknown[];
    return this.#work(async ({ object }) => object[method]?.(...carried));
  }

  #schedule(): void {
    clearTimeout(this.#alarmTimer);
    const at = this.#storage.alarm;
    if (at === null) return;
    const ms = Math.min(Math.max(0, at - Date.now()), TIMER_MS_MAX);
    this.#alarmTimer = setTimeout(() => {
      if (at > Date.now()) return this.#schedule();
      this.#options.counts.alarmsRun++;
      void this.#work(async ({ object }) => {
        // As on the platform, the alarm is still set while the object starts, and an alarm that was moved does not run.
        if (this.#storage.alarm !== at) return;
        this.#storage.alarmFired();
        await object['alarm']?.();
      });
    }, ms);
  }

  async #work(act: (instance: Instance) => Promise<unknown>): Promise<unknown> {
    this.#hold();
    try {
      this.#instance ??= this.#open();
      const instance = this.#instance;
      await instance.ready;
      return await act(instance);
    } finally {
      this.#release();
    }
  }

  #hold(): void {
    clearTimeout(this.#idle);
    if (this.#working++ === 0) this.#busySince = Date.now();
  }

  #release(): void {
    if (--this.#working > 0) return;
    this.#options.counts.heldMs += Date.now() - this.#busySince;
    this.#idle = setTimeout(() => {
      if (this.#instance) this.#instance.isLive = false;
      this.#instance = undefined;
    }, IDLE_MS);
  }

  #open(): Instance {
    this.#options.counts.wakeUps++;
    const instance = { isLive: true, ready: Promise.resolve() } as {
      -readonly [K in keyof Instance]: Instance[K];
    };
    const ctx = {
      id: this.#options.id,
      storage: storageOf(this.#storage, () => instance.isLive),
      blockConcurrencyWhile: (work: () => Promise<unknown>) => {
        instance.ready = work();
        return instance.ready;
      },
      waitUntil: (work: Promise<unknown>) => {
        this.#hold();
        const release = () => this.#release();
        work.then(release, release);
      },
    };
    instance.object = this.#options.open(ctx);
    return instance;
  }
}

/** Late work of an evicted instance must not reach the storage. */
function storageOf(storage: CountedStorage, isLive: () => boolean): unknown {
  return new Proxy(storage, {
    get(target, name) {
      if (!isLive()) throw new Error('an object was used after its eviction');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
