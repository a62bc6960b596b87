/** The only place that maps errors of the SQLite drivers to our codes. It uses result codes, never the text. */
import { SondeError } from '../../../errors.js';

const FULL = 13;
const IO_ERROR = 10;
const CORRUPT = 11;
const BUSY = 5;
const NOT_A_DATABASE = 26;

/**
 * A fault after which the state of the disk is unknown to this process. A damaged page is not fatal: it fails only the
 * calls that need it.
 */
export function isFatal(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === IO_ERROR || code === NOT_A_DATABASE;
}

/** A fault that ends the transaction: SQLite rolls it back, or refuses every later statement in it. */
export function endsTransaction(thrown: unknown): boolean {
  return isFatal(thrown) || isFull(thrown) || isDamaged(thrown);
}

export function isBusy(thrown: unknown): boolean {
  return resultCode(thrown) === BUSY;
}

export function isDamaged(thrown: unknown): boolean {
  return resultCode(thrown) === CORRUPT;
}

export function isNotADatabase(thrown: unknown): boolean {
  return resultCode(thrown) === NOT_A_DATABASE;
}

export function isFull(thrown: unknown): boolean {
  return resultCode(thrown) === FULL;
}

export function toStoreError(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  if (isFull(thrown)) {
    return new SondeError('STORAGE_FULL', 'the disk is full; nothing was written', { cause: thrown });
  }
  return new SondeError('STORAGE_UNAVAILABLE', `${whatFailed(thrown)}; nothing was acknowledged`, {
    cause: thrown,
  });
}

/** What the driver said, for the log. */
export function causeOf({ cause }: SondeError): { readonly cause?: string } {
  return cause instanceof Error ? { cause: cause.message } : {};
}

function whatFailed(thrown: unknown): string {
  if (isDamaged(thrown)) return 'a page of the database file is damaged';
  if (isFatal(thrown)) return 'the disk failed, and the store is closed until the server is restarted';
  return 'the store failed';
}

const NAMES: Readonly<Record<string, number>> = {
  SQLITE_FULL: FULL,
  SQLITE_IOERR: IO_ERROR,
  SQLITE_CORRUPT: CORRUPT,
  SQLITE_NOTADB: NOT_A_DATABASE,
  SQLITE_BUSY: BUSY,
};

/** libsql uses the name of the code, `node:sqlite` its number. Extended codes have the primary one in the low byte. */
function resultCode(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  if ('errcode' in thrown && typeof thrown.errcode === 'number') return thrown.errcode & 0xff;
  if (!('code' in thrown) || typeof thrown.code !== 'string') return undefined;
  const name = Object.keys(NAMES).find((each) => String(thrown.code).startsWith(each));
  return name === undefined ? undefined : NAMES[name];
}
