/**
 * The unmodified SDKs over a wire that breaks: their output is exact, and the upstream is called once. A break or an
 * abort reaches the upstream only if the options ask for it.
 */
import { createHash } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DurableFetchOptions, durableFetch } from '../../packages/client/src/index.js';
import { type Chaos, type ChaosRules, startChaos } from '../support/chaos-proxy.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

let upstream: LlmUpstream;
let server: ServedForTest;
let chaos: Chaos;

beforeAll(async () => {
  upstream = await startLlm();
  server = await serveForTest({
    proxy: {
      allow: [`private:${upstream.origin}`],
      routes: {
        openai: { url: `${upstream.origin}/v1`, credential: 'env:KEY', private: true },
        anthropic: { url: upstream.origin, credential: 'env:KEY', private: true },
        own: { url: `${upstream.origin}/v1`, credential: 'caller', private: true },
      },
      env: (name) => (name === 'KEY' ? 'upstream-key' : undefined),
    },
  });
});

afterAll(async () => {
  await server.stop();
  await upstream.close();
});

beforeEach(async () => {
  upstream.reset();
  chaos = await startChaos(Number(new URL(server.url).port));
});

afterEach(() => chaos.close());

const messages = [{ role: 'user' as const, content: 'hello' }];

type Fetch = ReturnType<typeof durableFetch>;

