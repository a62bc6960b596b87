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
  'EACCES',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
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

/** Not `EPIPE` and the like. */
const SQLSTATE = /^(?:\d[0-9A-Z]|HV|P0|XX)[0-9A-Z]{3}$/;

type Fault = readonly [reason: string, message: string];

const SCHEMA_CHANGED: Fault = [
  'schema_changed',
  'tables of the database are missing or have changed; restore them, or start with an empty database',
];

/** By SQLSTATE or its class: our own messages for faults that an operator can fix. */
const UNAVAILABLE: Readonly<Record<string, Fault>> = {
  '28P01': ['wrong_password', 'the database refused the password'],
  '28': [
    'login_refused',
    'the database refused the login: the role does not exist, or pg_hba.conf forbids it',
  ],
  '3D': ['unknown_database', 'the database does not exist on its server'],
  '42501': [
    'permission_denied',
    'the role has no permission for a table or schema of the database; grant it',
  ],
  '42P01': SCHEMA_CHANGED,
  '42703': SCHEMA_CHANGED,
  '3F': SCHEMA_CHANGED,
  [READ_ONLY]: ['read_only', 'the database is read-only, for example a standby; connect to the primary'],
  '53200': ['out_of_memory', 'the database is out of memory; nothing was written'],
  '53300': ['too_many_connections', 'the database accepts no more connections; raise max_connections'],
  '55P03': ['locked', 'a row is locked by another transaction; try again'],
  '57014': ['too_slow', 'the database did not finish a statement in time; it was canceled'],
  '53': ['out_of_resources', 'the database has reached a limit of its server; nothing was written'],
  '55': [
    'not_accepting',
    'the database does not accept this now, for example because it allows no connections',
  ],
  '58': ['system_error', 'the server of the database reported a system error; look at its log'],
  XX: ['damaged', 'the database reported an internal error or damaged data; look at its log'],
};

/** Reasons that no waiting removes: the setting or the database must be changed. */
const FINAL: ReadonlySet<unknown> = new Set([
  'wrong_password',
  'login_refused',
  'unknown_database',
  'permission_denied',
  'tls_failed',
]);

/** Whether a start must not wait for this to end. */
export function needsOperator({ details }: SondeError): boolean {
  return FINAL.has(details['reason']);
}

/** By code of the socket, as text after "the database cannot be reached". */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'its socket does not exist',
  EACCES: 'its socket may not be opened',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name does not resolve',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its host',
  ETIMEDOUT: 'its host does not respond',
};
/** Codes and texts of a failed TLS handshake; the driver has no code for a server without TLS. */
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
const NO_TLS_TEXT = /does not support SSL connections/;
/** The server asks for a password and the URL has none. */
const NO_PASSWORD_TEXT = /^SASL: .*password must be/;

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
  const known = UNAVAILABLE[code] ?? (SQLSTATE.test(code) ? UNAVAILABLE[code.slice(0, 2)] : undefined);
  if (known) return unavailable(known, thrown);
  if (NO_PASSWORD_TEXT.test(textOf(thrown))) {
    return unavailable(['wrong_password', 'the database asks for a password, and its URL has none'], thrown);
  }
  if (TLS_CODE.test(code) || NO_TLS_TEXT.test(textOf(thrown))) {
    return unavailable(['tls_failed', 'the database and this program agree on no TLS connection'], thrown);
  }
  if (thrown instanceof NoResponse) {
    return unavailable(['no_response', `the database is stalled: ${thrown.message}`], thrown);
  }
  if (mayBeSentAgain(thrown)) {
    const why = UNREACHABLE[code];
    return unavailable(
      ['unreachable', `the database cannot be reached${why ? `: ${why}` : '; try again'}`],
      thrown,
    );
  }
  const which = SQLSTATE.test(code) ? ` (SQLSTATE ${code})` : '';
  return new SondeError('INTERNAL', `the database refused a statement${which}`, { cause: thrown });
}

/** The code and the text of a driver's error without the values of a statement, which class 22 quotes. */
export function describeFault(thrown: unknown): { readonly sqlstate?: string; readonly text: string } {
  const cause = thrown instanceof SondeError ? thrown.cause : thrown;
  const code = codeOf(cause);
  if (!SQLSTATE.test(code)) return { text: textOf(cause) };
  const text = code.startsWith('22') ? textOf(cause).replaceAll(/"[^"]*"|:.*/gs, '…') : textOf(cause);
  return { sqlstate: code, text };
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
