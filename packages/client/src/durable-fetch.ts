/**
 * A `fetch` whose responses survive lost connections. The Sonde server sends the request and records the response; the
 * client reads it from the server and resumes after an interruption. A call is sent upstream again only if its response
 * was lost on the way and turns out to be a refusal.
 */
import { authHeaders, type Created, createRequest, newKey } from './create-request.js';
import { type BodySource, DurableBody, stopUpstream } from './durable-body.js';
import { DurableFetchError, isFinal, refusalResponse } from './durable-fetch-error.js';
import { type PreparedRequest, readRequest } from './read-request.js';
import { SavedRequest } from './saved-request.js';
import { type ClientSettings, type DurableFetchOptions, readSettings } from './settings.js';
import { isBodiless, responseOf } from './upstream-head.js';

export type DurableFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export function durableFetch(options: DurableFetchOptions): DurableFetch {
  const settings = readSettings(options);
  const { storage, requestId, resumeFrom } = options;
  const durable: DurableFetch = async (input, init) => {
    const request = await readRequest(input, init);
    const id = typeof requestId === 'function' ? requestId(request) : requestId;
    const newRequest = () => ({
      fingerprint: request.fingerprint,
      key: request.headers.get('idempotency-key') ?? newKey(),
    });
    let saved = await SavedRequest.open(storage, id, newRequest());
    if (saved.url !== undefined) {
      const resumed = await resume(settings, { saved, request, fromStart: resumeFrom === 'start' });
      if (resumed) return resumed;
      saved = await SavedRequest.open(storage, id, newRequest());
    }
    await saved.save();
    return send(settings, request, saved);
  };
  return Object.assign(durable, { sendsWith: settings.fetch });
}

/** Resumes an earlier response; undefined if the server no longer has it. */
async function resume(
  settings: ClientSettings,
  given: { saved: SavedRequest; request: PreparedRequest; fromStart: boolean },
): Promise<Response | undefined> {
  const { saved, request, fromStart } = given;
  try {
    return await resumeSaved(settings, saved, {
      at: fromStart ? 0 : saved.at,
      signal: request.signal,
      renew: () => renewUrl(settings, request, saved),
      url: request.url,
    });
  } catch (thrown) {
    if (thrown instanceof DurableFetchError && (thrown.status === 404 || thrown.status === 410))
      return undefined;
    throw thrown;
  }
}

/** Reads the response of a saved request, with the upstream's own head. */
export async function resumeSaved(
  settings: ClientSettings,
  saved: SavedRequest,
  from: Pick<BodySource, 'at' | 'signal' | 'renew'> & { readonly url: string },
): Promise<Response> {
  const url = saved.url ?? '';
  const body = new DurableBody(settings, { ...from, saved, url });
  const head = await body.head();
  return responseOf(addLocation(head, url, from.at), from.url, body.stream());
}

async function renewUrl(
  settings: ClientSettings,
  request: PreparedRequest,
  saved: SavedRequest,
): Promise<string> {
  const again = await createRequest(settings, request, { key: saved.key, signal: request.signal });
  if (again.kind === 'refused')
    throw new DurableFetchError('STREAM_NOT_FOUND', 'the stream no longer exists');
  await saved.save({ url: again.url });
  return again.url;
}

async function send(
  settings: ClientSettings,
  request: PreparedRequest,
  saved: SavedRequest,
): Promise<Response> {
  let created: Created;
  try {
    created = await create(settings, request, saved);
  } catch (thrown) {
    // If the server was unreachable, the next call repeats the request with the same key.
    if (isFinal(thrown)) await saved.drop();
    const { head, body } = refusalResponse(thrown);
    return responseOf(head, request.url, body);
  }
  const { head } = created;
  if (created.kind === 'refused' || isBodiless(head)) {
    await saved.drop();
    return responseOf(head, request.url, created.kind === 'refused' ? created.body : null);
  }
  const { url } = created;
  await saved.save({ url });
  const renew = () => renewUrl(settings, request, saved);
  const body = new DurableBody(settings, { saved, url, at: 0, signal: request.signal, renew });
  return responseOf(addLocation(head, url, 0), request.url, body.stream());
}

/** If the signal is aborted during the create, it fails; with `cancel`, the upstream request is stopped too. */
async function create(
  settings: ClientSettings,
  request: PreparedRequest,
  saved: SavedRequest,
): Promise<Created> {
  const { signal } = request;
  const { key } = saved;
  signal?.throwIfAborted();
  try {
    return await createRequest(settings, request, { key, signal });
  } catch (thrown) {
    if (signal?.aborted && settings.onAbort === 'cancel') {
      void saved.drop();
      void stopUpstream(settings, `${settings.endpoint}?`, await authHeaders(settings, key));
    }
    throw thrown;
  }
}

/** Adds headers with the URL where the response can be read again and the byte at which this body begins. */
function addLocation<T extends { readonly headers: Headers }>(head: T, url: string, at: number): T {
  head.headers.set('stream-location', url);
  head.headers.set('stream-position', String(at));
  return head;
}
