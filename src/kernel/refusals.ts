/** Refusals that do not depend on the operation: of bodies, upgrades and characters that no operation accepts. */
import { SondeError } from '../errors.js';
import { invalidField } from './invalid-request.js';

export type ReadHeader = (name: string) => string | null | undefined;

export function bodyTooLarge(bytesMax: number): SondeError {
  return new SondeError('BODY_TOO_LARGE', `The body is larger than the limit of ${bytesMax} bytes.`, {
    details: { bytesMax },
  });
}

export function bodyIncomplete(cause?: unknown): SondeError {
  return new SondeError('INVALID_REQUEST', 'The body ended before it was complete.', { cause });
}

/** Undefined for a body whose length is only known at its end. */
export function declaredLength(header: ReadHeader): number | undefined {
  const declared = header('content-length') ?? undefined;
  const isKnown = declared !== undefined && (header('transfer-encoding') ?? undefined) === undefined;
  return isKnown ? Number(declared) : undefined;
}

/**
 * HTTP gives the body of a GET or HEAD no meaning, and hosts differ: one drops it, another cannot forward it
 * (`docs/ENGINES.md`). Every host therefore refuses it before doing any work.
 */
export function refuseGetBody(method: string, header: ReadHeader): void {
  if ((method === 'GET' || method === 'HEAD') && declaresBody(header)) {
    throw invalidField('body', `A ${method} request must not have a body.`);
  }
}

export function declaresBody(header: ReadHeader): boolean {
  return (
    (header('transfer-encoding') ?? undefined) !== undefined || Number(header('content-length') ?? 0) !== 0
  );
}

/** A WebSocket request would otherwise be handled like any other, and its client would fail on an unexpected 200. */
export function refuseUpgrade(header: ReadHeader): void {
  const protocol = header('upgrade');
  if (typeof protocol === 'string' && /\bwebsocket\b/i.test(protocol)) throw upgradeRefused();
}

export function upgradeRefused(): SondeError {
  return new SondeError(
    'UPGRADE_NOT_SUPPORTED',
    'WebSocket is not supported. Send an ordinary HTTP request, without Upgrade.',
  );
}

/** PostgreSQL cannot store NUL in text, and no name, URL or label needs it. */
export function refuseNulInUrl(path: string, query: string): void {
  if (path.includes('%00')) throw hasNul('path');
  if (query.includes('%00')) throw hasNul('query');
}

/** `text` is JSON: an escaped backslash before `u0000` makes it six ordinary characters. */
export function refuseNulInJson(text: string): void {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw hasNul('body');
}

function hasNul(place: 'path' | 'query' | 'body'): SondeError {
  return invalidField(place, `${place} must not contain the character NUL (U+0000).`);
}

const PLAIN_ID = /^[A-Za-z0-9._-]{8,128}$/;

/** A plain incoming id is kept, so that a trace can span services; any other is replaced. */
export function requestIdOf(given: string | null | undefined): string {
  return typeof given === 'string' && PLAIN_ID.test(given) ? given : crypto.randomUUID();
}
