/**
 * Checks that open files are still the ones at their paths. After `rm -rf` or an unmount, the system still accepts
 * writes to an open file and loses them when it is closed, so they must not be acknowledged. If the same files come
 * back, for example by a mount, writes are acknowledged again.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { SondeError } from '../../errors.js';

/** A check takes microseconds, but there may be an append every few microseconds. */
const CHECK_EVERY_MS = 250;

export class OpenFiles {
  readonly #identities: ReadonlyMap<string, string>;
  readonly #monotonic: () => number;
  #checkedAt: number;
  #fault: SondeError | undefined;

  /** The files must exist. */
  constructor(paths: readonly string[], monotonic: () => number = () => performance.now()) {
    this.#identities = new Map(paths.map((path) => [path, identity(statSync(path, { bigint: true }))]));
    this.#monotonic = monotonic;
    this.#checkedAt = monotonic();
  }

  /** Throws `STORAGE_UNAVAILABLE` if a file is gone, or another one is in its place. */
  check(): void {
    const now = this.#monotonic();
    if (now - this.#checkedAt >= CHECK_EVERY_MS) {
      this.#checkedAt = now;
      this.#fault = this.#findFault();
    }
    if (this.#fault) throw this.#fault;
  }

  #findFault(): SondeError | undefined {
    for (const [path, known] of this.#identities) {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found && identity(found) === known) continue;
      const what = found ? 'was replaced by another file' : 'is gone';
      return new SondeError(
        'STORAGE_UNAVAILABLE',
        // Every caller sees this, so it does not name the folder.
        `${basename(path)} ${what}; nothing was acknowledged. Restore the data folder, or restart the server`,
        { details: { reason: 'data_folder_gone' } },
      );
    }
    return undefined;
  }
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}
