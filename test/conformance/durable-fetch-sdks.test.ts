/**
 * The unmodified SDKs over a wire that breaks: what they give is exact, and the upstream is called once. A break
 * or an abort reaches the upstream where that was asked for, and does not where it was not.
 */
import { createHash } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DurableFetchOptions, durableFetch } from '../../src/client/index.js';
import { type Chaos, type ChaosRules, startChaos } from '../support/chaos-proxy.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

let upstream: LlmUpstream;
let server: ServedForTest;
let chaos: Chaos;

beforeEach(async () => {
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
  chaos = await startChaos(Number(new URL(server.url).port));
});

afterEach(async () => {
  await chaos.close();
  await server.stop();
  await upstream.close();
});

const messages = [{ role: 'user' as const, content: 'hello' }];

type Fetch = ReturnType<typeof durableFetch>;

/** Each gives the whole text, with its SDK's own retries off: what is exact is so by durableFetch alone. */
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

/** The digest of all bytes, and a response that still has them. */
async function twice(response: Response): Promise<[string, Response]> {
  const bytes = await response.clone().bytes();
  return [createHash('sha256').update(bytes).digest('hex'), response];
}
