/** Concurrent clients of a few streams: a seed determines what they do, and what they saw is recorded for checking. */
import { expect } from 'vitest';
import type { Random } from './random.js';
import { type Call, type Event, explain, type Outcome, type World } from './stream-history.js';

export interface StreamDriver {
  /** Rejects if the result is unknown because the server died. */
  perform(call: Call): Promise<Outcome>;
}

export interface Counts {
  calls: number;
  unknown: number;
  rounds: number;
  /** Counts by call and status. */
  readonly seen: Map<string, number>;
}

const NAMES = ['a', 'b', 'c'];
const CLIENTS = 4;
const CALLS_PER_CLIENT = 2;

export class StreamClients {
  readonly counts: Counts = { calls: 0, unknown: 0, rounds: 0, seen: new Map() };
  readonly #random: Random;
  /** The prefix of the names that only this run uses. */
  readonly #prefix: string;
  #worlds: World[] = [new Map()];
  /** The events before a failure, for its report. */
  #last: readonly Event[] = [];
  #moment = 0;
  #events = 0;

  constructor(random: Random, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  /** Runs all clients concurrently, then reads every name while no other client runs. */
  async round(driver: StreamDriver): Promise<void> {
    const plans = Array.from({ length: CLIENTS }, () =>
      Array.from({ length: CALLS_PER_CLIENT }, () => this.#draw()),
    );
    await this.#run(driver, plans);
    this.counts.rounds++;
  }

  async readAll(driver: StreamDriver): Promise<void> {
    await this.#run(driver, [NAMES.map((name) => ({ do: 'read', name: this.#prefix + name, live: '' }))]);
  }

  async #run(driver: StreamDriver, plans: readonly (readonly Call[])[]): Promise<void> {
    const events: Event[] = [];
    await Promise.all(plans.map((plan) => this.#client(driver, plan, events)));
    const after = explain(this.#worlds, events);
    if (after.length === 0) {
      const before = this.#worlds.map((world) => Object.fromEntries(world));
      const found = { after: this.#last, before, events };
      expect.fail(`no order explains ${JSON.stringify(found, undefined, 1)}`);
    }
    this.#last = events;
    this.#worlds = after;
  }

  async #client(driver: StreamDriver, plan: readonly Call[], events: Event[]): Promise<void> {
    for (const call of plan) {
      const event: Event = {
        id: this.#events++,
        call,
        startedAt: this.#moment++,
        endedAt: Number.POSITIVE_INFINITY,
      };
      events.push(event);
      this.counts.calls++;
      try {
        event.outcome = await driver.perform(call);
        const kind = `${call.do} ${event.outcome.status}`;
        this.counts.seen.set(kind, (this.counts.seen.get(kind) ?? 0) + 1);
      } catch {
        this.counts.unknown++;
        return;
      } finally {
        event.endedAt = this.#moment++;
      }
    }
  }

  #draw(): Call {
    const random = this.#random;
    const name = this.#prefix + random.pick(NAMES);
    const text = `<${this.#events}.${random.whole(0, 1e9)}>`;
    const kind = random.pick([
      'create',
      'create',
      'append',
      'append',
      'read',
      'read',
      'read',
      'delete',
      'fork',
    ] as const);
    if (kind === 'create') return { do: kind, name, text, mortal: random.next() < 0.2 };
    if (kind === 'append') return { do: kind, name, text, close: random.next() < 0.15 };
    if (kind === 'read') return { do: kind, name, live: random.pick(['', '', 'long-poll', 'sse'] as const) };
    if (kind === 'fork') return { do: kind, name, source: this.#prefix + random.pick(NAMES) };
    return { do: kind, name };
  }
}

/** Returns the text of a server-sent response, and whether it reached the point where it is up to date. */
export function readEvents(wire: string): { text: string; upToDate: boolean } {
  const data = [...wire.matchAll(/event: data\ndata:(.*)\n/g)].map(([, line]) => line ?? '');
  return { text: data.join(''), upToDate: wire.includes('"upToDate":true') };
}
