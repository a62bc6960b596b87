/** Errors that help: which flag to add, what was probably meant, what to start. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenHttp } from '../support/listen.js';
import { serveForTest } from '../support/serve.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

/** Returns the origin of a port that nothing listens on. */
async function closedOrigin(): Promise<string> {
  const server = await listenHttp(() => {});
  await server.close();
  return server.origin;
}

const hintIn = (stderr: string) => /^hint: (.*)$/m.exec(stderr)?.[1];

async function listening() {
  const cwd = folderWith();
  const { url, stop } = await serveForTest({ dataDir: join(cwd, 'sonde-data'), auth: 'jwt' });
  onTestFinished(stop);
  return { cwd, url };
}

test.each([
  ['probe', ['probe', 'http://127.0.0.1:4881/'], 'http://127.0.0.1:4881'],
  ['audit', ['audit', 'http://127.0.0.1:4881/'], 'http://127.0.0.1:4881'],
  ['a name that is never public', ['probe', 'http://localhost:4881/'], 'http://localhost:4881'],
  ['compare, one side', ['compare', 'http://10.0.0.1/', 'https://example.com'], 'http://10.0.0.1'],
  [
    'compare, both sides',
    ['compare', 'http://10.0.0.1/', 'http://127.0.0.1:81/'],
    'http://10.0.0.1,http://127.0.0.1:81',
  ],
] as const)('a blocked address names the flag that allows it: %s', async (_name, args, origins) => {
  const { code, stderr } = await sonde(args);
  expect([code, hintIn(stderr)]).toEqual([expect.any(Number), `to allow it, add --allow-private ${origins}`]);
  expect(code).not.toBe(0);
});

test('the printed flag works', async () => {
  const server = await listenHttp((_request, response) => response.end('hello'));
  try {
    const { stderr } = await sonde(['probe', server.origin]);
    const [, flag = '', origin = ''] = /add (--allow-private) (\S+)/.exec(stderr) ?? [];
    expect((await sonde(['probe', server.origin, flag, origin])).code).toBe(0);
  } finally {
    await server.close();
  }
});

test('an address that no flag allows gets no such hint', async () => {
  const { stderr } = await sonde(['probe', 'http://169.254.169.254/']);
  expect(stderr).not.toContain('--allow-private');
});

test('compare names the refused URL', async () => {
  const { stderr } = await sonde(['compare', 'https://example.com', 'http://127.0.0.1:81/']);
  expect(stderr).toContain('the right URL: 127.0.0.1');
});

test.each([
  ['example.com', 'https://example.com'],
  ['example.com/about', 'https://example.com/about'],
  ['localhost:3000', 'http://localhost:3000'],
])('%s is not a URL, and the probable one is suggested', async (text, meant) => {
  const { stderr } = await sonde(['probe', text]);
  expect(hintIn(stderr)).toBe(`did you mean ${meant} ?`);
});

test('text that may contain a credential is not suggested', async () => {
  const { stderr } = await sonde(['probe', 'example.com/?token=abc']);
  expect(stderr).not.toContain('abc');
});

test.each([[['jobs', 'list']], [['stream', 'read', 'notes']]])(
  '%s without a server prints its address and how to start one',
  async (args) => {
    const closed = await closedOrigin();
    const { code, stderr } = await sonde([...args, '--server', closed]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`no Sonde server responds at ${closed}`);
    expect(hintIn(stderr)).toBe('start one with "sonde serve", or name another with --server URL');
  },
);

test('a wrong data folder is named', async () => {
  const { url } = await listening();
  const other = await listening();
  const wrong = await sonde(['jobs', 'list', '--server', url, '--data', 'sonde-data'], { cwd: other.cwd });
  expect(hintIn(wrong.stderr)).toMatch(/^the token was made from the secret in \S*sonde-data: .* --data$/);
  const none = await sonde(['jobs', 'list', '--server', url]);
  expect(hintIn(none.stderr)).toMatch(
    /^there is no server secret in \S*sonde-data: .* --data, or .* --token$/,
  );
});

test('config show prints the routes of the proxy', async () => {
  const route = { url: 'https://api.openai.com', credential: 'env:OPENAI_API_KEY' };
  const cwd = folderWith({ 'sonde.config.json': JSON.stringify({ proxy: { routes: { openai: route } } }) });
  const { stdout } = await sonde(['config', 'show', '--origin'], { cwd, env: { OPENAI_API_KEY: 'k' } });
  expect(stdout).toMatch(
    /proxy\.routes +openai=https:\/\/api\.openai\.com \(credential env:OPENAI_API_KEY\)/,
  );
});

test('an example in an error is printed whole', async () => {
  const cwd = folderWith({ 'sonde.config.json': '{"proxy":{"routes":{"openai":{"ulr":"x"}}}}' });
  const { stderr } = await sonde(['config', 'show'], { cwd });
  expect(stderr).not.toContain('[REDACTED]');
});

test('compare ignores by pattern', async () => {
  const closed = await closedOrigin();
  const args = ['compare', closed, closed, '--allow-private', closed, '--ignore', 'CACHE_*'];
  const { code, stderr } = await sonde(args);
  expect([code, stderr]).toEqual([3, '']);
});
