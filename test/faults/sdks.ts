/**
 * Three unmodified SDKs with their default retries, through everything that breaks between them and a model. Guarantees
 * one upstream call per attempt of the SDK, none after an indeterminate one, no token lost or doubled, and nothing over
 * 30 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { expect, vi } from 'vitest';
import { type DurableFetch, durableFetch } from '../../packages/client/src/index.js';
import { startFaultyWire, type WireRules } from '../support/faulty-wire.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { createRandom, type Random } from '../support/random.js';
import { EMBEDDED, type Victim } from '../support/victim.js';

const WHOLE = WORDS.join('');
const LONGEST_MS = 30_000;
const RETRIES = 100;
const messages = [{ role: 'user' as const, content: 'hello' }];

/** The output of an SDK: all text up to its end or its error. */
interface Given {
  text: string;
  error?: unknown;
}

type Ask = (origin: string, fetch: DurableFetch, given: Given) => Promise<void>;

const SDKS: Readonly<Record<string, Ask>> = {
  async openai(origin, fetch, given) {
    const client = new OpenAI({ apiKey: 'k', baseURL: `${origin}/v1`, fetch });
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    for await (const part of stream) given.text += part.choices[0]?.delta.content ?? '';
  },
  async anthropic(origin, fetch, given) {
    const client = new Anthropic({ apiKey: 'k', baseURL: origin, fetch });
    const stream = await client.messages.create({ model: 'm', max_tokens: 9, messages, stream: true });
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        given.text += event.delta.text;
    }
  },
  async ai(origin, fetch, given) {
    const provider = createOpenAICompatible({ name: 'x', apiKey: 'k', baseURL: `${origin}/v1`, fetch });
    const { fullStream } = streamText({ model: provider('m'), prompt: 'hello', onError: () => {} });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') given.text += part.text;
      if (part.type === 'error') throw part.error;
    }
  },
};

interface Scene {
  readonly upstream: LlmUpstream;
  readonly wire: WireRules;
  readonly origin: string;
  readonly random: Random;
  restart(): Promise<void>;
  /** How long no server has been running since the scene started. */
  downMs: number;
}

interface Fault {
  /** Prepares the fault; the returned promise runs alongside the SDK. */
  prepare(scene: Scene, given: Given): Promise<void> | undefined;
  /** `whole`, `prefix` (of the text, with an error), or `nothing` (with an error that has this code). */
  readonly ends: 'whole' | 'prefix' | 'nothing';
  readonly calls: number;
  readonly code?: string;
}

/** Fails once, then responds. */
function failOnce({ upstream }: Scene, fail: LlmUpstream['intercept']): undefined {
  upstream.intercept = (response) => {
    upstream.intercept = () => false;
    return fail(response);
  };
}

const FAULTS: Readonly<Record<string, Fault>> = {
  none: { prepare: () => undefined, ends: 'whole', calls: 1 },
  'killed before the head': {
    async prepare({ upstream, restart }) {
      upstream.holdAt = 0;
      await upstream.called();
      await restart();
      upstream.release();
    },
    ends: 'nothing',
    code: 'CREATE_INDETERMINATE',
    calls: 1,
  },
  'killed during the body': {
    async prepare({ upstream, restart, random }, given) {
      upstream.holdAt = random.whole(5, 35);
      await vi.waitUntil(() => given.text !== '', { timeout: LONGEST_MS });
      await restart();
      upstream.release();
    },
    ends: 'prefix',
    calls: 1,
  },
  'cut in heads and bodies': {
    prepare({ wire, random }) {
      wire.bytesFor = () => random.whole(1, 2_500);
      return undefined;
    },
    ends: 'whole',
    calls: 1,
  },
  'upstream reset before the head': {
    prepare: (scene) =>
      failOnce(scene, (response) => {
        response.socket?.resetAndDestroy();
        return true;
      }),
    ends: 'whole',
    calls: 2,
  },
  'upstream reset during the body': {
    prepare({ upstream, random }) {
      upstream.resetAt = random.whole(1, 30);
      upstream.spacingMs = 2;
      return undefined;
    },
    ends: 'prefix',
    calls: 1,
  },
  '429': {
    prepare: (scene) => failOnce(scene, (response) => refuse(response, 429)),
    ends: 'whole',
    calls: 2,
  },
  '500': {
    prepare: (scene) => failOnce(scene, (response) => refuse(response, 500)),
    ends: 'whole',
    calls: 2,
  },
};

