import type { UIMessage, UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../test/support/memory-storage.js';
import {
  created,
  last,
  piece,
  type Reply,
  refused,
  scriptedServer,
} from '../../../test/support/scripted-server.js';
import { DurableChatTransport, type DurableChatTransportOptions } from './ai-sdk.js';

const EVENTS = 'data: {"type":"start"}\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n';
const API = 'https://app.example.com/api/chat';
const MESSAGES: UIMessage[] = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }];
const MESSAGE = {
  trigger: 'submit-message',
  chatId: 'chat',
  messageId: undefined,
  messages: MESSAGES,
} as const;

function open(options: Partial<DurableChatTransportOptions<UIMessage>>, ...replies: readonly Reply[]) {
  const bodies: unknown[] = [];
  const server = scriptedServer(...replies);
  const { fetch } = server.options;
  const transport = new DurableChatTransport({
    ...server.options,
    api: API,
    storage: memoryStorage(),
    fetch: (url, init) => {
      if (init.body) bodies.push(JSON.parse(new TextDecoder().decode(init.body as ArrayBuffer)));
      return fetch?.(url, init) ?? Promise.reject(new Error('no fetch'));
    },
    ...options,
  });
  const send = (more: Partial<Parameters<typeof transport.sendMessages>[0]> = {}) =>
    transport.sendMessages({ ...MESSAGE, messages: [...MESSAGES], abortSignal: undefined, ...more });
  const reconnect = () => transport.reconnectToStream({ chatId: 'chat' });
  return { ...server, transport, send, reconnect, bodies };
}

async function typesOf(stream: ReadableStream<UIMessageChunk> | null): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of (stream ?? []) as AsyncIterable<UIMessageChunk>) types.push(type);
  return types;
}

test('sends a message with the configured headers and fields; those of the call take precedence', async () => {
  const { send, calls, bodies } = open(
    { headers: () => ({ 'x-a': '1', 'x-b': '1' }), body: async () => ({ own: 1, both: 1 }) },
    created(),
    last(EVENTS),
  );
  const events = await send({ headers: { 'x-b': '2' }, body: { both: 2 }, messageId: 'm1' });
  expect(await typesOf(events)).toEqual(['start', 'finish']);
  expect(calls[0]?.headers).toMatchObject({
    ...{ 'upstream-url': API, 'upstream-method': 'POST', 'content-type': 'application/json' },
    ...{ 'x-a': '1', 'x-b': '2' },
  });
  expect(bodies).toEqual([
    { own: 1, both: 2, id: 'chat', messages: MESSAGES, trigger: 'submit-message', messageId: 'm1' },
  ]);
});

test('the caller can create the complete body', async () => {
  const { send, bodies } = open(
    { prepareBody: ({ chatId }) => ({ only: chatId }), body: { beside: 1 } },
    created(),
    last(EVENTS),
  );
  await typesOf(await send());
  expect(bodies).toEqual([{ only: 'chat' }]);
});

test('a refusal by the endpoint becomes an error with its text or its status', async () => {
  const failed = (text: string): Reply => {
    const headers = { 'upstream-status': '500', 'upstream-headers': 'W10' };
    return () => new Response(text, { status: 502, headers });
  };
  await expect(open({}, failed('no model')).send()).rejects.toThrow('no model');
  await expect(open({}, failed('')).send()).rejects.toThrow('the chat endpoint responded with 500');
});

test('replays an unfinished response from its start, but not a finished one', async () => {
  const storage = memoryStorage();
  const first = open({ storage, retries: 0 }, created(), piece('data: {"type":"start"}\n\n'));
  await expect(typesOf(await first.send())).rejects.toThrow();
  expect(storage.kept.size).toBe(1);
  const again = open({ storage }, last(EVENTS));
  expect(await typesOf(await again.reconnect())).toEqual(['start', 'finish']);
  expect(again.calls[0]?.path).toContain('&skip=0&');
  expect(storage.kept.size).toBe(0);
  expect(await again.reconnect()).toBeNull();
  expect(again.transport.resumeStreamIsReplay).toBe(true);
});

test.each([
  [401, null],
  [404, null],
  [410, null],
  [403, 'FORBIDDEN'],
])('reconnecting when the server responds with %i gives %s', async (status, code) => {
  const storage = memoryStorage();
  const first = open({ storage, retries: 0 }, created(), piece('data: {"type":"start"}\n\n'));
  await typesOf(await first.send()).catch(() => undefined);
  const work = open({ storage }, refused(status, 'FORBIDDEN')).reconnect();
  if (code === null) expect(await work).toBeNull();
  else await expect(work).rejects.toMatchObject({ code });
});

test('sending a message again is a new request even if the last one was saved', async () => {
  const storage = memoryStorage();
  const first = open({ storage, retries: 0 }, created(), piece('data: {"type":"start"}\n\n'));
  await typesOf(await first.send()).catch(() => undefined);
  const again = open({ storage }, created(), last(EVENTS));
  await typesOf(await again.send());
  expect(again.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
  expect(again.calls[0]?.headers['idempotency-key']).not.toBe(first.calls[0]?.headers['idempotency-key']);
});

test('stopping a chat stops its endpoint unless onAbort is detach', async () => {
  for (const [options, methods] of [
    [{}, ['POST', 'GET', 'PATCH']],
    [{ onAbort: 'detach' }, ['POST', 'GET']],
  ] as const) {
    const stop = new AbortController();
    const ok = () => new Response(null, { status: 204 });
    const { send, calls } = open(options, created(), piece('data: {"type":"start"}\n\n'), ok);
    const reader = (await send({ abortSignal: stop.signal })).getReader();
    await reader.read();
    stop.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
    await expect.poll(() => calls.map(({ method }) => method)).toEqual(methods);
  }
});

test('uses localStorage by default and saves nothing without it', async () => {
  const page = globalThis as { localStorage?: unknown };
  const before = Object.getOwnPropertyDescriptor(page, 'localStorage');
  const storage = memoryStorage();
  Object.defineProperty(page, 'localStorage', { value: storage, configurable: true });
  try {
    const { send } = open({ storage: undefined, retries: 0 }, created(), piece('data: {"type":"start"}\n\n'));
    await typesOf(await send()).catch(() => undefined);
    expect([...storage.kept.keys()]).toEqual(['sonde:chat']);
  } finally {
    if (before) Object.defineProperty(page, 'localStorage', before);
    else Reflect.deleteProperty(page, 'localStorage');
  }
  expect(await open({ storage: undefined }).reconnect()).toBeNull();
});
