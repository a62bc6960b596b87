/** Reads a stream live from an offset to its end, and resumes after a broken connection. */
import { ApiError, errorOf, OfflineError, send } from '../api/client';
import { pause } from './feed';
import { StreamModel } from './stream-model';

export type ReadState = 'loading' | 'live' | 'reconnecting' | 'ended' | 'full' | 'failed';

export interface StreamFacts {
  readonly outcome: string | null;
  readonly fault: string | null;
  readonly upstreamStatus: string | null;
  readonly upstreamHeaders: readonly (readonly [string, string])[];
}

export interface ReadSnapshot {
  readonly state: ReadState;
  readonly model: StreamModel;
  /** Where the next read starts. */
  readonly offset: string;
  readonly facts: StreamFacts;
  readonly error?: unknown;
  /** Increases with each change, because the model stays the same object. */
  readonly version: number;
}

/** The pause between live reads: tokens arrive faster than a page can draw them. */
const GATHER_MS = 60;
const RETRY_MS = [300, 600, 1_200, 2_500, 5_000];
const NO_FACTS: StreamFacts = { outcome: null, fault: null, upstreamStatus: null, upstreamHeaders: [] };

export class StreamReader {
  readonly #url: string;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<() => void>();
  #cursor: string | null = null;
  snapshot: ReadSnapshot;

  constructor(url: string, offset: string) {
    this.#url = url;
    this.snapshot = { state: 'loading', model: new StreamModel(''), offset, facts: NO_FACTS, version: 0 };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#stop.abort();
  }

  #set(part: Partial<ReadSnapshot>): void {
    this.snapshot = { ...this.snapshot, ...part, version: this.snapshot.version + 1 };
    for (const listener of this.#listeners) listener();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; ) {
      try {
        await this.#readOnce();
        failures = 0;
        if (this.snapshot.state === 'ended' || this.snapshot.state === 'full') return;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (!isLostConnection(error)) return this.#set({ state: 'failed', error });
        this.#set({ state: 'reconnecting' });
        await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 5_000, this.#stop.signal);
        failures += 1;
      }
    }
  }

  async #readOnce(): Promise<void> {
    const live = this.snapshot.state === 'live';
    const query = new URLSearchParams({ offset: this.snapshot.offset });
    if (live) query.set('live', 'long-poll');
    if (live && this.#cursor !== null) query.set('cursor', this.#cursor);
    const response = await send(`${this.#url}?${query}`, { signal: this.#stop.signal });
    if (!response.ok) throw await errorOf(response);
    // Reads the whole body before adding any of it: a response that breaks midway is read again from its start.
    const bytes = await wholeBody(response);
    const { headers } = response;
    this.#cursor = headers.get('stream-cursor') ?? this.#cursor;
    this.#take(bytes, headers);
    if (live && this.snapshot.state === 'live') await pause(GATHER_MS, this.#stop.signal);
  }

  #take(bytes: Uint8Array, headers: Headers): void {
    const type = headers.get('upstream-content-type') ?? headers.get('content-type') ?? '';
    const { model: known, offset } = this.snapshot;
    const model = known.contentType === '' && known.bytes === 0 ? new StreamModel(type) : known;
    model.push(bytes);
    const state = stateAfter(headers, model);
    if (state === 'ended') model.finish();
    this.#set({
      state,
      model,
      offset: headers.get('stream-next-offset') ?? offset,
      facts: factsIn(headers),
    });
  }
}

/** A closed stream whose end was not read yet is still loading. */
function stateAfter(headers: Headers, model: StreamModel): ReadState {
  const closed = headers.get('stream-closed') === 'true';
  if (closed) return 'ended';
  if (model.isFull) return 'full';
  return headers.get('stream-up-to-date') === 'true' ? 'live' : 'loading';
}

async function wholeBody(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (thrown) {
    throw new OfflineError(thrown);
  }
}

/** Anything else would fail again: a refusal, or a fault of this page. */
function isLostConnection(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof OfflineError;
}

function factsIn(headers: Headers): StreamFacts {
  return {
    outcome: headers.get('upstream-outcome'),
    fault: headers.get('upstream-error'),
    upstreamStatus: headers.get('upstream-status'),
    upstreamHeaders: decodeHeaders(headers.get('upstream-headers')),
  };
}

/** Decodes base64url of JSON pairs. */
function decodeHeaders(text: string | null): readonly (readonly [string, string])[] {
  if (text === null) return [];
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as [string, string][];
  } catch {
    return [];
  }
}
