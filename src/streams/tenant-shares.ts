/** What each tenant uses of its limits: live readers of its streams, and bytes stored for it. */
import { CountMap } from '../count-map.js';
import { SondeError } from '../errors.js';
import type { StreamDeps } from './stream-deps.js';
import type { StreamState } from './stream-store.js';
import { splitStreamId } from './subscriptions/stream-path.js';
import type { ReadTenantLimits } from './tenant-limits.js';

/** A stream without a path has its tenant in its metadata. */
export function tenantOf({ id, metadata }: Pick<StreamState, 'id' | 'metadata'>): string | undefined {
  const named = splitStreamId(id)?.tenant;
  if (named !== undefined || metadata === null) return named;
  const { tenant } = JSON.parse(metadata) as { tenant?: unknown };
  return typeof tenant === 'string' ? tenant : undefined;
}

/** The tenant that a live reader counts against, and that tenant's limit. */
export interface ReaderShare {
  readonly tenant: string;
  readonly max: number;
}

export async function readerShare(
  { limits, tenantLimits }: Pick<StreamDeps, 'limits' | 'tenantLimits'>,
  state: StreamState,
): Promise<ReaderShare | undefined> {
  const tenant = tenantOf(state);
  if (tenant === undefined) return undefined;
  const { liveReaders: max = limits.liveReaders } = await tenantLimits(tenant);
  return { tenant, max };
}

interface StoredBytesOptions {
  readonly counts: Iterable<readonly [tenant: string, bytes: number]>;
  readonly limits: ReadTenantLimits;
  readonly fallback: number;
}

/** Counts stored bytes. They are reserved before the write, so concurrent writes cannot exceed the limit together. */
export class StoredBytes {
  readonly #stored: CountMap;
  readonly #limits: ReadTenantLimits;
  readonly #fallback: number;

  constructor({ counts, limits, fallback }: StoredBytesOptions) {
    this.#stored = new CountMap(counts);
    this.#limits = limits;
    this.#fallback = fallback;
  }

  /** Returns undefined if the tenant has room for this many more bytes. */
  async refusal(tenant: string, bytes: number): Promise<SondeError | undefined> {
    return this.#refusalAt(await this.#maxOf(tenant), tenant, bytes);
  }

  async #maxOf(tenant: string): Promise<number> {
    const { storedBytes = this.#fallback } = await this.#limits(tenant);
    return storedBytes;
  }

  #refusalAt(max: number, tenant: string, bytes: number): SondeError | undefined {
    if (this.#stored.get(tenant) + bytes <= max) return undefined;
    return new SondeError(
      'QUOTA_EXCEEDED',
      `The streams and recorded responses of the tenant can hold at most ${max} bytes (quota storedBytes). Delete some, or wait until they expire.`,
      { details: { quota: 'storedBytes', max } },
    );
  }

  /** Runs a write of `bytes`. The reservation is released if it fails, or if `isStored` returns false. */
  async during<T>(
    { tenant, bytes }: { readonly tenant: string | undefined; readonly bytes: number },
    write: () => Promise<T>,
    isStored: (result: T) => boolean,
  ): Promise<T> {
    if (tenant === undefined || bytes === 0) return write();
    const max = await this.#maxOf(tenant);
    // No `await` between the check and the reservation.
    const refusal = this.#refusalAt(max, tenant, bytes);
    if (refusal) throw refusal;
    this.#stored.add(tenant, bytes);
    let stored = false;
    try {
      const result = await write();
      stored = isStored(result);
      return result;
    } finally {
      if (!stored) this.#stored.add(tenant, -bytes);
    }
  }

  removed(tenant: string | undefined, bytes: number): void {
    if (tenant !== undefined) this.#stored.add(tenant, -bytes);
  }
}
