/**
 * Politeness: at most so many requests to a host at once, and so much time between two starts. Those who wait
 * are served in the order they came. The table of hosts is bounded; an idle host is forgotten first.
 */
import type { AuditClock } from './audit-ports.js';

export interface HostManners {
  readonly concurrency: number;
  readonly delayMs: number;
}

const HOSTS_MAX = 2_000;

interface Host {
  manners: HostManners;
  running: number;
  nextStartAt: number;
  readonly waiting: (() => void)[];
}

export class HostGate {
  readonly #hosts = new Map<string, Host>();
  readonly #default: HostManners;
  readonly #clock: AuditClock;

  constructor(manners: HostManners, clock: AuditClock) {
    this.#default = manners;
    this.#clock = clock;
  }

  /** From now on this host is treated so; robots.txt may ask for a longer delay. */
  set(host: string, manners: HostManners): void {
    this.#host(host).manners = manners;
  }

  async run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const at = this.#host(host);
    if (at.running >= at.manners.concurrency) await new Promise<void>((resolve) => at.waiting.push(resolve));
    at.running += 1;
    try {
      await this.#pace(at, signal);
      return await work();
    } finally {
      at.running -= 1;
      at.waiting.shift()?.();
    }
  }

  async #pace(at: Host, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { delayMs } = at.manners;
    if (delayMs === 0) return;
    const now = this.#clock.now();
    // No start is further ahead than those before it take; if it seems so, the clock was set back.
    const longestMs = delayMs * at.manners.concurrency;
    const startAt = Math.max(now, Math.min(at.nextStartAt, now + longestMs));
    at.nextStartAt = startAt + delayMs;
    if (startAt > now) await this.#clock.sleep(startAt - now, signal);
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    if (this.#hosts.size >= HOSTS_MAX) this.#forgetIdle();
    const host: Host = { manners: this.#default, running: 0, nextStartAt: 0, waiting: [] };
    this.#hosts.set(name, host);
    return host;
  }

  #forgetIdle(): void {
    for (const [name, { running, waiting }] of this.#hosts) {
      if (running === 0 && waiting.length === 0) this.#hosts.delete(name);
      if (this.#hosts.size < HOSTS_MAX / 2) return;
    }
  }
}
