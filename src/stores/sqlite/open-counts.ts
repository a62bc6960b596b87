/** How many streams of each tenant are neither closed nor deleted; counted when it is first asked for. */
import { splitStreamId } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import { COUNT_OPEN } from './stream-statements.js';

export class OpenCounts {
  readonly #database: SqlDatabase;
  #byTenant: Map<string, number> | undefined;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** The disk is asked again. */
  forget(): void {
    this.#byTenant = undefined;
  }

  /** Of the tenant that the stream belongs to. */
  of(id: string): number {
    this.#byTenant ??= new Map(
      this.#database.all(COUNT_OPEN, []).map((row) => [String(row['owner']), Number(row['open'])]),
    );
    return this.#byTenant.get(ownerOf(id)) ?? 0;
  }

  add(id: string, more: 1 | -1): void {
    const owner = ownerOf(id);
    this.#byTenant?.set(owner, (this.#byTenant.get(owner) ?? 0) + more);
  }
}

/** As `COUNT_OPEN` tells them apart. */
function ownerOf(id: string): string {
  return splitStreamId(id)?.tenant ?? '';
}
