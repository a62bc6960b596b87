/** `sonde proxy`: sending, resuming and aborting requests through a running server. */
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startChaos } from '../support/chaos-proxy.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { serveForTest } from '../support/serve.js';
import { finished, folderWith, shareProcess, startSonde } from './cli-process.js';

const sonde = shareProcess();

let upstream: LlmUpstream;

beforeAll(async () => {
  upstream = await startLlm();
});

afterAll(() => upstream.close());

beforeEach(() => upstream.reset());

/** In this process, because only the commands are under test. They find the secret of its folder in `cwd`. */
async function serve() {
  const cwd = folderWith();
  const { url, stop } = await serveForTest({
    dataDir: join(cwd, 'sonde-data'),
    auth: 'jwt',
    proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
  });
  onTestFinished(stop);
  const run = (words: string[], input?: string) =>
    sonde(['proxy', ...words], { cwd, ...(input !== undefined && { input }) });
  return { cwd, url, run };
}

const CHAT = '/v1/chat/completions';

test('send prints the live response and where to resume it; resume prints it again, from any offset', async () => {
  const { url, run } = await serve();
  const sent = await run(
    [
      'send',
      `${upstream.origin}${CHAT}`,
      '--server',
      url,
      '-H',
      'X-One: 1',
      '--upstream-auth',
      'Bearer K',
      '-d',
      '-',
    ],
    '{"a":1}',
  );
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining(WORDS[39]?.trim() ?? '')]);
  const [, location = ''] = /sonde proxy resume '([^']+)'/.exec(sent.stderr) ?? [];
  expect(sent.stderr).toMatch(/^upstream responded with 200; .*\ncompleted, \d+ bytes\n$/);
  expect(upstream.calls.map(({ body, headers }) => [body, headers['x-one'], headers.authorization])).toEqual([
    ['{"a":1}', '1', 'Bearer K'],
  ]);

  const again = await run(['resume', location]);
  expect([again.code, again.stdout]).toEqual([0, sent.stdout]);
  expect((await run(['resume', location, '--offset', 'now'])).stdout).toBe('');
  expect(upstream.calls.length).toBe(1);
});

test('a response is printed once and in full when the connection breaks, even before its head', async () => {
  const { url, run } = await serve();
  const chaos = await startChaos(Number(new URL(url).port), { bodyBytes: 900, lostHeads: 1 });
  try {
    const sent = await run(['send', `${upstream.origin}${CHAT}`, '--server', chaos.origin]);
    const straight = await run(['send', `${upstream.origin}${CHAT}`, '--server', url]);
    expect([sent.code, sent.stdout]).toEqual([0, straight.stdout]);
    expect([upstream.calls.length, chaos.breaks() > 3]).toEqual([2, true]);
  } finally {
    await chaos.close();
  }
});

test('share prints a URL that is read like the other one, and aborts nothing', async () => {
  upstream.holdAt = 10;
  const { url, run } = await serve();
  const made = await run(['send', `${upstream.origin}${CHAT}`, '--server', url, '--json']);
  const { location } = JSON.parse(made.stdout) as { location: string };
  const shared = await run(['share', location]);
  expect([shared.code, shared.stdout]).toEqual([0, expect.stringContaining('access=read')]);
  const aborted = await run(['abort', shared.stdout.trim()]);
  expect([aborted.code === 0, aborted.stderr]).toEqual([false, expect.stringContaining('for reading only')]);
  const again = await run(['share', shared.stdout.trim(), '--json']);
  expect(JSON.parse(again.stderr).error.code).toBe('READ_ONLY_URL');
  upstream.release();
  const resumed = await run(['resume', shared.stdout.trim()]);
  expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining(WORDS[39]?.trim() ?? '')]);
});

test('send to a URL that is not allowed prints the flag that allows it', async () => {
  const { url, run } = await serve();
  const { code, stderr } = await run(['send', 'https://api.openai.com/v1/models', '--server', url]);
  expect([code === 0, stderr]).toEqual([
    false,
    expect.stringContaining("--proxy-allow 'https://api.openai.com/v1/*'"),
  ]);
});

test('abort stops the upstream; a follower exits with 3', async () => {
  upstream.holdAt = 10;
  const { cwd, url, run } = await serve();
  const following = startSonde(['proxy', 'send', `${upstream.origin}${CHAT}`, '--server', url], { cwd });
  const ended = finished(following);
  await once(following.stdout, 'data');
  const made = await run(['send', `${upstream.origin}${CHAT}`, '--server', url, '--json']);
  const { location, upstreamStatus } = JSON.parse(made.stdout) as {
    location: string;
    upstreamStatus: number;
  };
  expect(upstreamStatus).toBe(200);
  const aborted = await run(['abort', location]);
  expect([aborted.code, aborted.stdout]).toEqual([0, 'aborted\n']);
  expect((await run(['abort', location, '--json'])).stdout).toBe('{"schemaVersion":1,"aborted":true}\n');
  const resumed = await run(['resume', location]);
  expect([resumed.code, resumed.stderr]).toEqual([3, expect.stringContaining('aborted')]);
  expect(resumed.stdout).toContain('word-5');
  following.kill('SIGKILL');
  await ended;
});

test("an upstream's refusal is printed with exit code 3; an invalid request is exit code 2 or 4", async () => {
  const { url, run } = await serve();
  const limited = await run(['send', `${upstream.origin}/v1/limited/chat/completions`, '--server', url]);
  expect([limited.code, limited.stdout, limited.stderr]).toEqual([
    3,
    expect.stringContaining('slow down'),
    'upstream responded with 429\n',
  ]);
  const refused = await run(['send', 'http://192.0.2.1/', '--server', url]);
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringContaining('no pattern in proxy.allow matches'),
  ]);
  expect((await run(['send', upstream.origin, '-H', 'no header', '--server', url])).code).toBe(2);
  expect((await run(['resume', 'http://127.0.0.1/nothing'])).code).toBe(2);
  expect((await run(['resume', `${url}/v1/proxy/x?expires=9999999999&signature=x`])).code).toBe(4);
});

test('the configured token is not sent to the server of a signed URL', async () => {
  const { listenHttp } = await import('../support/listen.js');
  const seen: (string | undefined)[] = [];
  const stranger = await listenHttp((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(204).end();
  });
  try {
    await sonde(['proxy', 'abort', `${stranger.origin}/v1/proxy/x?expires=1&signature=x`], {
      env: { SONDE_TOKEN: 'secret-token-of-the-user' },
    });
    expect(seen).toEqual([undefined]);
  } finally {
    await stranger.close();
  }
});
