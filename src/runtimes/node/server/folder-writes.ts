/**
 * Finds out whether the data folder is writable by writing to it, because the disk may be full despite permission. The
 * readiness check does so on every call. Requests that would pay an upstream for a response that cannot be stored share
 * a result that is at most a second old, which includes whether the store itself still works: after an I/O error it is
 * closed until a restart, although the disk may have recovered.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asSondeError, SondeError } from '../../../errors.js';

/** Larger than one block of any common file system, so that it needs free space. */
const PROBE = new Uint8Array(64 * 1024);
const KNOWN_MS = 1_000;
/** A disk that takes longer is not waited for: a slow one still stores what it gets. */
const WAIT_MS = 1_000;

const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit on the size of a file is reached',
};
const UNAVAILABLE: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  ENOENT: 'it no longer exists',
  EIO: 'the disk failed',
};

export class FolderWrites {
  readonly #path: string;
  readonly #checkStore: () => Promise<unknown>;
  readonly #monotonic: () => number;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #known: Promise<SondeError | undefined> = Promise.resolve(undefined);

  constructor(
    folder: string,
    checkStore: () => Promise<unknown>,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#checkStore = checkStore;
    this.#path = join(folder, `.ready-${process.pid}`);
    this.#monotonic = monotonic;
  }

  /** Throws `STORAGE_FULL` or `STORAGE_UNAVAILABLE`. */
  async check(): Promise<void> {
    const fault = await this.#find();
    if (!fault) return;
    this.#checkedAt = this.#monotonic();
    this.#known = Promise.resolve(fault);
    throw fault;
  }

  /** Why nothing can be stored now, as far as it was known within the last second. */
  async fault(): Promise<SondeError | undefined> {
    const now = this.#monotonic();
    if (now - this.#checkedAt >= KNOWN_MS) {
      this.#checkedAt = now;
      this.#known = withinTime(this.#findAny());
    }
    return this.#known;
  }

  async #findAny(): Promise<SondeError | undefined> {
    return (await this.#find()) ?? this.#checkStore().then(() => undefined, asStoreFault);
  }

  async #find(): Promise<SondeError | undefined> {
    try {
      await writeFile(this.#path, PROBE);
      return undefined;
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? '';
      const full = FULL[code];
      if (full !== undefined) return new SondeError('STORAGE_FULL', full, { cause });
      const fault = UNAVAILABLE[code] ?? 'it cannot be written to';
      return new SondeError('STORAGE_UNAVAILABLE', fault, { cause });
    } finally {
      await rm(this.#path, { force: true }).catch(() => {
        // The same fault; what is left is overwritten by the next check.
      });
    }
  }
}

function asStoreFault(thrown: unknown): SondeError {
  return asSondeError(thrown, 'STORAGE_UNAVAILABLE');
}

async function withinTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
