/** Describes every response header of an operation once. Headers of all responses are listed separately. */
import * as z from 'zod';

const HEADERS = {
  Allow: 'The methods that the path supports.',
  ETag: 'Identifies this response for `If-None-Match`.',
  'Idempotent-Replayed': '`true` if nothing was created: this is the response to an earlier request.',
  Location: 'Absolute URL of the resource.',
  'Producer-Epoch': 'The current epoch of the producer.',
  'Producer-Expected-Seq': 'The sequence number that the producer must send next.',
  'Producer-Received-Seq': 'The sequence number that was sent.',
  'Producer-Seq': 'The last sequence number that was accepted.',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'Set-Cookie': 'The session cookie.',
  'Sonde-Attempt': 'The number of the attempt, after the first one of an `Idempotency-Key`.',
  'Stream-Closed': '`true` once nothing more can be appended. The proxy also sends `false`.',
  'Stream-Cursor': 'Send it back as `cursor` with the next live read.',
  'Stream-Expires-At': 'When the stream expires, as an RFC 3339 time.',
  'Stream-Location': 'Signed URL under which the recorded response can be read again.',
  'Stream-Next-Offset': 'Where the next read or append continues: `{hash}:{chunk}:{position}`.',
  'Stream-SSE-Data-Encoding': '`base64` if events carry bytes that are not text.',
  'Stream-TTL': 'Seconds without use after which the stream expires.',
  'Stream-Total-Size': 'Bytes in the whole stream.',
  'Stream-Up-To-Date': '`true` if the response ends at the tail. The proxy also sends `false`.',
  'Stream-Write-Units': 'One per 4 KB of each append, rounded up.',
  'Upstream-Content-Type': 'Content type of the upstream response.',
  'Upstream-Error': 'Why recording ended with `timeout` or `failed`: a code such as `UPSTREAM_RESET`.',
  'Upstream-Headers': "base64url of JSON `[[name, value], …]`: the upstream's safe headers, at most 8 KB.",
  'Upstream-Outcome': '`completed`, `aborted`, `timeout` or `failed`. Absent while it is being recorded.',
  'Upstream-Status': 'Status of the upstream response; 502 if there was none.',
  'WWW-Authenticate': 'The authentication scheme to use.',
} as const;

export type HeaderName = keyof typeof HEADERS;
/** With a question mark, the header may be absent. */
export type ListedHeader = HeaderName | `${HeaderName}?`;

const schemas = new Map<string, z.ZodObject>();
const members = new Map<string, z.ZodType>();

/** The `headers` of a response. Equal lists share a schema. */
export function responseHeaders(...names: readonly ListedHeader[]): z.ZodObject {
  const key = names.join();
  const known = schemas.get(key);
  if (known) return known;
  const schema = z.object(Object.fromEntries(names.map((name) => [name.replace('?', ''), memberOf(name)])));
  schemas.set(key, schema);
  return schema;
}

function memberOf(name: ListedHeader): z.ZodType {
  const known = members.get(name);
  if (known) return known;
  const bare = name.replace('?', '') as HeaderName;
  const required = z.string().describe(HEADERS[bare]);
  const schema = bare === name ? required : required.optional();
  members.set(name, schema);
  return schema;
}

/** Headers of any response, listed once for the whole document as `x-common-headers`. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': "Id of the request in the log: the client's own if it is well-formed, otherwise a new one.",
  'Cache-Control': 'Whether the response may be cached.',
  RateLimit:
    'Remaining requests, as in draft-ietf-httpapi-ratelimit-headers-10. Absent where no limit applies.',
  'RateLimit-Policy': 'The limit that applies.',
  Vary: 'Request headers that the response depends on.',
  'Access-Control-Allow-Origin': 'The origins whose pages may read the response.',
  'Access-Control-Expose-Headers': 'The headers that those pages may read.',
  'X-Content-Type-Options': 'Always `nosniff`.',
  'X-Accel-Buffering': '`no` on live responses, so that reverse proxies do not buffer them.',
  'Content-Security-Policy': 'What a browser may do with the response.',
  'Content-Encoding':
    '`identity` on live responses of some hosts, so that nothing buffers and compresses them.',
  'Referrer-Policy': 'Always `no-referrer`.',
  'Cross-Origin-Opener-Policy': 'Always `same-origin`.',
  'Cross-Origin-Resource-Policy': 'Always `same-origin`.',
};
