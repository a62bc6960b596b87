/**
 * A transport for `useChat` of the Vercel AI SDK. The Sonde server calls the chat's endpoint, so a response survives
 * lost connections and reloads without a store or resume endpoint of your own, and `stop()` reaches the endpoint. A
 * resumed response is replayed from its start.
 */
import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { durableFetch, resumeSaved } from './durable-fetch.js';
import { DurableFetchError } from './durable-fetch-error.js';
import { jsonEvents } from './json-events.js';
import { type DurableStorage, SavedRequest } from './saved-request.js';
import { type DurableFetchOptions, platformFetch, readSettings } from './settings.js';

type Resolvable<T> = T | (() => T | Promise<T>);
type SendOptions<M extends UIMessage> = Parameters<ChatTransport<M>['sendMessages']>[0];
type ReconnectOptions = Parameters<ChatTransport<UIMessage>['reconnectToStream']>[0];

export interface DurableChatTransportOptions<M extends UIMessage>
  extends Omit<DurableFetchOptions, 'requestId' | 'resumeFrom'> {
  /** URL at which the Sonde server reaches the chat's endpoint. In a page it may be relative. */
  readonly api?: string | URL | undefined;
  /** Headers for the endpoint. Cookies are not sent to it, so put credentials here. */
  readonly headers?: Resolvable<HeadersInit | undefined>;
  /** Additional fields of the request body. */
  readonly body?: Resolvable<object | undefined>;
  /** Creates the complete request body instead. */
  readonly prepareBody?: ((options: SendOptions<M>) => object | Promise<object>) | undefined;
  /** Where to store which chats have an unfinished response. Default: `localStorage`. */
  readonly storage?: DurableStorage | undefined;
}

export class DurableChatTransport<M extends UIMessage = UIMessage> implements ChatTransport<M> {
  static readonly name = 'DurableChatTransport';
  readonly resumeStreamIsReplay = true;
  readonly #options: DurableChatTransportOptions<M>;

  constructor(options: DurableChatTransportOptions<M>) {
    const { localStorage } = globalThis as { localStorage?: DurableStorage };
    this.#options = {
      // Stopping a chat also stops its endpoint.
      onAbort: 'cancel',
      ...options,
      storage: options.storage ?? localStorage,
      fetch: options.fetch ?? platformFetch(),
    };
  }

  async sendMessages(options: SendOptions<M>): Promise<ReadableStream<UIMessageChunk>> {
    const { api = '/api/chat', storage, prepareBody } = this.#options;
    const { chatId, messages, trigger, messageId, abortSignal } = options;
    const extra = { ...(await resolve(this.#options.body)), ...options.body };
    const body = (await prepareBody?.(options)) ?? { ...extra, id: chatId, messages, trigger, messageId };
    const headers = new Headers(await resolve(this.#options.headers));
    new Headers(options.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    headers.set('content-type', 'application/json');
    // Sending a message again is a new request, even if the last one could still be resumed.
    if (storage) await (await SavedRequest.find(storage, chatId))?.drop();
    const fetch = durableFetch({ ...this.#options, requestId: chatId });
    const response = await fetch(api, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: abortSignal ?? null,
    });
    return eventsOf(response);
  }

  async reconnectToStream({
    chatId,
    abortSignal: signal,
  }: ReconnectOptions): Promise<ReadableStream<UIMessageChunk> | null> {
    const { storage, api = '' } = this.#options;
    const saved = storage && (await SavedRequest.find(storage, chatId));
    if (!saved) return null;
    try {
      const from = { at: 0, signal, url: String(api) };
      return await eventsOf(await resumeSaved(readSettings(this.#options), saved, from));
    } catch (thrown) {
      // The response has expired or was deleted.
      if (thrown instanceof DurableFetchError && [401, 404, 410].includes(thrown.status ?? 0)) return null;
      throw thrown;
    }
  }
}

async function eventsOf(response: Response): Promise<ReadableStream<UIMessageChunk>> {
  if (!response.ok || !response.body)
    throw new Error((await response.text()) || `the chat endpoint responded with ${response.status}`);
  return jsonEvents(response.body);
}

function resolve<T>(value: Resolvable<T>): T | Promise<T> {
  return typeof value === 'function' ? (value as () => T | Promise<T>)() : value;
}
