/**
 * Every error code of the product in one closed table, and the error class that has one of them.
 *
 * A code is public: it appears in responses, results and exit reasons, and its meaning never changes. The table defines
 * its HTTP status, whether the same call may succeed later, and whose fault it is: `caller` (fix the call), `target`
 * (the remote side) or `server` (us). Lower-case codes describe the outcome of one outbound request; upper-case codes
 * are those of API responses.
 */
export interface CodeFacts {
  readonly status: number;
  readonly retryable: boolean;
  readonly fault: 'caller' | 'target' | 'server';
  /** `Retry-After` in seconds, unless the error's details override it; every 429, 503 and 507 has one. */
  readonly retryAfter?: number;
}

const caller = (status: number, retryable = false): CodeFacts => ({ status, retryable, fault: 'caller' });
const tooMany = (retryAfter: number): CodeFacts => ({ ...caller(429, true), retryAfter });
const target = (status: number, retryable: boolean): CodeFacts => ({ status, retryable, fault: 'target' });
const server = (status: number, retryable: boolean): CodeFacts => ({ status, retryable, fault: 'server' });
const unavailable = (status: 503 | 507, retryAfter: number): CodeFacts => ({
  ...server(status, true),
  retryAfter,
});

export const ERROR_CODES = {
  // One outbound request (net/).
  invalid_url: caller(400),
  ssrf_blocked: caller(400),
  dns_error: target(502, true),
  connect_error: target(502, true),
  tls_error: target(502, false),
  http2_only: target(502, false),
  timeout: target(504, true),
  redirect_loop: target(502, false),
  redirect_missing_location: target(502, false),
  redirect_invalid_location: target(502, false),
  redirect_limit: target(502, false),
  redirect_downgrade: target(502, false),
  redirect_body: target(502, false),
  response_too_large: target(502, false),
  header_too_large: target(502, false),
  decode_error: target(502, false),
  fetch_error: target(502, true),
  // The caller aborted its signal; never a failure of the target.
  canceled: caller(499),

  // The HTTP API.
  INVALID_REQUEST: caller(400),
  MISSING_SECRET: caller(401),
  INVALID_SECRET: caller(401),
  INVALID_LOGIN_CODE: caller(401),
  FORBIDDEN: caller(403),
  ORIGIN_REFUSED: caller(403),
  NOT_FOUND: caller(404),
  METHOD_NOT_ALLOWED: caller(405),
  REQUEST_TIMEOUT: caller(408, true),
  BODY_TOO_LARGE: caller(413),
  UNSUPPORTED_MEDIA_TYPE: caller(415),
  UPGRADE_NOT_SUPPORTED: caller(400),
  TRANSFER_CODING_UNSUPPORTED: server(501, false),
  RATE_LIMITED: tooMany(1),
  HEADERS_TOO_LARGE: caller(431),
  INTERNAL: server(500, false),
  NOT_READY: unavailable(503, 5),
  SERVER_STOPPING: unavailable(503, 5),
  // The server has reached its limit of connections or reads.
  SERVER_BUSY: unavailable(503, 2),

  // Streams.
  OFFSET_INVALID: caller(400),
  STREAM_NOT_FOUND: caller(404),
  STREAM_CLOSED: caller(409),
  STREAM_CONFLICT: caller(409),
  CONTENT_TYPE_MISMATCH: caller(409),
  SEQUENCE_CONFLICT: caller(409),
  PRODUCER_FENCED: caller(403),
  PRODUCER_GAP: caller(409),
  STREAM_GONE: caller(410),
  CLOCK_UNTRUSTED: unavailable(503, 3_600),
  STREAM_TOO_LARGE: caller(413),
  TOO_MANY_READERS: tooMany(5),
  WEBHOOK_URL_REJECTED: caller(400),
  TOKEN_INVALID: caller(401),
  SUBSCRIPTION_NOT_FOUND: caller(404),
  SUBSCRIPTION_ALREADY_EXISTS: caller(409),
  FENCED: caller(409),
  ALREADY_CLAIMED: caller(409, true),
  NO_PENDING_WORK: caller(409, true),
  // An acknowledged offset that was never in the stream; name and status are those of the subscription protocol.
  INVALID_OFFSET: caller(409),
  SUBSCRIPTION_TOO_LARGE: caller(413),
  // A retry only helps after some were deleted.
  TOO_MANY_SUBSCRIPTIONS: { ...caller(429), retryAfter: 60 },
  STREAM_CORRUPT: server(500, false),
  STORAGE_UNAVAILABLE: unavailable(503, 2),
  STORAGE_FULL: unavailable(507, 30),
  // Data of a newer version, or of one that is too old; it is not changed.
  DATA_VERSION_UNKNOWN: server(500, false),
  // A unique index refused a write; stores handle this themselves.
  STORAGE_CONFLICT: server(500, false),

  // The proxy.
  MISSING_UPSTREAM_URL: caller(400),
  MISSING_UPSTREAM_METHOD: caller(400),
  INVALID_UPSTREAM_METHOD: caller(400),
  INVALID_ACTION: caller(400),
  INVALID_IDEMPOTENCY_KEY: caller(400),
  INVALID_ORPHAN_POLICY: caller(400),
  HEADER_NOT_SUPPORTED: caller(400),
  REDIRECT_NOT_ALLOWED: caller(400),
  SIGNATURE_EXPIRED: caller(401),
  SIGNATURE_INVALID: caller(401),
  MISSING_SIGNATURE: caller(401),
  UPSTREAM_NOT_ALLOWED: caller(403),
  // The route is not for this caller, or not for this request.
  ROUTE_FORBIDDEN: caller(403),
  READ_ONLY_URL: caller(403),
  CREATE_IN_PROGRESS: caller(409, true),
  CREATE_INDETERMINATE: caller(409),
  UPSTREAM_ABORTED: caller(409),
  IDEMPOTENCY_KEY_REUSED: caller(422),
  TOO_MANY_STREAMS: tooMany(5),
  UPSTREAM_ERROR: target(502, true),
  STORAGE_ERROR: { ...server(502, true), retryAfter: 2 },
  UPSTREAM_TIMEOUT: target(504, true),
  UPSTREAM_BODY_TIMEOUT: target(504, true),

  // Jobs, tenants and webhooks.
  JOB_NOT_FOUND: caller(404),
  AUDIT_NOT_FOUND: caller(404),
  AUDIT_NOT_FINISHED: caller(409, true),
  JOB_CONFLICT: caller(409),
  STILL_RUNNING: caller(409, true),
  SECRETS_ERASED: caller(409),
  JOB_TOO_LARGE: caller(413),
  // The outcome of a job, never of a request.
  JOB_TIME_EXCEEDED: caller(422),
  QUOTA_EXCEEDED: tooMany(10),
  IDEMPOTENCY_KEY_IN_FLIGHT: caller(409, true),
  WEBHOOK_NOT_FOUND: caller(404),
  TENANT_NOT_FOUND: caller(404),
  TENANT_EXISTS: caller(409),
  // Another worker took over the job, so all further writes of the old one are refused.
  LEASE_LOST: server(500, true),
  // The run's host disappeared, and the run could not be resumed.
  interrupted: server(500, true),

  // Probes and comparisons.
  ENVELOPE_INVALID: caller(400),
  ENVELOPE_TOO_LARGE: caller(413),
  too_many_running: tooMany(10),
  // Outcomes of an explanation by a model.
  model_error: target(502, true),
  invalid_explanation: target(502, true),
  HAR_INVALID: caller(400),

  // Starting and configuring.
  CONFIG_UNKNOWN_KEY: caller(400),
  CONFIG_INVALID_VALUE: caller(400),
  CONFIG_UNREADABLE: caller(400),
  FILE_UNREADABLE: caller(400),
  FILE_UNWRITABLE: caller(400),
  SECRETS_UNUSABLE: caller(400),
  USAGE: caller(400),
  LISTEN_FAILED: server(500, true),
} as const satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Details of an error that are safe to show, such as the rule that refused a URL or the invalid key. */
export type ErrorDetails = Readonly<
  Record<string, string | number | boolean | readonly string[] | readonly DetailRow[]>
>;

/** One of several things that an error is about, such as a dependency that failed. */
export type DetailRow = Readonly<Record<string, string | readonly string[]>>;

export class SondeError extends Error {
  /** A minifier renames the class. */
  static override readonly name = 'SondeError';
  override readonly name = 'SondeError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }

  get facts(): CodeFacts {
    return ERROR_CODES[this.code];
  }
}

/** Turns any thrown value into a coded error: a foreign one becomes `fallback`, with itself as the cause. */
export function asSondeError(thrown: unknown, fallback: ErrorCode = 'INTERNAL'): SondeError {
  if (thrown instanceof SondeError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new SondeError(fallback, text, { cause: thrown });
}
