/** `sonde redact`, as a filter and with a file of cases. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { finished, folderWith, shareProcess, startSonde } from './cli-process.js';

const sonde = shareProcess();

const TOKEN = 'abcdef1234567890abcdef';

describe('as a filter', () => {
  test('masks credentials and keeps the rest', async () => {
    const input = `GET /a 200\nAuthorization: Bearer ${TOKEN}\nlast line`;
    const { code, stdout, stderr } = await sonde(['redact'], { input });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^GET \/a 200\n/);
    expect(stdout).toMatch(/\nlast line$/);
    expect(stdout).not.toContain(TOKEN);
  });

  test('prints a line before stdin ends', async () => {
    const child = startSonde(['redact']);
    child.stdin.write('first\n');
    const [chunk] = await once(child.stdout, 'data');
    expect(String(chunk)).toBe('first\n');
    child.stdin.end();
    expect((await finished(child)).code).toBe(0);
  });

  test('passes a stream larger than its memory through, whole and in order', async () => {
    // 64 MiB of text through a heap that cannot hold it.
    const child = startSonde(['redact'], { nodeArgs: ['--max-old-space-size=48'] });
    const block = Array.from(
      { length: 700 },
      (_, line) => `2026-01-01 GET /items/${line} 200 12 ms ok\n`,
    ).join('');
    const blocks = Math.ceil((64 * 2 ** 20) / block.length);
    const [sent, got] = [createHash('sha256'), createHash('sha256')];
    child.stdout.on('data', (chunk: Buffer) => got.update(chunk));
    const exited = once(child, 'close');
    for (let index = 0; index < blocks; index += 1) {
      sent.update(block);
      if (!child.stdin.write(block)) await once(child.stdin, 'drain');
    }
    child.stdin.end();
    expect((await exited)[0]).toBe(0);
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });

  test('drops an endless line, reports it, and exits with 1', async () => {
    const { code, stdout, stderr } = await sonde(['redact'], { input: `a\n${'x'.repeat(9 * 2 ** 20)}\nb\n` });
    expect(code).toBe(1);
    expect(stdout).toBe('a\n[a line of more than 8388608 characters was left out]\nb\n');
    expect(stderr).toMatch(/^1 too long to check/);
  });

  test('exits quietly when the reader of stdout closes', async () => {
    const child = startSonde(['redact']);
    const end = finished(child);
    child.stdin.write('first\n');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const line = 'more and more\n'.repeat(4096);
    const pump = () => {
      while (child.stdin.writable && child.stdin.write(line));
    };
    child.stdin.on('drain', pump);
    pump();
    expect(await end).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('exits with 130 on SIGINT', async () => {
    const child = startSonde(['redact']);
    child.stdin.write('first\n');
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await finished(child)).toMatchObject({ code: 130, stderr: '' });
  });
});

describe('with --cases', () => {
  const pass = `{"id":"a","input":"Authorization: Bearer ${TOKEN}","hide":["${TOKEN}"],"keep":["Authorization"]}`;
  const fail = '{"id":"b","input":"plain words","hide":["plain"],"keep":[]}';

  test('prints one line per case and exits with 0 if all are as expected', async () => {
    const cwd = folderWith({ 'cases.jsonl': `${pass}\n` });
    const { code, stdout, stderr } = await sonde(['redact', '--cases', 'cases.jsonl'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe('{"id":"a","expect":"hidden+kept","got":"hidden+kept","pass":true,"code":null}\n');
    expect(stderr).toBe('1 of 1 cases pass\n');
  });

  test('exits with 1 if one differs; --json adds the format version and drops the chatter', async () => {
    const cwd = folderWith({ 'cases.jsonl': `${pass}\n${fail}\n` });
    const { code, stdout, stderr } = await sonde(['redact', '--cases', 'cases.jsonl', '--json'], { cwd });
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual({
      schemaVersion: 1,
      id: 'b',
      expect: 'hidden',
      got: 'leaked',
      pass: false,
      code: 'leaked',
    });
  });

  test.each([
    ['missing', {}, 'error: cases.jsonl does not exist\n'],
    ['malformed', { 'cases.jsonl': `${pass}\n{"id":` }, 'error: cases.jsonl:2 is not a case'],
    ['not text', { 'cases.jsonl': '\u0000' }, 'error: cases.jsonl:1 is not a case'],
    ['empty', { 'cases.jsonl': '' }, 'error: cases.jsonl contains no cases\n'],
  ])('a file that is %s is one line and exit code 2', async (_name, files, message) => {
    const { code, stdout, stderr } = await sonde(['redact', '--cases', 'cases.jsonl'], {
      cwd: folderWith(files),
    });
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toContain(message);
  });

  test('does not wait for a stdin that stays open', async () => {
    const path = fileURLToPath(new URL('../../package.json', import.meta.url));
    expect((await sonde(['redact', '--cases', path])).code).toBe(2);
  });
});
