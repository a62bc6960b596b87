/**
 * Unmodified SDKs with their own retries against an upstream that fails once: SDK × fault × key × way. Each cell is
 * compared with the same SDK calling the upstream directly. With a key, no call follows one that was answered with 2xx
 * or whose outcome is unknown, and the SDK recovers wherever a direct call recovers and its first call was refused.
 * Without a key, there are never more calls than the SDK makes directly.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { DefaultChatTransport, streamText, type UIMessage } from 'ai';
import { DefaultChatTransport as DefaultChatTransport7, streamText as streamText7 } from 'ai-7';
import OpenAI from 'openai';
import { createOpenAICompatible as createOpenAICompatible7 } from 'openai-compatible-7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DurableChatTransport } from '../../packages/client/src/ai-sdk.js';
import { durableFetch } from '../../packages/client/src/index.js';
import {
  FAULTS,
  type Fault,
  type FaultUpstream,
  type Met,
  startFaultUpstream,
  WHOLE,
} from '../support/fault-upstream.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

let upstream: FaultUpstream;
let server: ServedForTest;

beforeAll(async () => {
  upstream = await startFaultUpstream();
  const route = (credential: string, path = '') => ({
    url: `${upstream.origin}${path}`,
    credential,
    private: true,
  });
  server = await serveForTest({
    proxy: {
      allow: [`private:${upstream.origin}`],
      routes: {
        openai: route('env:KEY', '/v1'),
        anthropic: route('env:KEY'),
        google: route('env:KEY'),
      },
      env: (name) => (name === 'KEY' ? 'upstream-key' : undefined),
    },
  });
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
});

type Way = 'direct' | 'route' | 'durableFetch' | 'transport';

interface Call {
  /** Names the cell to the upstream. */
  readonly cell: string;
  readonly way: Way;
  readonly headers: Record<string, string>;
}

/** The options of an SDK that choose the way: its base URL and, if any, its `fetch`. */
function wayOf({ way }: Call, name: 'openai' | 'anthropic' | 'google', path = '') {
  const baseURL = way === 'route' ? `${server.url}/r/${name}` : `${upstream.origin}${path}`;
  return { baseURL, ...(way === 'durableFetch' && { fetch: durableFetch({ proxy: server.url }) }) };
}

const messages = [{ role: 'user' as const, content: 'hello' }];

async function askAi(
  call: Call,
  { create, stream }: { create: typeof createOpenAICompatible; stream: typeof streamText },
): Promise<string> {
  const provider = create({ name: 'x', apiKey: 'k', ...wayOf(call, 'openai', '/v1') });
  let text = '';
  const model = provider(call.cell);
  const { fullStream } = stream({ model, prompt: 'hello', headers: call.headers, onError: () => {} });
  for await (const part of fullStream) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'error') throw part.error;
  }
  return text;
}

const QUESTION: UIMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'hello' }] };
/** A page's user sends the message again this often. */
const RESENDS = 2;

/** The transport has no retries of its own, so its user sends the same message again. */
async function askTransport(call: Call, Default: typeof DefaultChatTransport): Promise<string> {
  const api = `${upstream.origin}/api/chat`;
  const { headers } = call;
  const transport =
    call.way === 'direct'
      ? new Default({ api, headers })
      : new DurableChatTransport({ api, headers, proxy: server.url });
  for (let resends = 0; ; resends++) {
    let text = '';
    try {
      const stream = await transport.sendMessages({
        ...{ trigger: 'submit-message', chatId: call.cell, messageId: undefined },
        ...{ messages: [QUESTION], abortSignal: undefined },
      });
      for await (const part of stream) if (part.type === 'text-delta') text += part.delta;
      return text;
    } catch (error) {
      // What has begun to arrive is not sent again.
      if (resends === RESENDS || text !== '') throw error;
    }
  }
}

async function askGoogle(
  call: Call,
  options: { readonly retryOptions?: { attempts: number } },
): Promise<string> {
  const { baseURL: baseUrl, ...fetch } = wayOf(call, 'google');
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl, ...fetch } });
  const parts = await client.models.generateContentStream({
    model: call.cell,
    contents: 'hello',
    config: { httpOptions: { headers: call.headers, ...options } },
  });
  let text = '';
  for await (const part of parts) text += part.text ?? '';
  return text;
}

interface Sdk {
  readonly ways: readonly Way[];
  /** All of them, unless listed. */
  readonly faults?: readonly Fault[];
  ask(call: Call): Promise<string>;
}

