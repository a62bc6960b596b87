/**
 * The record of every call to an upstream. With a key, its row is written before the request is sent, in the commit that
 * claims the key. Without one, nothing depends on the row before the end of the call, and a commit in front of every
 * call would cost each of them a sync of the disk: the row is written with the response, or earlier if that takes
 * longer than a moment (docs/decisions/proxy-and-client.md, 0134).
 *
 * A call whose response is not recorded as it arrives leaves an ended stream, so that lists show it like any other
 * response.
 */
import { asSondeError } from '../errors.js';
import { type HeaderList, headerValues } from '../net/index.js';
import { newLife, type StreamState } from '../streams/index.js';
import { bodyHeaders, contentTypeOf, encodeHeaders, safeHeaders } from './header-rules.js';
import type { FailedCall } from './open-upstream.js';
import type { ProxyDeps } from './proxy-deps.js';
import {
  endedMetadata,
  type ProxyMetadata,
  proxiedOf,
  readMetadata,
  streamIdOfProxy,
} from './proxy-metadata.js';
import type { Attempt, AttemptKey, AttemptProgress, NewAttempt } from './proxy-store.js';
import { type Ending, failed } from './upstream-outcome.js';
import type { UpstreamRequest } from './upstream-request.js';

/** One attempt while it runs. */
export interface RunningAttempt {
  readonly row: NewAttempt;
  /** The stream of the attempt before it, which its own replaces. */
  readonly replaces?: StreamState | undefined;
  /** Stores what has become known. */
  progressed(progress: AttemptProgress): Promise<void>;
}

/** The attempt of a key, whose row is stored with the key. */
export function keyedAttempt({ store }: ProxyDeps, row: NewAttempt, replaces?: StreamState): RunningAttempt {
  return { row, replaces, progressed: (progress) => store.attemptProgressed(progress) };
}

/** A call that takes longer is stored before it has a response, so that it is known if the process is lost. */
const UNKEYED_ROW_MS = 10;

export class UnkeyedAttempt implements RunningAttempt {
  readonly row: NewAttempt;
  readonly #store: ProxyDeps['store'];
  readonly #cancel: () => void = () => {};
  #isStored: boolean;

  constructor({ store, timers, notesUnkeyed }: ProxyDeps, row: NewAttempt) {
    this.row = row;
    this.#store = store;
    this.#isStored = !notesUnkeyed;
    if (notesUnkeyed) this.#cancel = timers.after(UNKEYED_ROW_MS, this.#start);
  }

  readonly #start = (): void => {
    this.#isStored = true;
    this.#store.attemptStarted(this.row).catch(() => {
      // A store that fails is reported when the response cannot be stored.
    });
  };

  progressed(progress: AttemptProgress): Promise<void> {
    this.#cancel();
    if (this.#isStored) return this.#store.attemptProgressed(progress);
    this.#isStored = true;
    return this.#store.attemptStarted(this.row, progress);
  }

  /** Nothing was sent. */
  drop(): void {
    this.#cancel();
    if (!this.#isStored) return;
    this.#store.dropAttempts(this.row.response).catch(() => {
      // The next start lists it as lost.
    });
  }
}

export function newAttempt(
  { settings, timers, lifetime, redactor, newId }: ProxyDeps,
  request: UpstreamRequest,
  next?: AttemptKey,
): NewAttempt {
  const startedAt = timers.now();
  return {
    response: next?.response ?? newId(startedAt),
    n: next?.n ?? 1,
    tenant: request.tenant,
    method: request.method,
    target: redactor.text(withoutQueryValues(request.url)),
    route: request.route ?? null,
    startedAt,
    expiresAt: lifetime.now() + settings.keepMs,
  };
}

