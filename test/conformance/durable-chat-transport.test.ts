/**
 * The AI SDK's own chat with its transport replaced: exact over a broken wire, resumed after a reload, and stoppable.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbstractChat, type ChatInit, type ChatState, type ChatTransport, type UIMessage } from 'ai';
import { AbstractChat as AbstractChat7 } from 'ai-7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { DurableChatTransport } from '../../packages/client/src/ai-sdk.js';
import { type Chaos, startChaos } from '../support/chaos-proxy.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { memoryStorage } from '../support/memory-storage.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

let upstream: LlmUpstream;
let server: ServedForTest;
let chaos: Chaos;

beforeAll(async () => {
  upstream = await startLlm();
  server = await serveForTest({
    proxy: { allow: [`private:${upstream.origin}/api/*`], routes: {}, env: () => undefined },
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

/** The state behind `useChat`, without React. */
const chatOf = (Base: typeof AbstractChat<UIMessage>) =>
  class Chat extends Base {
    constructor({ messages = [], ...init }: ChatInit<UIMessage>) {
      const state: ChatState<UIMessage> = {
        status: 'ready',
        error: undefined,
        messages,
        pushMessage: (message) => {
          state.messages = [...state.messages, message];
        },
        popMessage: () => {
          state.messages = state.messages.slice(0, -1);
        },
        replaceMessage: (index, message) => {
          state.messages = state.messages.map((each, at) => (at === index ? message : each));
        },
        snapshot: (thing) => structuredClone(thing),
      };
      super({ ...init, state });
    }

    get answer(): string {
      const parts = this.messages.filter(({ role }) => role === 'assistant').flatMap(({ parts: all }) => all);
      return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    }
  };
type Chat = InstanceType<ReturnType<typeof chatOf>>;

let Chat: ReturnType<typeof chatOf>;

const QUESTION: UIMessage = { id: 'q', role: 'user', parts: [{ type: 'text', text: 'hello' }] };

function open(
  storage = memoryStorage(),
  messages: UIMessage[] = [],
): { chat: Chat; storage: typeof storage } {
  const transport = new DurableChatTransport({
    api: `${upstream.origin}/api/chat`,
    proxy: chaos.origin,
    storage,
    headers: () => ({ authorization: 'Bearer of-the-user' }),
    body: { model: 'small' },
  });
  expectTypeOf(transport).toExtend<ChatTransport<UIMessage>>();
  return { chat: new Chat({ id: 'chat-1', transport, messages }), storage };
}

describe.each([
  ['ai 6', AbstractChat],
  ['ai 7', AbstractChat7 as unknown as typeof AbstractChat],
])('%s', (_version, Base) => {
  beforeAll(() => {
    Chat = chatOf(Base);
  });

  test.each([137, 1536])('a response is exact when the wire breaks every %i bytes', async (bodyBytes) => {
    chaos.rules.bodyBytes = bodyBytes;
    const { chat, storage } = open();
    await chat.sendMessage(QUESTION);
    expect([chat.status, chat.answer]).toEqual(['ready', WORDS.join('')]);
    expect(upstream.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer of-the-user']);
    expect(JSON.parse(upstream.calls[0]?.body ?? '')).toMatchObject({
      id: 'chat-1',
      model: 'small',
      trigger: 'submit-message',
      messages: [QUESTION],
    });
    expect(storage.kept.size).toBe(0);
  });

  test('a reloaded page resumes and gets every word once', async () => {
    upstream.holdAt = 12;
    chaos.rules.bodyBytes = 137;
    const { chat, storage } = open();
    const sending = chat.sendMessage(QUESTION);
    await expect.poll(() => chat.answer).toContain('word-5');
    // A page that goes away only closes its connections.
    const { chat: reloaded } = open(storage, [QUESTION]);
    const resuming = reloaded.resumeStream();
    await expect.poll(() => reloaded.answer).toContain('word-5');
    upstream.release();
    await resuming;
    expect([reloaded.answer, reloaded.messages.length]).toEqual([WORDS.join(''), 2]);
    await sending;
    expect(upstream.calls.length).toBe(1);
  });

  test('without a response in progress there is nothing to resume', async () => {
    const { chat } = open(memoryStorage(), [QUESTION]);
    await chat.resumeStream();
    expect([chat.status, chat.messages.length, upstream.calls.length]).toEqual(['ready', 1, 0]);
  });

  test.each(['of a new response', 'of a resumed response'])(
    'stop reaches the endpoint: %s',
    async (which) => {
      upstream.holdAt = 12;
      const first = open();
      const sending = first.chat.sendMessage(QUESTION);
      await expect.poll(() => first.chat.answer).toContain('word-5');
      const { chat } = which === 'of a new response' ? first : open(first.storage, [QUESTION]);
      const resuming = chat === first.chat ? sending : chat.resumeStream();
      await expect.poll(() => chat.answer).toContain('word-5');
      await chat.stop();
      await upstream.aborted();
      await Promise.allSettled([sending, resuming]);
      expect(first.storage.kept.size).toBe(0);
      expect(upstream.calls.map(({ hungUp }) => hungUp)).toEqual([true]);
    },
  );

  test("the endpoint's refusal is the chat's error", async () => {
    const transport = new DurableChatTransport({
      api: `${upstream.origin}/api/missing`,
      proxy: chaos.origin,
      storage: memoryStorage(),
    });
    const chat = new Chat({ id: 'chat-2', transport });
    await chat.sendMessage(QUESTION);
    expect([chat.status, chat.error?.message]).toEqual(['error', expect.stringContaining('404')]);
  });
});

test('the transport compiles against the types of ai 7', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-ai-7-'));
  const root = process.cwd();
  const options = { noEmit: true, composite: false, declaration: false, emitDeclarationOnly: false };
  const config = {
    extends: join(root, 'packages/client/tsconfig.json'),
    compilerOptions: { ...options, paths: { ai: [join(root, 'node_modules/ai-7/dist/index.d.ts')] } },
    files: [join(root, 'packages/client/src/ai-sdk.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--listFiles', '-p', folder]);
  rmSync(folder, { recursive: true });
  expect([status, String(stdout)]).toEqual([0, expect.stringContaining('node_modules/ai-7/')]);
});
