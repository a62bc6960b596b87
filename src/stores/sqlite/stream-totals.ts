/**
 * The open streams and stored bytes of each tenant. They are stored in a table and change in the same transaction as
 * the streams, so that a start need not count. The table is read once per tenant and written once per transaction.
 */
import { splitStreamId } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import type { StreamRow } from './stream-row.js';
import { SELECT_ALL_TOTALS, SELECT_TOTALS, SUM_SEALED, WRITE_TOTALS } from './stream-statements.js';

interface Totals {
  open: number;
  bytes: number;
}

export class StreamTotals {
  readonly #database: SqlDatabase;
  readonly #known = new Map<string, Totals>();
  readonly #changed = new Set<string>();

  readonly #isKept: boolean;

  /** `isKept` is false if another part counts. */
  constructor(database: SqlDatabase, isKept: boolean) {
    this.#database = database;
    this.#isKept = isKept;
  }

  /** The next call reads the table again. */
  forget(): void {
    this.#known.clear();
    this.#changed.clear();
  }

  /** Call it before the transaction ends. */
  flush(): void {
    for (const tenant of this.#changed) {
      const { open, bytes } = this.#of(tenant);
      this.#database.run(WRITE_TOTALS, [tenant, open, bytes]);
    }
    this.#changed.clear();
  }

  /** The number of open streams of the tenant that this stream belongs to. */
  openOf(id: string): number {
    return this.#isKept ? this.#of(ownerOf(id)).open : 0;
  }

  bytes(): readonly (readonly [tenant: string, bytes: number])[] {
    return this.#database
      .all(SELECT_ALL_TOTALS, [])
      .map((row) => [String(row['tenant']), Number(row['bytes'])] as const);
  }

  addOpen(id: string, change: 1 | -1): void {
    this.#add(ownerOf(id), { open: change, bytes: 0 });
  }

  addBytes(tenant: string | undefined, change: number): void {
    if (tenant !== undefined && change !== 0) this.#add(tenant, { open: 0, bytes: change });
  }

  #add(tenant: string, { open, bytes }: Totals): void {
    if (!this.#isKept) return;
    const totals = this.#of(tenant);
    totals.open += open;
    totals.bytes += bytes;
    this.#changed.add(tenant);
  }

  #of(tenant: string): Totals {
    const known = this.#known.get(tenant);
    if (known) return known;
    const [row] = this.#database.all(SELECT_TOTALS, [tenant]);
    const totals = { open: Number(row?.['open'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
    this.#known.set(tenant, totals);
    return totals;
  }
}

/** Streams without a path are counted together. */
function ownerOf(id: string): string {
  return splitStreamId(id)?.tenant ?? '';
}

/** The number of bytes stored for a stream itself, without those that it shares with its ancestors. */
export function ownBytes(database: SqlDatabase, { life, tail, chunkStart }: StreamRow): number {
  const [sealed] = database.all(SUM_SEALED, [life]);
  return Number(sealed?.['bytes'] ?? 0) + tail.position - chunkStart;
}