const SDKS: Readonly<Record<string, Sdk>> = {
  openai: {
    ways: ['route', 'durableFetch'],
    async ask(call) {
      const client = new OpenAI({ apiKey: 'k', ...wayOf(call, 'openai', '/v1') });
      const body = { model: call.cell, messages, stream: true } as const;
      let text = '';
      for await (const part of await client.chat.completions.create(body, { headers: call.headers }))
        text += part.choices[0]?.delta.content ?? '';
      return text;
    },
  },
  anthropic: {
    ways: ['route', 'durableFetch'],
    async ask(call) {
      const client = new Anthropic({ apiKey: 'k', ...wayOf(call, 'anthropic') });
      const body = { model: call.cell, max_tokens: 9, messages };
      return (await client.messages.stream(body, { headers: call.headers }).finalText()) ?? '';
    },
  },
  'ai 6': {
    ways: ['route', 'durableFetch'],
    ask: (call) => askAi(call, { create: createOpenAICompatible, stream: streamText }),
  },
  'ai 7': {
    ways: ['route', 'durableFetch'],
    ask: (call) =>
      askAi(call, {
        create: createOpenAICompatible7 as unknown as typeof createOpenAICompatible,
        stream: streamText7 as unknown as typeof streamText,
      }),
  },
  'ai 6 chat': { ways: ['transport'], ask: (call) => askTransport(call, DefaultChatTransport) },
  'ai 7 chat': {
    ways: ['transport'],
    ask: (call) => askTransport(call, DefaultChatTransport7 as unknown as typeof DefaultChatTransport),
  },
  // Without options it never retries.
  '@google/genai': { ways: ['route', 'durableFetch'], ask: (call) => askGoogle(call, {}) },
  '@google/genai, 3 attempts': {
    ways: ['route', 'durableFetch'],
    // It retries 502, but not Node's error for a lost connection, so a direct call would stop at a reset.
    faults: ['429', '500', 'cut'],
    ask: (call) => askGoogle(call, { retryOptions: { attempts: 3 } }),
  },
};

interface Ended {
  readonly whole: boolean;
  readonly met: readonly Met[];
}

let cells = 0;

async function run(sdk: string, fault: Fault, { way, keyed }: { way: Way; keyed: boolean }): Promise<Ended> {
  const cell = `cell-${++cells}`;
  const met = upstream.open(cell, fault);
  const headers: Record<string, string> = keyed ? { 'Idempotency-Key': cell } : {};
  const text = await SDKS[sdk]?.ask({ cell, way, headers }).catch(() => undefined);
  return { whole: text === WHOLE, met };
}

const shown = ({ whole, met }: Ended) => `${whole ? 'whole' : 'error'}, ${met.length}`;

/** One row of the table: an SDK, a fault and a way. */
async function row(sdk: string, fault: Fault, way: Way): Promise<Record<string, string>> {
  const [direct, keyed, unkeyed] = await Promise.all([
    run(sdk, fault, { way: 'direct', keyed: false }),
    run(sdk, fault, { way, keyed: true }),
    run(sdk, fault, { way, keyed: false }),
  ]);
  const name = `${sdk} × ${fault} × ${way}`;
  const isOpen = (met: Met) => met === 'refused';
  expect(keyed.met.slice(0, -1).every(isOpen), `${name}, key: no call after 2xx or unknown`).toBe(true);
  expect(keyed.met.length, `${name}, key: called`).toBeGreaterThan(0);
  if (direct.whole && keyed.met[0] === 'refused')
    expect(keyed.whole, `${name}, key: recovers like a direct call`).toBe(true);
  expect(unkeyed.met.length, `${name}, no key: calls`).toBeLessThanOrEqual(direct.met.length);
  if (direct.whole) expect(unkeyed.whole, `${name}, no key: recovers like a direct call`).toBe(true);
  return {
    SDK: sdk,
    fault,
    way,
    direct: shown(direct),
    'with a key': shown(keyed),
    'without a key': shown(unkeyed),
  };
}

test('SDK × fault × key × way: outcome and number of upstream calls', async () => {
  const rows = await Promise.all(
    Object.entries(SDKS).flatMap(([sdk, { ways, faults = FAULTS }]) =>
      faults.flatMap((fault) => ways.map((way) => row(sdk, fault, way))),
    ),
  );
  // biome-ignore lint/suspicious/noConsole: the table is what this test is for
  console.table(rows);
  expect(rows).toHaveLength(66);
});
