/** examples/python ends with the exact response, even if it is killed midway or its connection breaks. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startChaos } from '../support/chaos-proxy.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { finished, folderWith } from './cli-process.js';

const SCRIPT = fileURLToPath(new URL('../../examples/python/resume.py', import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;

let llm: LlmUpstream;
let sonde: ServedForTest;
beforeAll(async () => {
  llm = await startLlm();
  sonde = await serveForTest({
    proxy: { allow: [`private:${llm.origin}`], routes: {}, env: () => undefined },
  });
});
afterEach(() => llm.reset());
afterAll(async () => {
  await sonde.stop();
  await llm.close();
});

const start = (cwd: string, server: string) =>
  spawn(
    'python3',
    [SCRIPT, `${llm.origin}/v1/chat/completions`, 'answer.txt', '--data', '{}', '--server', server],
    {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    },
  );

const wordsIn = (cwd: string): string =>
  [...readFileSync(join(cwd, 'answer.txt'), 'utf8').matchAll(/"content":("(?:[^"\\]|\\.)*")/g)]
    .map((match) => JSON.parse(match[1] ?? '""') as string)
    .join('');

if (hasPython) {
  test('a killed client continues where it left off', async () => {
    const cwd = folderWith();
    llm.holdAt = 20;
    const first = start(cwd, sonde.url);
    const gone = once(first, 'exit');
    await vi.waitFor(() => expect(readFileSync(join(cwd, 'answer.txt'), 'utf8')).toContain('word-10'), {
      timeout: 20_000,
    });
    first.kill('SIGKILL');
    await gone;
    llm.release();
    const { code, stdout, stderr } = await finished(start(cwd, sonde.url));
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      expect.stringMatching(/^completed: \d+ bytes in answer\.txt\n$/),
    ]);
    expect([wordsIn(cwd), llm.calls.length]).toEqual([WORDS.join(''), 1]);
    expect(existsSync(join(cwd, 'answer.txt.resume'))).toBe(false);
  });

  test('broken connections are retried, and the upstream is called once', async () => {
    const chaos = await startChaos(Number(new URL(sonde.url).port));
    try {
      Object.assign(chaos.rules, { lostHeads: 2 });
      const cwd = folderWith();
      const { code, stderr } = await finished(start(cwd, chaos.origin));
      expect([code, stderr]).toEqual([0, '']);
      expect([wordsIn(cwd), llm.calls.length]).toEqual([WORDS.join(''), 1]);
    } finally {
      await chaos.close();
    }
  });

  test('an upstream that refuses is an error, once', async () => {
    llm.intercept = (response) => {
      response.writeHead(403).end('no');
      return true;
    };
    const { code, stderr } = await finished(start(folderWith(), sonde.url));
    expect([code, stderr, llm.calls.length]).toEqual([1, expect.stringMatching(/^error: 502 no/), 1]);
  });
} else {
  test('python3 is not installed, so its example did not run', () => {
    expect(readFileSync(SCRIPT, 'utf8')).not.toMatch(
      /^(?:import|from) (?!argparse|http|json|os|sys|time|urllib|uuid)/m,
    );
  });
}
