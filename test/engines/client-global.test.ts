/**
 * The built client as a page or a script uses it: in the place of the platform's `fetch`, with errors that say what
 * happened. In processes of their own with a small heap, because a client that calls itself takes all memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Upstream } from '../support/proxy-bench.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';

const dist = (name: string) => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
let upstream: Upstream;
let server: ServedForTest;

beforeAll(async () => {
  upstream = await Upstream.start();
  server = await serveForTest({
    proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
  });
});
afterAll(async () => {
  await server.stop();
  await upstream.listening.close();
});

/** Runs the text as a module, and returns what it printed. */
async function run(script: string, onOutput = () => {}): Promise<{ status: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['--max-old-space-size=96', '--input-type=module'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: 60_000,
  });
  child.stdin.end(
    `import { durableFetch, DurableFetchError } from ${JSON.stringify(dist('client.js'))};
     import { DurableChatTransport } from ${JSON.stringify(dist('client-ai-sdk.js'))};
     const proxy = ${JSON.stringify(server.url)}, url = ${JSON.stringify(`${upstream.origin}/it`)};
     ${script}`,
  );
  child.stdout.once('data', onOutput);
  const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { status, lines: out.split('\n').filter(Boolean) };
}

test('it can replace the global fetch, also twice', async () => {
  upstream.reset();
  const { status, lines } = await run(`
    for (let i = 0; i < 2; i++) {
      globalThis.fetch = durableFetch({ proxy, retries: 1 });
      console.log(await (await fetch(url)).text());
    }`);
  expect([status, lines, upstream.asked.length]).toEqual([0, ['ok', 'ok'], 2]);
});

test.each(['before', 'after'])(
  'the transport works with a global fetch that was replaced %s it',
  async (when) => {
    upstream.reset();
    upstream.respond = (response) => void response.end('data: {"type":"start"}\n\ndata: [DONE]\n\n');
    const replace = 'globalThis.fetch = durableFetch({ proxy, retries: 1 });';
    const { status, lines } = await run(`
    ${when === 'before' ? replace : ''}
    const transport = new DurableChatTransport({ proxy, api: url, retries: 1 });
    ${when === 'after' ? replace : ''}
    const request = { chatId: 'a', messages: [], trigger: 'submit-message' };
    for await (const event of await transport.sendMessages(request)) console.log(event.type);`);
    expect([status, lines, upstream.asked.length]).toEqual([0, ['start'], 1]);
  },
);

test.each([
  ['a reset', /^the upstream reset the connection \(UPSTREAM_RESET\), after 4 bytes$/],
  ['an early end', /^the upstream closed the connection early \(UPSTREAM_TRUNCATED\), after 4 bytes$/],
])('the error of %s says what happened, under its own name', async (how, message) => {
  upstream.reset();
  let breakOff = (): unknown => undefined;
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
    breakOff = () => (how === 'a reset' ? response.socket?.resetAndDestroy() : response.socket?.end());
  };
  const { lines } = await run(
    `
    const { body } = await durableFetch({ proxy })(url);
    const reader = body.getReader();
    await reader.read();
    console.log('read');
    try { while (!(await reader.read()).done); } catch (thrown) {
      console.log(thrown.message);
      console.log([thrown instanceof DurableFetchError, thrown.constructor.name, thrown.name].join());
    }`,
    // The connection breaks only after the bytes were read.
    () => void breakOff(),
  );
  expect(lines).toEqual(['read', expect.stringMatching(message), 'true,DurableFetchError,DurableFetchError']);
});
