/** Sends a request through a route. The response is read from the store afterwards, never here. */
import { ApiError, errorOf, send } from '../../api/client';
import { newKey, rememberSent } from './sent-keys';

export interface Outgoing {
  readonly route: string;
  readonly path: string;
  readonly method: string;
  readonly body: string;
}

/** Resolves with the id of the recorded response. */
export async function sendOut({ route, path, method, body }: Outgoing): Promise<string> {
  const key = newKey();
  const response = await send(`/r/${encodeURIComponent(route.trim())}/${path.trim().replace(/^\/+/, '')}`, {
    method,
    headers: { 'Idempotency-Key': key, 'Content-Type': 'application/json' },
    ...(method !== 'GET' && { body }),
  });
  const location = response.headers.get('stream-location');
  if (location === null) {
    throw response.ok
      ? new ApiError(502, { message: 'The response was not recorded.' })
      : await errorOf(response);
  }
  // The store records it from here on, so this copy is not needed.
  await response.body?.cancel();
  const id = new URL(location, window.location.origin).pathname.split('/').pop() ?? '';
  rememberSent(id, key);
  return id;
}
