/** What a caller asked for, as it can be sent, and sent again. */

export interface RequestFacts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  readonly signal: AbortSignal | undefined;
  /** Says whether two requests under one name are the same; no secret depends on it. */
  readonly fingerprint: string;
}

export async function readRequest(input: string | URL | Request, init?: RequestInit): Promise<RequestFacts> {
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const request = new Request(input, { ...init, signal: null });
  given?.throwIfAborted();
  const [url = ''] = request.url.split('#');
  const body = request.body === null ? undefined : await request.arrayBuffer();
  const { method, headers } = request;
  const text = new TextEncoder().encode(`${method} ${url} ${headers.get('content-type')}\n`);
  return {
    url,
    method,
    headers,
    body,
    signal: given ?? undefined,
    fingerprint: fingerprint([text, new Uint8Array(body ?? [])]),
  };
}

/** Two running sums of 32 bits (FNV-1a, and one with another prime). */
function fingerprint(parts: readonly Uint8Array[]): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const part of parts) {
    for (const byte of part) {
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x5bd1e995) ^ (b >>> 15);
    }
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
