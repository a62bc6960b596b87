/** The only place that interprets errors of the PostgreSQL driver: whether to retry, and which code they get. */
import { SondeError } from '../../../errors.js';

/** The database did not respond in time. The statement may have been executed. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';

  constructor(limitMs: number) {
    super(`no response within ${limitMs} ms`);
  }
}

/** SQLSTATE classes and codes after which a new connection may succeed. */
const LOST = /^(?:08|57P0[1-5]|53300|25P03)/;
/** The database itself requires the transaction to be run again. */
const AGAIN = /^(?:40001|40P01)$/;
const READ_ONLY = '25006';
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/** Errors without a code. */
const SOCKET_TEXT =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|Connection ended)/;
/** A migration changed a table for which this connection has a prepared statement. */
const STALE_PLAN = 'cached plan must not change result type';
/** PgBouncer drops session settings unless configured otherwise. */
const POOLER_TEXT = /unsupported startup parameter/;

/** Whether the connection was lost. Then the last statement may or may not have been executed. */
export function isConnectionLost(thrown: unknown): boolean {
  if (isPoolerRefusal(thrown)) return false;
  const code = codeOf(thrown);
  return LOST.test(code) || SOCKET.has(code) || SOCKET_TEXT.test(textOf(thrown));
}

/** Whether a new connection may help: it may reach the new primary, and has no cached plans. */
function needsNewConnection(thrown: unknown): boolean {
  return codeOf(thrown) === READ_ONLY || textOf(thrown) === STALE_PLAN;
}

export function mayBeSentAgain(thrown: unknown): boolean {
  return isConnectionLost(thrown) || needsNewConnection(thrown) || AGAIN.test(codeOf(thrown));
}

/** Whether the connection must not return to the pool. */
export function isConnectionUnusable(thrown: unknown): boolean {
  return thrown instanceof NoResponse || isConnectionLost(thrown) || needsNewConnection(thrown);
}

/** By SQLSTATE: our own messages for faults that an operator can fix. */
const UNAVAILABLE: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  [READ_ONLY]: ['read_only', 'the database is read-only, for example a standby; connect to the primary'],
  '53200': ['out_of_memory', 'the database is out of memory; nothing was written'],
  '53300': ['too_many_connections', 'the database accepts no more connections; raise max_connections'],
  '55P03': ['locked', 'a row is locked by another transaction; try again'],
  '57014': ['too_slow', 'the database did not finish a statement in time; it was canceled'],
};

export function toDatabaseError(thrown: unknown): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const code = codeOf(thrown);
  if (code === '53100') {
    return new SondeError('STORAGE_FULL', "the database's disk is full; nothing was written", {
      cause: thrown,
    });
  }
  if (code === '23505') {
    return new SondeError('STORAGE_CONFLICT', 'the row already exists in the database', { cause: thrown });
  }
  if (isPoolerRefusal(thrown)) return new SondeError('CONFIG_INVALID_VALUE', POOLER, { cause: thrown });
  const known = UNAVAILABLE[code];
  if (known) return unavailable(known, thrown);
  if (thrown instanceof NoResponse) {
    return unavailable(['no_response', `the database is stalled: ${thrown.message}`], thrown);
  }
  if (mayBeSentAgain(thrown)) {
    return unavailable(['unreachable', 'the database cannot be reached; try again'], thrown);
  }
  return new SondeError('INTERNAL', 'the database refused a statement', { cause: thrown });
}

/** The error if a pooler prevents a dedicated session. */
export const POOLER =
  'jobs.databaseUrl: a connection pooler drops the session settings that this program needs. ' +
  'Connect to PostgreSQL itself: LISTEN, advisory locks and prepared statements need a dedicated session';

function isPoolerRefusal(thrown: unknown): boolean {
  return codeOf(thrown) === '08P01' && POOLER_TEXT.test(textOf(thrown));
}

function unavailable([reason, message]: readonly [string, string], cause: unknown): SondeError {
  return new SondeError('STORAGE_UNAVAILABLE', message, { cause, details: { reason } });
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : '';
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return String(thrown.code);
}
