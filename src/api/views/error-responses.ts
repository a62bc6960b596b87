/** The OpenAPI description of error responses: one schema, and the codes of each status. */
import * as z from 'zod';
import { type CodeFacts, ERROR_CODES, type ErrorCode } from '../../errors.js';
import { type HeaderName, responseHeaders } from './response-headers.js';

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

export const ErrorResponse = z
  .object({
    error: z.looseObject({
      code: z.enum(CODES).describe('A code from `x-error-codes`. Its meaning never changes.'),
      message: z.string().describe('What happened and what to do about it, for people.'),
    }),
  })
  .meta({
    id: 'Error',
    description: 'Every error of this server. Further fields of `error` depend on the code.',
  });

interface ErrorResponse<Schema> {
  description: string;
  headers?: z.ZodObject;
  content: { 'application/json': { schema: Schema } };
  'x-error-codes': ErrorCode[];
}

/** Any request can be refused with these before its operation is reached. */
const EVERYWHERE: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'ORIGIN_REFUSED',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'SERVER_BUSY',
  'SERVER_STOPPING',
];

const HEADERS_OF: Readonly<Partial<Record<ErrorCode, readonly HeaderName[]>>> = {
  METHOD_NOT_ALLOWED: ['Allow'],
  STREAM_CLOSED: ['Stream-Closed', 'Stream-Next-Offset'],
  CONTENT_TYPE_MISMATCH: ['Stream-Closed', 'Stream-Next-Offset'],
  SEQUENCE_CONFLICT: ['Stream-Closed', 'Stream-Next-Offset'],
  PRODUCER_FENCED: ['Producer-Epoch'],
  PRODUCER_GAP: ['Producer-Expected-Seq', 'Producer-Received-Seq'],
  CREATE_INDETERMINATE: ['Idempotent-Replayed'],
  REDIRECT_NOT_ALLOWED: ['Upstream-Status', 'Sonde-Attempt', 'Idempotent-Replayed'],
  UPSTREAM_NOT_ALLOWED: ['Sonde-Attempt', 'Idempotent-Replayed'],
  UPSTREAM_ERROR: ['Upstream-Status', 'Sonde-Attempt', 'Idempotent-Replayed'],
  STORAGE_ERROR: ['Upstream-Status', 'Sonde-Attempt', 'Idempotent-Replayed'],
  UPSTREAM_TIMEOUT: ['Sonde-Attempt', 'Idempotent-Replayed'],
  UPSTREAM_BODY_TIMEOUT: ['Upstream-Status', 'Upstream-Headers', 'Sonde-Attempt', 'Idempotent-Replayed'],
};

export const CREDENTIAL_ERRORS = ['MISSING_SECRET', 'INVALID_SECRET', 'FORBIDDEN', 'RATE_LIMITED'] as const;
export const STORE_ERRORS = [...CREDENTIAL_ERRORS, 'STORAGE_UNAVAILABLE'] as const;
/** Errors of an operation that takes an `Idempotency-Key`. */
export const IDEMPOTENCY_ERRORS = [
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
  'QUOTA_EXCEEDED',
] as const;

/** Of an operation that needs a credential. */
export const credentialErrors = (...codes: readonly ErrorCode[]) =>
  errorResponses(...CREDENTIAL_ERRORS, ...codes);

/** Of an operation that also uses a store. */
export const storeErrors = (...codes: readonly ErrorCode[]) => errorResponses(...STORE_ERRORS, ...codes);

/** Of an operation that creates something from a JSON body. */
export const createErrors = (...codes: readonly ErrorCode[]) =>
  storeErrors(...IDEMPOTENCY_ERRORS, ...codes, 'UNSUPPORTED_MEDIA_TYPE');

export function errorResponses(...codes: readonly ErrorCode[]): Record<number, ErrorResponse<z.ZodType>> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of [...codes, ...EVERYWHERE]) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries([...byStatus].map(([status, listed]) => [status, describeErrors([...listed])]));
}

function headersOf(code: ErrorCode): readonly HeaderName[] {
  const facts: CodeFacts = ERROR_CODES[code];
  const own = facts.status === 401 ? (['WWW-Authenticate'] as const) : (HEADERS_OF[code] ?? []);
  return facts.retryAfter === undefined ? own : [...own, 'Retry-After'];
}

function describeErrors(codes: ErrorCode[]): ErrorResponse<z.ZodType> {
  const headers = [...new Set(codes.flatMap(headersOf))];
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(headers.length > 0 && { headers: responseHeaders(...headers.map((name) => `${name}?` as const)) }),
    content: { 'application/json': { schema: ErrorResponse } },
    'x-error-codes': codes,
  };
}
