/** The meaning of every error code and what to do about it, for `sonde explain` and the generated reference. */
import type { ErrorCode } from './errors.js';

export interface ErrorMeaning {
  readonly meaning: string;
  readonly fix: string;
}

const is = (meaning: string, fix: string): ErrorMeaning => ({ meaning, fix });

export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  invalid_url: is(
    'The text is not a URL that can be requested.',
    'Write it as https://host/path, without credentials.',
  ),
  ssrf_blocked: is(
    'The egress policy blocks the host, port or address.',
    'If the target is yours and private, open its origin with --allow-private. Other ranges are never opened.',
  ),
  dns_error: is(
    'The host name could not be resolved.',
    'Check the name, and the DNS servers (net.dnsServers).',
  ),
  connect_error: is(
    'No connection could be opened.',
    'Check that the target runs and that its port is reachable.',
  ),
  tls_error: is(
    'The TLS handshake or the certificate failed.',
    'Check the certificate; trust a private CA with --ca.',
  ),
  http2_only: is('The server accepts HTTP/2 only.', 'Enable HTTP/1.1 on the target.'),
  timeout: is(
    'The request took longer than its deadline.',
    'Retry, or raise the limit that the message names.',
  ),
  redirect_loop: is(
    'A redirect leads back to a URL already visited.',
    'Correct the redirects of the target.',
  ),
  redirect_missing_location: is('A redirect has no Location header.', 'Add the header on the target.'),
  redirect_invalid_location: is(
    'A redirect leads to something that is not a URL.',
    'Correct the Location header.',
  ),
  redirect_limit: is('There are more redirects than allowed.', 'Request the final URL, or raise the limit.'),
  redirect_downgrade: is(
    'A redirect leads from https to http.',
    'Redirect to https, or request the http URL itself.',
  ),
  redirect_body: is(
    'A redirect requires sending a streamed body again.',
    'Send the request to the final URL.',
  ),
  response_too_large: is('The body is larger than allowed.', 'Raise the limit that the message names.'),
  header_too_large: is('The response head is larger than allowed.', 'Shorten the headers of the target.'),
  decode_error: is('The body cannot be decoded.', 'Check Content-Encoding and the format of the body.'),
  fetch_error: is(
    'The request failed for another reason, named in the message.',
    'Retry; then check the target.',
  ),
  canceled: is('The caller canceled the request.', 'Nothing to do, if that was intended.'),

  INVALID_REQUEST: is('The request is malformed.', 'Correct the field that the message names.'),
  MISSING_SECRET: is(
    'The call needs a token and has none.',
    'Send Authorization: Bearer, from "sonde token".',
  ),
  INVALID_SECRET: is(
    'The token is expired, revoked or not signed by this server.',
    'Make a new one with "sonde token", from the data folder that the server uses.',
  ),
  INVALID_LOGIN_CODE: is(
    'The login link was used before or is too old.',
    'Get a new one with "sonde login".',
  ),
  FORBIDDEN: is('The token lacks the scope that the message names.', 'Make a token with that scope.'),
  ORIGIN_REFUSED: is('The page may not call this server.', 'Add its origin to server.corsOrigin.'),
  NOT_FOUND: is(
    'There is no such resource, or it belongs to another tenant.',
    'Check the path and the token.',
  ),
  METHOD_NOT_ALLOWED: is('The resource does not support this method.', 'Use one from the Allow header.'),
  REQUEST_TIMEOUT: is('The request body did not arrive in time.', 'Send it again.'),
  BODY_TOO_LARGE: is(
    'The request body is larger than allowed.',
    'Send less, or raise the limit that is named.',
  ),
  UNSUPPORTED_MEDIA_TYPE: is(
    'The Content-Type is not accepted here.',
    'Send the one that the message names.',
  ),
  UPGRADE_NOT_SUPPORTED: is('The connection cannot be upgraded.', 'Send a plain HTTP request.'),
  TRANSFER_CODING_UNSUPPORTED: is(
    'The request has a transfer coding other than chunked.',
    'Send the body chunked or with a Content-Length; compress it with a Content-Encoding instead.',
  ),
  RATE_LIMITED: is('There were too many requests.', 'Wait as long as Retry-After says.'),
  HEADERS_TOO_LARGE: is('The request headers are larger than allowed.', 'Send fewer or shorter headers.'),
  INTERNAL: is('The server hit an unexpected error.', 'Look for the request id in the log of the server.'),
  NOT_READY: is(
    'The server is starting, or its storage is not available.',
    'Wait as long as Retry-After says.',
  ),
  SERVER_BUSY: is(
    'The server is at its limit of connections or open reads.',
    'Wait as long as Retry-After says, or raise server.connectionsMax.',
  ),
  SERVER_STOPPING: is(
    'The server is shutting down.',
    'Retry: another instance responds, or this one after its restart.',
  ),

  OFFSET_INVALID: is('The offset is not one that this stream returned.', 'Use Stream-Next-Offset, or -1.'),
  STREAM_NOT_FOUND: is('There is no such stream.', 'Create it first, or check its name.'),
  STREAM_CLOSED: is('The stream is closed and takes no more data.', 'Create another stream.'),
  STREAM_CONFLICT: is(
    'A stream of this name exists with different properties.',
    'Use another name, or the same properties.',
  ),
  CONTENT_TYPE_MISMATCH: is('The stream has another content type.', 'Send the content type of the stream.'),
  SEQUENCE_CONFLICT: is('Stream-Seq is not greater than the last one.', 'Send a greater one.'),
  PRODUCER_FENCED: is('A newer producer took over.', 'Stop this producer, or begin a new epoch.'),
  PRODUCER_GAP: is('A sequence number of the producer is missing.', 'Send the missing append first.'),
  STREAM_GONE: is('The stream was deleted or has expired.', 'Create a new one.'),
  CLOCK_UNTRUSTED: is(
    "An expired stream is kept under this name, because the server's clock was set recently.",
    'Use another name, or wait as long as Retry-After says.',
  ),
  STREAM_TOO_LARGE: is('The stream reached its size limit.', 'Close it and continue in a new one.'),
  TOO_MANY_READERS: is('There are too many live readers.', 'Wait as long as Retry-After says.'),
  WEBHOOK_URL_REJECTED: is('The webhook URL is blocked.', 'Use a public https URL, or open its origin.'),
  TOKEN_INVALID: is('The token of the subscription is wrong or expired.', 'Claim the subscription again.'),
  SUBSCRIPTION_NOT_FOUND: is('There is no such subscription.', 'Create it first.'),
  SUBSCRIPTION_ALREADY_EXISTS: is(
    'The subscription exists with different properties.',
    'Delete it, or use another id.',
  ),
  FENCED: is('Another worker holds the subscription now.', 'Stop working on it.'),
  ALREADY_CLAIMED: is('Another worker holds the subscription.', 'Retry later.'),
  NO_PENDING_WORK: is('There is nothing to claim.', 'Retry later.'),
  INVALID_OFFSET: is(
    'The acknowledged offset was never in the stream.',
    'Acknowledge an offset that was read.',
  ),
  SUBSCRIPTION_TOO_LARGE: is('The subscription covers too many streams.', 'Split it.'),
  TOO_MANY_SUBSCRIPTIONS: is('The tenant has too many subscriptions.', 'Delete some first.'),
  STREAM_CORRUPT: is(
    'Stored bytes do not match their checksum.',
    'Run "sonde stream verify"; restore a backup.',
  ),
  STORAGE_UNAVAILABLE: is(
    'The storage does not respond.',
    'Wait as long as Retry-After says; check disk and database.',
  ),
  STORAGE_FULL: is('The disk is full.', 'Free space; nothing acknowledged was lost.'),
  DATA_VERSION_UNKNOWN: is(
    'The data was written by another version.',
    'Run the version that wrote it, or upgrade.',
  ),
  STORAGE_CONFLICT: is('Two writers stored the same key.', 'Retry.'),

  MISSING_UPSTREAM_URL: is('Upstream-URL is missing.', 'Send the header with the URL to call.'),
  MISSING_UPSTREAM_METHOD: is('Upstream-Method is missing.', 'Send the header with the method to use.'),
  INVALID_UPSTREAM_METHOD: is('Upstream-Method is not allowed.', 'Use GET, POST, PUT, PATCH or DELETE.'),
  INVALID_ACTION: is('The action is unknown.', 'Use action=abort.'),
  INVALID_IDEMPOTENCY_KEY: is('The Idempotency-Key is malformed.', 'Use 1 to 255 visible ASCII characters.'),
  INVALID_ORPHAN_POLICY: is('The Orphan-Policy is malformed.', 'Use keep, or cancel-after=30s.'),
  ROUTE_FORBIDDEN: is(
    'The route is not for this tenant, credential or request.',
    'Mint a token with the command in the message, or change the setting that it names.',
  ),
  READ_ONLY_URL: is(
    'The signed URL is for reading only.',
    'Use the URL that the request itself returned, or a token.',
  ),
  HEADER_NOT_SUPPORTED: is(
    'The proxy cannot do what this request header asks for.',
    'Remove the header, or use what the message names instead.',
  ),
  REDIRECT_NOT_ALLOWED: is('The upstream redirects, and redirects are not followed.', 'Call the final URL.'),
  SIGNATURE_EXPIRED: is('The signed URL is too old.', 'Create the request again, or read it with a token.'),
  SIGNATURE_INVALID: is('The signature does not belong to this URL.', 'Use the Location as it was returned.'),
  MISSING_SIGNATURE: is('The URL has no signature.', 'Use the Location as it was returned.'),
  UPSTREAM_NOT_ALLOWED: is('The upstream is not in the allowlist.', 'Add it to proxy.allow or proxy.routes.'),
  CREATE_IN_PROGRESS: is('An attempt with this Idempotency-Key is in progress.', 'Retry shortly.'),
  CREATE_INDETERMINATE: is(
    'The server stopped while sending; whether the upstream was called is unknown.',
    'Check with the upstream, then send it again under a new key.',
  ),
  UPSTREAM_ABORTED: is('A caller aborted the response.', 'Read what arrived; send it again if needed.'),
  IDEMPOTENCY_KEY_REUSED: is('The key was used for another request.', 'Give every request its own key.'),
  TOO_MANY_STREAMS: is('The tenant has too many open responses.', 'Wait as long as Retry-After says.'),
  UPSTREAM_ERROR: is(
    'The upstream could not be reached, or its response ended early.',
    'Retry; then check the upstream.',
  ),
  STORAGE_ERROR: is('The response could not be stored.', 'Retry; check disk and database.'),
  UPSTREAM_TIMEOUT: is('The upstream sent no response head in time.', 'Raise headersMs of the route.'),
  UPSTREAM_BODY_TIMEOUT: is('The upstream stopped sending its body.', 'Retry; then check the upstream.'),

  JOB_NOT_FOUND: is('There is no such job.', 'List them with "sonde jobs list".'),
  AUDIT_NOT_FOUND: is('There is no such audit.', 'Check its id.'),
  AUDIT_NOT_FINISHED: is('The audit is still running.', 'Follow its events, or retry later.'),
  JOB_CONFLICT: is('The job is in a state that does not allow this.', 'Look at it with "sonde jobs show".'),
  STILL_RUNNING: is(
    'It is still queued or running; only finished work can be deleted.',
    'Cancel it first, or wait until it has ended.',
  ),
  SECRETS_ERASED: is(
    'The run used headers or URLs with credentials, which were erased when it ended.',
    'Start a new run and send them again.',
  ),
  JOB_TOO_LARGE: is('The input of the job is larger than allowed.', 'Send less.'),
  JOB_TIME_EXCEEDED: is(
    'The job ran for longer than jobs.durationMs allows.',
    'Give it less work, or raise jobs.durationMs.',
  ),
  QUOTA_EXCEEDED: is(
    'The tenant reached its quota.',
    'Wait as long as Retry-After says, or raise the quota.',
  ),
  IDEMPOTENCY_KEY_IN_FLIGHT: is('A request with this key is being processed.', 'Retry shortly.'),
  WEBHOOK_NOT_FOUND: is('There is no such webhook.', 'Check its id.'),
  TENANT_NOT_FOUND: is('There is no such tenant.', 'Create it with "sonde tenant create".'),
  TENANT_EXISTS: is('The tenant already exists.', 'Use it, or choose another name.'),
  LEASE_LOST: is('Another worker took over the job.', 'Nothing to do: the other worker finishes it.'),
  interrupted: is('The run lost its host and could not be resumed.', 'Start it again.'),

  ENVELOPE_INVALID: is('The saved envelope is malformed.', 'Write it again with "sonde probe --json".'),
  ENVELOPE_TOO_LARGE: is('The envelope is larger than allowed.', 'Probe with --profile core.'),
  too_many_running: is('Too many comparisons are running.', 'Wait as long as Retry-After says.'),
  model_error: is('The model that explains comparisons failed.', 'Check explain.baseUrl, model and key.'),
  invalid_explanation: is('The model returned no valid explanation.', 'Retry, or use another model.'),
  HAR_INVALID: is('The HAR file is malformed.', 'Export it again from the browser.'),

  CONFIG_UNKNOWN_KEY: is(
    'A setting has an unknown name.',
    'Use the suggested name; "sonde config schema" lists all.',
  ),
  CONFIG_INVALID_VALUE: is(
    'A setting has a value that is not allowed.',
    'Use a value that the message names.',
  ),
  CONFIG_UNREADABLE: is('The configuration file cannot be read.', 'Check its path and syntax.'),
  FILE_UNREADABLE: is('A file cannot be read.', 'Check its path, permissions and size.'),
  FILE_UNWRITABLE: is('A file cannot be written.', 'Check its folder and permissions.'),
  SECRETS_UNUSABLE: is(
    'The secrets in the data folder cannot be used.',
    'Check the permissions of its files.',
  ),
  USAGE: is('The command line is wrong.', 'See the --help of the command.'),
  LISTEN_FAILED: is(
    'The server cannot listen on this port.',
    'Choose another with --port, or stop what uses it.',
  ),
};
