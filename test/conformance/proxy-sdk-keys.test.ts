/**
 * Real SDKs on a route with a key of this server. Each puts the Sonde token where its provider's key belongs; the
 * upstream gets its own key in the same place, and nothing of the token.
 */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ProxyBench, startProxyBench, token, Upstream } from '../support/proxy-bench.js';

const KEY = 'the-key-of-the-upstream';
let upstream: Upstream;
let bench: ProxyBench;
let secret: string;

beforeAll(async () => {
  upstream = await Upstream.start();
  const up = { url: upstream.origin, credential: 'env:UP_KEY', private: true };
  const routes = { up, gemini: { ...up, keyHeader: 'x-goog-api-key' as const } };
  bench = await startProxyBench({ upstream, proxy: { routes, env: () => KEY } });
  secret = await token('acme', ['proxy:create'], { routes: ['up', 'gemini'] });
});
afterAll(async () => {
  await bench.stop();
  await upstream.listening.close();
});
beforeEach(() => upstream.reset());

const chunk = (text: string) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });

/** Responds in the format of the path that was called. */
function speak(): void {
  upstream.respond = (response, { url }) => {
    const json = (value: unknown) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.includes(':streamGenerateContent')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of ['hel', 'lo']) response.write(`data: ${JSON.stringify(chunk(text))}\n\n`);
      return void response.end();
    }
    if (url.includes(':generateContent')) return json(chunk('hello'));
    if (url.includes('/messages'))
      return json({
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'hello' }],
      });
    return json({ id: 'c', object: 'chat.completion', choices: [{ message: { content: 'hello' } }] });
  };
}

const baseURL = (route = 'up') => `${bench.url}/r/${route}`;
const google = (route?: string) =>
  new GoogleGenAI({ apiKey: secret, httpOptions: { baseUrl: baseURL(route) } }).models;
const CHAT = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };
const GEMINI = { model: 'gemini-3', contents: 'hi' };

const SDKS: readonly (readonly [string, string, () => Promise<string | null | undefined>])[] = [
  [
    'openai',
    'authorization',
    async () => {
      const sdk = new OpenAI({ apiKey: secret, baseURL: `${baseURL()}/v1`, maxRetries: 0 });
      return (await sdk.chat.completions.create(CHAT)).choices[0]?.message.content;
    },
  ],
  [
    'openai for Azure',
    'api-key',
    async () => {
      const sdk = new AzureOpenAI({
        apiKey: secret,
        endpoint: baseURL(),
        apiVersion: '2025-01-01',
        maxRetries: 0,
      });
      return (await sdk.chat.completions.create(CHAT)).choices[0]?.message.content;
    },
  ],
  [
    'anthropic',
    'authorization',
    async () => {
      const sdk = new Anthropic({ apiKey: secret, baseURL: baseURL(), maxRetries: 0 });
      const { content } = await sdk.messages.create({ ...CHAT, max_tokens: 10 });
      return content[0]?.type === 'text' ? content[0].text : undefined;
    },
  ],
  ['google', 'x-goog-api-key', async () => (await google().generateContent(GEMINI)).text],
  [
    'google, streamed',
    'x-goog-api-key',
    async () => {
      let text = '';
      for await (const part of await google().generateContentStream(GEMINI)) text += part.text;
      return text;
    },
  ],
  [
    'google, on a route that names the header',
    'x-goog-api-key',
    async () => (await google('gemini').generateContent(GEMINI)).text,
  ],
  [
    'openai, on a route that names the header',
    'x-goog-api-key',
    async () => {
      const sdk = new OpenAI({ apiKey: secret, baseURL: `${baseURL('gemini')}/v1`, maxRetries: 0 });
      return (await sdk.chat.completions.create(CHAT)).choices[0]?.message.content;
    },
  ],
  [
    'a client with ?key=',
    'x-goog-api-key',
    async () => {
      const url = `${baseURL()}/v1beta/models/gemini-3:generateContent?alt=json&key=${secret}`;
      const response = await fetch(url, { method: 'POST', body: '{}' });
      return (await response.json()).candidates?.[0].content.parts[0].text;
    },
  ],
];

test.each(SDKS)('%s: the key is in %s, and the token is nowhere', async (_name, header, ask) => {
  speak();
  expect(await ask()).toBe('hello');
  const [asked] = upstream.asked;
  const keys = Object.entries(asked?.headers ?? {}).filter(([, value]) => String(value).includes(KEY));
  expect(keys).toEqual([[header, header === 'authorization' ? `Bearer ${KEY}` : KEY]]);
  expect(asked?.url).not.toContain('key=');
  expect(upstream.asked).toHaveLength(1);
  expect(JSON.stringify(upstream.asked)).not.toContain(secret);
});

test('copies of the token in other headers and parameters are not forwarded either', async () => {
  await fetch(`${baseURL()}/x?a=1&token=${encodeURIComponent(secret)}&key=${secret}`, {
    headers: {
      'x-goog-api-key': secret,
      'api-key': secret,
      authorization: `Bearer ${secret}`,
      'x-copy': `t ${secret}`,
    },
  });
  expect(upstream.asked[0]?.url).toBe('/x?a=1');
  expect(JSON.stringify(upstream.asked)).not.toContain(secret);
});

test('a request without any of them is told where to put the token', async () => {
  const response = await fetch(`${baseURL()}/x`);
  expect([response.status, (await response.json()).error.message]).toEqual([
    401,
    expect.stringMatching(/"Authorization: Bearer …", x-api-key, x-goog-api-key, api-key or \?key=/),
  ]);
  expect(upstream.asked).toEqual([]);
});
