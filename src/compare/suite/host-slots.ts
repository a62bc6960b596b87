/** Limits concurrent work per host; callers above the limit wait in order. */
import { tryUrl } from '../../try-url.js';
export class HostSlots {
  readonly #max: number;
  readonly #hosts = new Map<string, { used: number; waiting: (() => void)[] }>();

  constructor(max: number) {
    this.#max = max;
  }

  async use<T>(url: string, act: () => Promise<T>): Promise<T> {
    const host = tryUrl(url)?.host ?? url;
    const slots = this.#hosts.get(host) ?? { used: 0, waiting: [] };
    this.#hosts.set(host, slots);
    if (slots.used >= this.#max) await new Promise<void>((resolve) => slots.waiting.push(resolve));
    else slots.used += 1;
    try {
      return await act();
    } finally {
      // The slot goes straight to the next in line, so that no other caller can take it.
      const next = slots.waiting.shift();
      if (next) next();
      else slots.used -= 1;
    }
  }
}
