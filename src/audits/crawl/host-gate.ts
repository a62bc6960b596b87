/**
 * Limits requests per host: how many run at once, and the time between two starts. Waiting requests start in order. The
 * table of hosts is bounded; idle hosts are dropped first.
 */
import type { AuditOptions } from '../audit-options.js';
import type { AuditClock } from './audit-ports.js';

export type HostLimits = Pick<AuditOptions, 'concurrency' | 'delayMs'>;

const HOSTS_MAX = 2_000;

interface Host {
  limits: HostLimits;
  running: number;
  nextStartAt: number;
  readonly waiting: (() => void)[];
}

export class HostGate {
  readonly #hosts = new Map<string, Host>();
  readonly #default: HostLimits;
  readonly #clock: AuditClock;

  constructor(limits: HostLimits, clock: AuditClock) {
    this.#default = limits;
    this.#clock = clock;
  }

  /** Applies to every request that has not started yet, including waiting ones. */
  set(host: string, limits: HostLimits): void {
    const at = this.#host(host);
    at.limits = limits;
    admit(at);
  }

  async run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const at = this.#host(host);
    await new Promise<void>((resolve) => {
      at.waiting.push(resolve);
      admit(at);
    });
    try {
      await this.#pace(at, signal);
      return await work();
    } finally {
      at.running -= 1;
      admit(at);
    }
  }

  async #pace(at: Host, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { delayMs } = at.limits;
    if (delayMs === 0) return;
    const now = this.#clock.now();
    // A start is never further ahead than all concurrent requests need; if it is, the clock was set back.
    const longestMs = delayMs * at.limits.concurrency;
    const startAt = Math.max(now, Math.min(at.nextStartAt, now + longestMs));
    at.nextStartAt = startAt + delayMs;
    if (startAt > now) await this.#clock.sleep(startAt - now, signal);
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    if (this.#hosts.size >= HOSTS_MAX) this.#dropIdle();
    const host: Host = { limits: this.#default, running: 0, nextStartAt: 0, waiting: [] };
    this.#hosts.set(name, host);
    return host;
  }

  #dropIdle(): void {
    for (const [name, { running, waiting }] of this.#hosts) {
      if (running === 0 && waiting.length === 0) this.#hosts.delete(name);
      if (this.#hosts.size < HOSTS_MAX / 2) return;
    }
  }
}

/** Starts waiting requests while the current limits allow it. */
function admit(at: Host): void {
  while (at.running < at.limits.concurrency) {
    const start = at.waiting.shift();
    if (!start) return;
    at.running += 1;
    start();
  }
}
