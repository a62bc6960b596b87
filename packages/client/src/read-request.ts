/** Reads the caller's request into a form that can be sent more than once. */

export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  readonly signal: AbortSignal | undefined;
  /** Decides whether two requests with the same name are equal; not a security measure. */
  readonly fingerprint: string;
}

export async function readRequest(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<PreparedRequest> {
  const given = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const request = new Request(input, { ...init, signal: null });
  given?.throwIfAborted();
  const [url = ''] = request.url.split('#');
  const body = request.body === null ? undefined : await request.arrayBuffer();
  const { method, headers } = request;
  const bytes = new Uint8Array(body ?? []);
  return {
    url,
    method,
    headers,
    body,
    signal: given ?? undefined,
    fingerprint: `${method} ${digest(url, bytes)} ${bytes.length}`,
  };
}

/** FNV-1a. */
function digest(url: string, bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  const add = (value: number) => {
    sum = Math.imul(sum ^ value, 0x01000193);
  };
  for (const char of url) add(char.charCodeAt(0));
  bytes.forEach(add);
  return sum;
}
