/** What each tenant uses of its limits: live readers of its streams, and bytes stored for it. */
import { SondeError } from '../errors.js';
import type { StreamDeps } from './stream-deps.js';
import type { StreamState } from './stream-store.js';
import { splitStreamId } from './subscriptions/stream-path.js';
import type { ReadTenantLimits } from './tenant-limits.js';
import type { TenantTotals } from './tenant-totals.js';

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
  readonly totals: TenantTotals;
  readonly limits: ReadTenantLimits;
  readonly fallback: number;
}

/** Counts stored bytes. They are reserved before the write, so concurrent writes cannot exceed the limit together. */
export class StoredBytes {
  readonly #totals: TenantTotals;
  readonly #limits: ReadTenantLimits;
  readonly #fallback: number;

  constructor({ totals, limits, fallback }: StoredBytesOptions) {
    this.#totals = totals;
    this.#limits = limits;
    this.#fallback = fallback;
  }

  /** Returns undefined if the tenant has room for this many more bytes. */
  async refusal(tenant: string, bytes: number): Promise<SondeError | undefined> {
    const max = await this.#maxOf(tenant);
    return (await this.#totals.hasRoom(tenant, bytes, max)) ? undefined : tooMuch(max);
  }

  async #maxOf(tenant: string): Promise<number> {
    const { storedBytes = this.#fallback } = await this.#limits(tenant);
    return storedBytes;
  }

  /** Runs a write of `bytes`. The reservation is released if it fails, or if `isStored` returns false. */
  async during<T>(
    { tenant, bytes }: { readonly tenant: string | undefined; readonly bytes: number },
    write: () => Promise<T>,
    isStored: (result: T) => boolean,
  ): Promise<T> {
    if (tenant === undefined || bytes === 0) return write();
    const max = await this.#maxOf(tenant);
    if (!(await this.#totals.take(tenant, bytes, max))) throw tooMuch(max);
    let stored = false;
    try {
      const result = await write();
      stored = isStored(result);
      return result;
    } finally {
      if (!stored) this.#totals.give(tenant, bytes);
    }
  }

  removed(tenant: string | undefined, bytes: number): void {
    if (tenant !== undefined) this.#totals.give(tenant, bytes);
  }
}

function tooMuch(max: number): SondeError {
  return new SondeError(
    'QUOTA_EXCEEDED',
    `The streams and recorded responses of the tenant can hold at most ${max} bytes (quota storedBytes). Delete some, or wait until they expire.`,
    { details: { quota: 'storedBytes', max } },
  );
}
