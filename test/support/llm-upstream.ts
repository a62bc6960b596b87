/**
 * Model servers on loopback for three SDKs: they stream a fixed text, record every call and body byte, and notice when
 * their caller hangs up.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listenHttp } from './listen.js';

export const WORDS = Array.from({ length: 40 }, (_, index) => `word-${index}-äöü🙂 `);

export interface LlmCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Whether the caller hung up before the response was complete. */
  hungUp: boolean;
}

export interface LlmUpstream extends Listening {
  readonly calls: LlmCall[];
  /** Resolves when a call has arrived, or was hung up on, since the last reset. */
  called(): Promise<void>;
  aborted(): Promise<void>;
  /** Clears the calls and releases everything held. */
  reset(): void;
  /** Returns the digest of the last response's body. */
  digest(): string;
  /** Milliseconds between events. */
  spacingMs: number;
  /** Stops before this event until `release` is called. */
  holdAt: number;
  /** Resets the connection before this event. */
  resetAt: number;
  /** Handles a call itself and returns true, or leaves it to the usual response. */
  intercept: (response: ServerResponse) => boolean;
  release(): void;
}

const sse = (event: string | undefined, data: unknown) =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const chunk = (delta: object, finish: string | null = null) =>
  sse(undefined, {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const OPENAI = [
  chunk({ role: 'assistant', content: '' }),
  ...WORDS.map((content) => chunk({ content })),
  chunk({}, 'stop'),
  sse(undefined, '[DONE]'),
];

const ANTHROPIC = [
  sse('message_start', {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  }),
  sse('content_block_start', {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'text', text: '' },
  }),
  ...WORDS.map((text) =>
    sse('content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }),
  ),
  sse('content_block_stop', { type: 'content_block_stop', index: 0 }),
  sse('message_delta', {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 40 },
  }),
  sse('message_stop', { type: 'message_stop' }),
];

/** The AI SDK's own stream to a page. */
const UI = [
  sse(undefined, { type: 'start', messageId: 'answer-1' }),
  sse(undefined, { type: 'text-start', id: 't' }),
  ...WORDS.map((delta) => sse(undefined, { type: 'text-delta', id: 't', delta })),
  sse(undefined, { type: 'text-end', id: 't' }),
  sse(undefined, { type: 'finish' }),
  sse(undefined, '[DONE]'),
];

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  '/v1/chat/completions': OPENAI,
  '/v1/messages': ANTHROPIC,
  '/api/chat': UI,
};

/** An event that happens once and can be awaited. */
function once(): { readonly happened: Promise<void>; happen(): void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}

export async function startLlm(): Promise<LlmUpstream> {
  let called = once();
  let aborted = once();
  let released = once();
  let digest = '';
  const listening = await listenHttp(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { url: path = '', headers } = request;
    const call = { path, headers, body: Buffer.concat(pieces).toString(), hungUp: false };
    upstream.calls.push(call);
    called.happen();
    response.on('close', () => {
      if (response.writableFinished) return;
      call.hungUp = true;
      aborted.happen();
    });
    if (upstream.intercept(response)) return;
    if (path === '/v1/limited/chat/completions') return refuse(response);
    const events = ANSWERS[path];
    if (!events) return void response.writeHead(404).end();
    digest = createHash('sha256').update(events.join('')).digest('hex');
    await stream(response, events);
  });
  const upstream: LlmUpstream = {
    ...listening,
    calls: [],
    called: () => called.happened,
    aborted: () => aborted.happened,
    digest: () => digest,
    spacingMs: 0,
    holdAt: Number.POSITIVE_INFINITY,
    resetAt: Number.POSITIVE_INFINITY,
    intercept: () => false,
    release: () => released.happen(),
    reset() {
      released.happen();
      upstream.calls.length = 0;
      upstream.holdAt = Number.POSITIVE_INFINITY;
      upstream.resetAt = Number.POSITIVE_INFINITY;
      upstream.intercept = () => false;
      upstream.spacingMs = 0;
      [called, aborted, released] = [once(), once(), once()];
    },
  };
  async function stream(response: ServerResponse, events: readonly string[]): Promise<void> {
    for (const [index, event] of events.entries()) {
      if (index === upstream.holdAt) {
        await released.happened;
        released = once();
      }
      if (response.destroyed) return;
      if (index === upstream.resetAt) return void response.socket?.resetAndDestroy();
      if (index === 0)
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req-77' });
      response.write(event);
      if (upstream.spacingMs > 0) await new Promise((resolve) => setTimeout(resolve, upstream.spacingMs));
    }
    response.end();
  }
  return upstream;
}

function refuse(response: ServerResponse): void {
  response.writeHead(429, {
    'content-type': 'application/json',
    'retry-after': '7',
    'x-request-id': 'r-9',
  });
  response.end('{"error":{"message":"slow down","type":"rate_limit"}}');
}