function refuse(response: Parameters<LlmUpstream['intercept']>[0], status: number): true {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"error":{"message":"not now","type":"server_error"}}');
  return true;
}

export interface SdkFigures {
  streams: number;
  upstreamCalls: number;
  longestMs: number;
}

export async function runSdks(rounds: number, seed: number, victim: Victim = EMBEDDED): Promise<SdkFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-sdks-'));
  const upstream = await startLlm();
  const wire = await startFaultyWire();
  const serve = () => victim.start({ folder, allow: `private:127.0.0.1:${upstream.port}` });
  let server = await serve();
  const point = () => {
    wire.rules.target = Number(new URL(server.url).port);
  };
  point();
  const scene: Scene = {
    upstream,
    wire: wire.rules,
    origin: wire.origin,
    random: createRandom(seed),
    async restart() {
      const from = performance.now();
      await server.kill([]);
      server = await serve();
      point();
      scene.downMs += performance.now() - from;
    },
    downMs: 0,
  };
  const figures: SdkFigures = { streams: 0, upstreamCalls: 0, longestMs: 0 };
  try {
    for (let round = 0; round < rounds; round++)
      for (const sdk of Object.keys(SDKS))
        for (const name of Object.keys(FAULTS)) await runOne(scene, { sdk, name }, figures);
  } finally {
    await server.close();
    await wire.close();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function runOne(
  scene: Scene,
  { sdk, name }: { readonly sdk: string; readonly name: string },
  figures: SdkFigures,
): Promise<void> {
  const { upstream, wire } = scene;
  const [ask, fault] = [SDKS[sdk], FAULTS[name]];
  if (!ask || !fault) throw new Error(`no ${sdk} or ${name}`);
  upstream.reset();
  wire.bytesFor = () => undefined;
  let attempts = 0;
  // A client waits for a server as long as its start takes here.
  const durable = durableFetch({ proxy: scene.origin, retries: RETRIES });
  const fetch: DurableFetch = (...args) => {
    attempts++;
    return durable(...args);
  };
  const given: Given = { text: '' };
  const startedAt = performance.now();
  scene.downMs = 0;
  const beside = fault.prepare(scene, given);
  await ask(upstream.origin, fetch, given).catch((error: unknown) => {
    given.error = error;
  });
  await beside;
  const tookMs = performance.now() - startedAt - scene.downMs;
  const what = `${sdk}, ${name}`;
  expect([attempts, upstream.calls.length], `attempts and calls: ${what}`).toEqual([
    fault.calls,
    fault.calls,
  ]);
  expectEnd(given, fault, what);
  expect(tookMs, what).toBeLessThan(LONGEST_MS);
  figures.streams++;
  figures.upstreamCalls += upstream.calls.length;
  figures.longestMs = Math.max(figures.longestMs, Math.round(tookMs));
}

function expectEnd({ text, error }: Given, { ends, code }: Fault, what: string): void {
  expect(WHOLE.startsWith(text), `a prefix: ${what} gave ${JSON.stringify(text.slice(-60))}`).toBe(true);
  if (ends === 'whole') {
    expect(error, what).toBeUndefined();
    expect(text, what).toBe(WHOLE);
    return;
  }
  // Every token may have arrived before the fault; then only the error shows it.
  expect(error, `an error: ${what}`).toBeDefined();
  if (ends === 'nothing') expect(text, what).toBe('');
  if (code !== undefined) expect(describeError(error), what).toContain(code);
}

/** SDKs keep the code in different places. */
function describeError(error: unknown): string {
  const { message = '', responseBody = '', error: body = {} } = error as Record<string, unknown>;
  return `${message} ${responseBody} ${JSON.stringify(body)}`;
}
