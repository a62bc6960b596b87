/**
 * A model server for every SDK of the matrix. Each call names its cell, in its body or path; the first call of a cell
 * meets the cell's fault, and later ones are answered.
 */
import type { ServerResponse } from 'node:http';
import { type Listening, listenHttp } from './listen.js';

export const FAULTS = ['429', '500', '529', 'reset', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

/** What is known of a call once its connection has ended. */
export type Met = 'refused' | 'unknown' | '2xx';

export interface FaultUpstream extends Listening {
  /** Announces a cell, and returns what its calls met so far, in order. */
  open(cell: string, fault: Fault): readonly Met[];
}

export const WHOLE = 'one two three';
const PARTS = ['one ', 'two ', 'three'];

const sse = (data: unknown, event?: string) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const openai = (delta: object, finish: string | null = null) =>
  sse({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

const anthropic = (type: string, facts: object = {}) => sse({ type, ...facts }, type);

const ANTHROPIC_MESSAGE = {
  ...{ id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [] },
  ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
};

const WIRES: readonly (readonly [path: RegExp, events: readonly string[]])[] = [
  [
    /chat\/completions/,
    [...PARTS.map((content) => openai({ role: 'assistant', content })), openai({}, 'stop'), sse('[DONE]')],
  ],
  [
    /messages/,
    [
      anthropic('message_start', { message: ANTHROPIC_MESSAGE }),
      anthropic('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...PARTS.map((text) =>
        anthropic('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      anthropic('content_block_stop', { index: 0 }),
      anthropic('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 3 },
      }),
      anthropic('message_stop'),
    ],
  ],
  [
    /streamGenerateContent/,
    PARTS.map((text, at) =>
      sse({
        candidates: [
          {
            content: { role: 'model', parts: [{ text }] },
            index: 0,
            ...(at === PARTS.length - 1 && { finishReason: 'STOP' }),
          },
        ],
      }),
    ),
  ],
  [
    /api\/chat/,
    [
      sse({ type: 'start', messageId: 'a' }),
      sse({ type: 'text-start', id: 't' }),
      ...PARTS.map((delta) => sse({ type: 'text-delta', id: 't', delta })),
      sse({ type: 'text-end', id: 't' }),
      sse({ type: 'finish' }),
      sse('[DONE]'),
    ],
  ],
];

export async function startFaultUpstream(): Promise<FaultUpstream> {
  const cells = new Map<string, { readonly fault: Fault; readonly met: Met[] }>();
  const listening = await listenHttp(async (request, response) => {
    let body = request.url ?? '';
    for await (const piece of request) body += piece;
    const cell = cells.get(/cell-\d+/.exec(body)?.[0] ?? '');
    const events = WIRES.find(([path]) => path.test(request.url ?? ''))?.[1];
    if (!cell || !events) return void response.writeHead(404).end();
    const isFirst = cell.met.length === 0;
    cell.met.push(isFirst ? metBy(cell.fault) : '2xx');
    if (isFirst) fail(response, cell.fault, events);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  });
  return {
    ...listening,
    open(name, fault) {
      const met: Met[] = [];
      cells.set(name, { fault, met });
      return met;
    },
  };
}

function metBy(fault: Fault): Met {
  if (fault === 'reset') return 'unknown';
  return fault === 'cut' ? '2xx' : 'refused';
}

function fail(response: ServerResponse, fault: Fault, events: readonly string[]): void {
  const reset = () => void response.socket?.resetAndDestroy();
  if (fault === 'reset') return reset();
  if (fault === 'cut') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.slice(0, 2).join(''), () => response.socket?.destroy());
    return;
  }
  const error = { message: 'not now', type: 'overloaded_error', code: Number(fault), status: 'UNAVAILABLE' };
  response.writeHead(Number(fault), { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify({ type: 'error', error }));
}
