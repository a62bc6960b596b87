/**
 * How much of one quota each tenant has taken. A port, because processes that serve the same tenants must not exceed its
 * quotas together.
 */
import { CountMap } from '../count-map.js';

export interface TenantTotals {
  /** Takes the amount, unless the tenant would have more than `max`. */
  take(tenant: string, amount: number, max: number): Promise<boolean>;
  /** Whether it could be taken now. */
  hasRoom(tenant: string, amount: number, max: number): Promise<boolean>;
  give(tenant: string, amount: number): void;
}

/** For a process that serves its tenants alone. */
export class ProcessTotals implements TenantTotals {
  readonly #taken: CountMap;

  constructor(taken: Iterable<readonly [tenant: string, amount: number]> = []) {
    this.#taken = new CountMap(taken);
  }

  async take(tenant: string, amount: number, max: number): Promise<boolean> {
    if (this.#taken.get(tenant) + amount > max) return false;
    this.#taken.add(tenant, amount);
    return true;
  }

  async hasRoom(tenant: string, amount: number, max: number): Promise<boolean> {
    return this.#taken.get(tenant) + amount <= max;
  }

  give(tenant: string, amount: number): void {
    this.#taken.add(tenant, -amount);
  }
}
