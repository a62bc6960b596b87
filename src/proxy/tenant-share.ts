/**
 * The share of upstream requests that a tenant has: those being opened and those whose response is coming in. It is
 * counted per tenant, so a crowd of slow responses of one never refuses a request of another.
 */
import type { ReadTenantLimits } from '../streams/index.js';
import type { RunningPumps } from './running-pumps.js';

interface ShareDeps {
  readonly pumps: Pick<RunningPumps, 'countOf'>;
  readonly limits: ReadTenantLimits;
  /** For tenants without a limit of their own. */
  readonly fallback: number;
}

export class TenantShare {
  readonly #deps: ShareDeps;
  readonly #opening = new Map<string, number>();

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  /** Resolves to what ends the opening, or to the limit that is reached. */
  async take(tenant: string): Promise<{ readonly release: () => void } | { readonly max: number }> {
    const { pumps, limits, fallback } = this.#deps;
    const { proxyStreams: max = fallback } = await limits(tenant);
    const opening = this.#opening.get(tenant) ?? 0;
    if (pumps.countOf(tenant) + opening >= max) return { max };
    this.#opening.set(tenant, opening + 1);
    return { release: () => this.#release(tenant) };
  }

  #release(tenant: string): void {
    const left = (this.#opening.get(tenant) ?? 1) - 1;
    if (left === 0) this.#opening.delete(tenant);
    else this.#opening.set(tenant, left);
  }
}
