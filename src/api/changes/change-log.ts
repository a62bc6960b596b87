/**
 * The last changes of one tenant, numbered, in memory. Every log has its own random name, which is part of its ids. An
 * id from another process or from before a restart is therefore recognised, and its reader gets a `reset`.
 */
import type { Change, ChangePage } from './change.js';

export const CHANGES_KEPT = 1_000;

const ID = /^([0-9a-f]{8})-(\d{1,15})$/;

/** Whether the text can be the id of a change. */
export function isChangeId(text: string): boolean {
  return ID.test(text);
}

export class ChangeLog {
  #name = newName();
  #last = 0;
  #kept: Change[] = [];
  readonly #waiting = new Set<() => void>();

  push(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#last += changes.length;
    this.#kept = [...this.#kept, ...changes].slice(-CHANGES_KEPT);
    this.#wake();
  }

  /** Makes every reader start over, because changes were missed. */
  reset(): void {
    this.#name = newName();
    this.#kept = [];
    this.#wake();
  }

  after(id: string | undefined): ChangePage {
    const last = this.#idOf(this.#last);
    if (id === undefined) return { reset: false, changes: [], last };
    const [, name, digits] = ID.exec(id) ?? [];
    const seq = Number(digits);
    const first = this.#last - this.#kept.length;
    if (name !== this.#name || seq < first || seq > this.#last) return { reset: true, changes: [], last };
    const changes = this.#kept
      .slice(seq - first)
      .map((change, at) => ({ id: this.#idOf(seq + at + 1), change }));
    return { reset: false, changes, last };
  }

  /** Resolves at the next change, after `ms`, or when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.add(done);
    });
  }

  #idOf(seq: number): string {
    return `${this.#name}-${seq}`;
  }

  #wake(): void {
    for (const resume of [...this.#waiting]) resume();
  }
}

function newName(): string {
  return crypto.randomUUID().slice(0, 8);
}