/** Any query value may be secret, so none is kept. */
function withoutQueryValues(url: URL): string {
  const names = [...new URLSearchParams(url.search).keys()].map((name) => `${encodeURIComponent(name)}=…`);
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

/** The identity of the stream that records an attempt. */
export function streamOf({ response, tenant }: NewAttempt, { timers, lifetime, settings }: ProxyDeps) {
  return {
    id: streamIdOfProxy(response),
    life: newLife(timers.now()),
    contentType: 'application/octet-stream',
    expiresAt: lifetime.now() + settings.keepMs,
    collection: proxiedOf(tenant),
  };
}

interface Head {
  readonly status: number;
  readonly headers: HeaderList;
}

export function metadataOf(
  { tenant, target, method, route, n }: NewAttempt,
  head: Head | undefined,
  keepsCoding = false,
): ProxyMetadata {
  const headers = head?.headers ?? [];
  const isAsReceived = keepsCoding || headerValues(headers, 'content-encoding').length === 0;
  return {
    tenant,
    upstream_url: target,
    upstream_method: method,
    ...(route !== null && { route }),
    ...(n > 1 && { attempt: n }),
    upstream_status: head?.status ?? null,
    upstream_content_type: contentTypeOf(headers),
    upstream_headers: encodeHeaders([...(isAsReceived ? bodyHeaders(headers) : []), ...safeHeaders(headers)]),
  };
}

/** What a call without a recorded response changes in its row. */
export function progressOf(
  { row }: Pick<RunningAttempt, 'row'>,
  call: FailedCall,
  now: number,
): AttemptProgress {
  const { head, body, ending } = call;
  return {
    response: row.response,
    n: row.n,
    ...(head && { headAt: now, status: head.status }),
    ...(body && { bytes: body.length }),
    ...ending,
  };
}

/** Lists a call without a recorded response. The caller already has its answer, so a failure is only logged. */
export async function listFailed(
  deps: ProxyDeps,
  { row, replaces }: Pick<RunningAttempt, 'row' | 'replaces'>,
  { head, body, ending }: FailedCall,
): Promise<void> {
  try {
    await createEnded(deps, row, { metadata: metadataOf(row, head), body, ending, replaces });
    if (!head) await trimHeadless(deps, row.tenant);
  } catch (thrown) {
    const { code } = asSondeError(thrown);
    deps.log.warn('a call without a response is missing from the lists', { response: row.response, code });
  }
}

function createEnded(
  deps: ProxyDeps,
  row: NewAttempt,
  stream: {
    readonly metadata: ProxyMetadata;
    readonly body: Uint8Array | undefined;
    readonly ending: Ending;
    readonly replaces: StreamState | undefined;
  },
): Promise<StreamState> {
  const data = stream.body && stream.body.length > 0 ? stream.body : null;
  const metadata = endedMetadata(stream.metadata, stream.ending);
  return deps.streams.createOwn({ ...streamOf(row, deps), data, metadata, closed: true }, stream.replaces);
}

const TRIM_EVERY = 100;

/** Removes the oldest in batches. Until the next one, and after a restart, there can be a batch more. */
async function trimHeadless(
  { store, streams, headless, settings }: ProxyDeps,
  tenant: string,
): Promise<void> {
  headless.add(tenant, 1);
  if (headless.get(tenant) < TRIM_EVERY) return;
  headless.add(tenant, -TRIM_EVERY);
  for (const response of await store.headlessBeyond(tenant, settings.headlessMax, 2 * TRIM_EVERY)) {
    await streams.removeOwn(streamIdOfProxy(response)).catch(() => undefined);
    await store.dropAttempts(response);
  }
}

/** Ends the attempts that an earlier process left open. Returns how many of them had no stream, and so were listed. */
export async function recoverAttempts(deps: ProxyDeps): Promise<number> {
  let count = 0;
  for (let after: AttemptKey = { response: '', n: 0 }; ; ) {
    const open = await deps.store.openAttempts(after, RECOVERED_PER_STEP);
    const listed = await Promise.all(open.map((attempt) => endLost(deps, attempt)));
    count += listed.filter(Boolean).length;
    const last = open.at(-1);
    if (!last) return count;
    after = last;
  }
}

const RECOVERED_PER_STEP = 256;
const LOST = failed('PUMP_LOST');

async function endLost(deps: ProxyDeps, attempt: Attempt): Promise<boolean> {
  const { response, n, status } = attempt;
  const state = await deps.streams.find(streamIdOfProxy(response));
  const known = state && readMetadata(state);
  if (state && known && (known.attempt ?? 1) >= n) {
    const { outcome = LOST.outcome, error } = known;
    const bytes = state.totalBytes;
    await deps.store.attemptProgressed({ response, n, outcome, bytes, ...(error && { error }) });
    return false;
  }
  const head = status === null ? undefined : { status, headers: [] };
  const call: FailedCall = { sent: 'request', ending: LOST, ...(head && { head }) };
  await Promise.all([
    deps.store.attemptProgressed({ response, n, ...LOST }),
    listFailed(deps, { row: attempt, replaces: state }, call),
  ]);
  return true;
}