/** Each returns the whole text with its SDK's own retries off, so that durableFetch alone makes it exact. */
const SDKS: Readonly<Record<string, (fetch: Fetch) => Promise<string>>> = {
  async openai(fetch) {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.origin}/v1`, fetch, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    let text = '';
    for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    return text;
  },
  async anthropic(fetch) {
    const client = new Anthropic({ apiKey: 'k', baseURL: upstream.origin, fetch, maxRetries: 0 });
    const stream = client.messages.stream({ model: 'm', max_tokens: 10, messages });
    return (await stream.finalText()) ?? '';
  },
  async ai(fetch) {
    const provider = createOpenAICompatible({
      name: 'x',
      apiKey: 'k',
      baseURL: `${upstream.origin}/v1`,
      fetch,
    });
    return await streamText({ model: provider('m'), prompt: 'hello', maxRetries: 0 }).text;
  },
};

const RULES: readonly [string, ChaosRules][] = [
  ['nothing', {}],
  ['every 137 bytes', { bodyBytes: 137 }],
  ['every 1.5 KB', { bodyBytes: 1536 }],
  ['before headers', { lostHeads: 2 }],
  ['before headers, and every 137 bytes', { lostHeads: 3, bodyBytes: 137 }],
];

const open = (options: Partial<DurableFetchOptions> = {}) =>
  durableFetch({ proxy: chaos.origin, ...options });

describe.each(Object.keys(SDKS))('%s', (name) => {
  test.each(RULES)('is exact, with one upstream call, when the wire breaks: %s', async (_what, rules) => {
    Object.assign(chaos.rules, rules);
    const digests: string[] = [];
    const fetch: Fetch = async (...args) => {
      const [kept, given] = await twice(await open()(...args));
      digests.push(kept);
      return given;
    };
    expect(await SDKS[name]?.(fetch)).toBe(WORDS.join(''));
    expect(upstream.calls.length).toBe(1);
    expect(digests).toEqual([upstream.digest()]);
    if (rules.bodyBytes === 137) expect(chaos.breaks()).toBeGreaterThan(20);
    if (rules.lostHeads !== undefined) expect(chaos.rules.lostHeads).toBe(0);
  });
});

/** Returns the digest of all bytes, and a response that still has them. */
async function twice(response: Response): Promise<[string, Response]> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  return [createHash('sha256').update(bytes).digest('hex'), response];
}

/** Reads the first words, then stops the way the SDK's users do. */
const LEAVERS: Readonly<Record<string, (fetch: Fetch) => Promise<void>>> = {
  async 'openai, break'(fetch) {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.origin}/v1`, fetch, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const part of stream) if (part.choices[0]?.delta.content) break;
  },
  async 'openai, abort'(fetch) {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.origin}/v1`, fetch, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const part of stream) if (part.choices[0]?.delta.content) stream.controller.abort();
  },
  async 'anthropic, break'(fetch) {
    const client = new Anthropic({ apiKey: 'k', baseURL: upstream.origin, fetch, maxRetries: 0 });
    const stream = await client.messages.create({ model: 'm', max_tokens: 9, messages, stream: true });
    for await (const event of stream) if (event.type === 'content_block_delta') break;
  },
  async 'anthropic, abort'(fetch) {
    const client = new Anthropic({ apiKey: 'k', baseURL: upstream.origin, fetch, maxRetries: 0 });
    const stream = client.messages.stream({ model: 'm', max_tokens: 9, messages });
    stream.on('text', () => stream.abort());
    await expect(stream.finalText()).rejects.toThrow(/abort/i);
  },
  async 'ai, abort'(fetch) {
    const provider = createOpenAICompatible({
      name: 'x',
      apiKey: 'k',
      baseURL: `${upstream.origin}/v1`,
      fetch,
    });
    const stop = new AbortController();
    const { textStream } = streamText({ model: provider('m'), prompt: 'hello', abortSignal: stop.signal });
    for await (const _text of textStream) stop.abort();
  },
};

describe.each(Object.keys(LEAVERS))('%s', (name) => {
  test('reaches the upstream with onAbort: cancel', async () => {
    upstream.holdAt = 10;
    chaos.rules.bodyBytes = 1536;
    await LEAVERS[name]?.(open({ onAbort: 'cancel' }));
    await upstream.aborted();
    expect(upstream.calls.map(({ hungUp }) => hungUp)).toEqual([true]);
  });

  test('leaves the upstream alone with onAbort: detach; the response is complete on the server', async () => {
    upstream.holdAt = 10;
    let location = '';
    const fetch: Fetch = async (...args) => {
      const response = await open()(...args);
      location = response.headers.get('stream-location') ?? '';
      return response;
    };
    await LEAVERS[name]?.(fetch);
    upstream.release();
    const rest = await readToEnd(location);
    expect(createHash('sha256').update(rest).digest('hex')).toBe(upstream.digest());
    expect(upstream.calls.map(({ hungUp }) => hungUp)).toEqual([false]);
  });
});

/** Reads by plain long-polls, like any client of the protocol. */
async function readToEnd(location: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let offset = '-1'; ; ) {
    const response = await fetch(`${location}&offset=${encodeURIComponent(offset)}&live=long-poll`);
    pieces.push(Buffer.from(await response.arrayBuffer()));
    offset = response.headers.get('stream-next-offset') ?? '';
    if (response.headers.get('stream-closed') !== 'true') continue;
    expect(response.headers.get('upstream-outcome')).toBe('completed');
    return Buffer.concat(pieces);
  }
}

test('an abort before the response head reaches the upstream with onAbort: cancel', async () => {
  upstream.holdAt = 0;
  const stop = new AbortController();
  const asked = open({ onAbort: 'cancel' })(`${upstream.origin}/v1/chat/completions`, {
    method: 'POST',
    body: '{}',
    signal: stop.signal,
  });
  await upstream.called();
  stop.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  // The upstream never responds, so only the abort ends its connection.
  await upstream.aborted();
  expect(upstream.calls.length).toBe(1);
  upstream.release();
});

test("the SDK sees the upstream's refusal: status, headers and body, and retries it", async () => {
  chaos.rules.lostHeads = 1;
  const client = new OpenAI({
    apiKey: 'k',
    baseURL: `${upstream.origin}/v1/limited`,
    fetch: open(),
    maxRetries: 0,
  });
  const error = await client.chat.completions
    .create({ model: 'm', messages })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect(error).toMatchObject({ status: 429, requestID: 'r-9', type: 'rate_limit' });
  expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe('7');
  // The head of the first refusal was lost, and a refused key is sent again.
  expect(upstream.calls.length).toBe(2);
});

describe('inline routes, with only the base URL changed', () => {
  test('openai and ai use the key of the route', async () => {
    const baseURL = `${server.url}/r/openai`;
    const client = new OpenAI({ apiKey: 'whatever', baseURL, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    let text = '';
    for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
    expect(text).toBe(WORDS.join(''));
    const provider = createOpenAICompatible({ name: 'x', apiKey: 'whatever', baseURL });
    expect(await streamText({ model: provider('m'), prompt: 'hello' }).text).toBe(text);
    expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill('Bearer upstream-key'),
    );
  });

  test('anthropic uses the key of the route', async () => {
    const client = new Anthropic({ apiKey: 'whatever', baseURL: `${server.url}/r/anthropic`, maxRetries: 0 });
    const stream = client.messages.stream({ model: 'm', max_tokens: 10, messages });
    expect(await stream.finalText()).toBe(WORDS.join(''));
    await fetch(`${server.url}/r/anthropic/v1/messages`, { headers: { 'x-api-key': 'whatever' } });
    expect(upstream.calls.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).toEqual([
      'Bearer upstream-key',
      'upstream-key',
    ]);
  });

  test("with the caller's key a broken wire is the SDK's error, and the server has the whole response", async () => {
    chaos.rules.bodyBytes = 1536;
    let location = '';
    const client = new OpenAI({
      apiKey: 'mine',
      baseURL: `${chaos.origin}/r/own`,
      maxRetries: 0,
      fetch: async (...args) => {
        const response = await fetch(...args);
        location = response.headers.get('stream-location') ?? '';
        return response;
      },
    });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    await expect(async () => {
      for await (const _part of stream);
    }).rejects.toThrow();
    expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine']);
    const kept = await readToEnd(location.replace(chaos.origin, server.url));
    expect(createHash('sha256').update(kept).digest('hex')).toBe(upstream.digest());
  });
});
