/** How many streams of each tenant are neither closed nor deleted; counted on first use. */
import { CountMap } from '../../count-map.js';
import { splitStreamId } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import { COUNT_OPEN } from './stream-statements.js';

export class OpenCounts {
  readonly #database: SqlDatabase;
  #byTenant: CountMap | undefined;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** The next call counts again. */
  forget(): void {
    this.#byTenant = undefined;
  }

  /** Of the tenant that the stream belongs to. */
  of(id: string): number {
    this.#byTenant ??= new CountMap(
      this.#database.all(COUNT_OPEN, []).map((row) => [String(row['owner']), Number(row['open'])]),
    );
    return this.#byTenant.get(ownerOf(id));
  }

  add(id: string, more: 1 | -1): void {
    this.#byTenant?.add(ownerOf(id), more);
  }
}

/** Owners as `COUNT_OPEN` distinguishes them. */
function ownerOf(id: string): string {
  return splitStreamId(id)?.tenant ?? '';
}
