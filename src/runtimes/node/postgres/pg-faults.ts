/** The one place where errors of the PostgreSQL driver are read: what may be sent again, and what it is called. */
import { SondeError } from '../../../errors.js';

/** Classes and codes of SQLSTATE after which a new connection may do better. */
const LOST = /^(?:08|57P0[1-5]|53300|25P03)/;
/** The database itself asks for the transaction to be run again. */
const AGAIN = /^(?:40001|40P01|55P03)$/;
const FULL = /^(?:53100|53200)$/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** The driver gives these no code. */
const SOCKET_TEXT =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Connection ended)/;

export function mayBeSentAgain(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (LOST.test(code) || AGAIN.test(code) || SOCKET.has(code)) return true;
  return thrown instanceof Error && SOCKET_TEXT.test(thrown.message);
}

export function toDatabaseError(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  if (FULL.test(codeOf(thrown))) {
    return new SondeError('STORAGE_FULL', 'the database is full; nothing was written', { cause: thrown });
  }
  if (mayBeSentAgain(thrown) || codeOf(thrown) === '57014') {
    return new SondeError('STORAGE_UNAVAILABLE', 'the database does not answer; try again', {
      cause: thrown,
    });
  }
  if (codeOf(thrown) === '23505') {
    return new SondeError('STORAGE_CONFLICT', 'the database has such a row already', { cause: thrown });
  }
  return new SondeError('INTERNAL', 'the database refused a statement', { cause: thrown });
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return String(thrown.code);
}
