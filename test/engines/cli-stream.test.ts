import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveForTest, type TestOptions } from '../support/serve.js';
import { finished, folderWith, shareProcess, sonde, startSonde } from './cli-process.js';

/** For clients of a server. A command that opens a folder needs its own process, whose exit releases the folder. */
const client = shareProcess();

/** In this process, because only the commands are under test. They find the secret of its folder in `cwd`. */
async function serve(cwd: string, options: TestOptions = {}) {
  const { url, stop } = await serveForTest({ dataDir: join(cwd, 'sonde-data'), auth: 'jwt', ...options });
  onTestFinished(stop);
  const run = (words: string[], input?: string) =>
    client(['stream', ...words, '--server', url], { cwd, ...(input !== undefined && { input }) });
  return { url, run, stop };
}

/** Over HTTP where the commands are not under test: each would be a process. */
async function write(url: string, name: string, { method = 'POST', body = '', close = false } = {}) {
  const headers = { 'content-type': 'text/plain', ...(close && { 'stream-closed': 'true' }) };
  const response = await fetch(`${url}/v1/stream/${name}`, { method, headers, ...(body && { body }) });
  expect(response.ok).toBe(true);
}

test('create, append, head, read and rm work with a token minted on the way', async () => {
  const { run } = await serve(folderWith());
  const made = await run(['create', 'notes/a b', '--content-type', 'text/plain']);
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^created {2}notes\/a b {2}\w{5}:0{8}:0{10}\n$/),
  ]);
  expect((await run(['create', 'notes/a b', '--content-type', 'text/plain'])).stdout).toMatch(/^exists/);
  expect((await run(['append', 'notes/a b'], 'hello ')).stdout).toMatch(/^appended {2}6 bytes/);
  expect((await run(['append', 'notes/a b', '--close'], 'world')).code).toBe(0);
  expect(JSON.parse((await run(['head', 'notes/a b', '--json'])).stdout)).toMatchObject({
    schemaVersion: 1,
    contentType: 'text/plain',
    bytes: '11',
    closed: 'true',
  });
  const read = await run(['read', 'notes/a b']);
  expect([read.code, read.stdout, read.stderr]).toEqual([
    0,
    'hello world',
    expect.stringMatching(/^next offset .*, closed\n$/),
  ]);
  expect((await run(['rm', 'notes/a b'])).stdout).toBe('deleted  notes/a b\n');
});

test('list shows streams newest first, by kind, state and prefix, over all pages', async () => {
  const { url, run } = await serve(folderWith(), { auth: 'none' });
  expect((await run(['list'])).stderr).toBe('no streams\n');
  const names = Array.from({ length: 205 }, (_, n) => `notes/${String(n).padStart(3, '0')}`);
  for (const name of ['other', ...names]) await write(url, name, { method: 'PUT' });
  await write(url, 'other', { body: 'hello', close: true });
  const list = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(['list', ...args]);
    return { code, stderr, names: stdout.split('\n').map((line) => line.split(/\s+/).at(-1)), stdout };
  };
  const few = await list('--limit', '2');
  expect(few).toMatchObject({ code: 0, stderr: 'more streams exist; raise --limit to list them\n' });
  expect(few.names).toEqual(['notes/204', 'notes/203', '']);
  const all = await list('--prefix', 'notes/', '--limit', '1000');
  expect([all.stderr, all.names]).toEqual(['', [...names, '']]);
  const { stdout } = await list('--state', 'closed');
  expect(stdout).toMatch(/^\S+Z {2}closed +5 {2}other\n$/);
  expect(JSON.parse((await run(['list', '--state', 'closed', '--json'])).stdout)).toMatchObject({
    schemaVersion: 1,
    streams: [{ kind: 'stream', id: 'other', bytes: 5, state: 'closed' }],
    next: null,
  });
  expect(await list('--kind', 'response')).toMatchObject({ code: 0, stdout: '' });
  expect((await run(['list', '--limit', '0'])).code).toBe(2);
  expect((await run(['list', '--kind', 'cake'])).code).toBe(2);
});

test('tail -f prints what arrives, ends with the stream, and stops at a signal', async () => {
  const cwd = folderWith();
  const { url } = await serve(cwd, { longPollMs: 300, auth: 'none' });
  await write(url, 'live', { method: 'PUT' });
  const tail = startSonde(['stream', 'tail', '-f', 'live', '--offset', '-1', '--server', url], { cwd });
  const ended = finished(tail);
  const first = once(tail.stdout, 'data');
  await write(url, 'live', { body: 'one\n' });
  expect(String((await first)[0])).toBe('one\n');
  await write(url, 'live', { body: 'two\n', close: true });
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([0, 'one\ntwo\n']);

  await write(url, 'open', { method: 'PUT' });
  const waiting = startSonde(['stream', 'tail', '-f', 'open', '--offset', '-1', '--server', url], { cwd });
  const stopped = finished(waiting);
  const shown = once(waiting.stdout, 'data');
  await write(url, 'open', { body: 'x' });
  await shown;
  waiting.kill('SIGINT');
  expect((await stopped).code).toBe(130);
});

test('a missing stream or an invalid offset exits with 4, an invalid name with 2', async () => {
  const { run } = await serve(folderWith());
  const refused = async (words: string[]) => {
    const { code, stdout, stderr } = await run(words);
    expect([words, stdout]).toEqual([words, '']);
    return [code, stderr];
  };
  expect(await refused(['head', 'missing'])).toEqual([4, expect.stringContaining('stream not found')]);
  expect(await refused(['read', 'missing', '--offset', 'junk'])).toEqual([
    4,
    expect.stringContaining('offset'),
  ]);
  expect(await refused(['head', ''])).toEqual([2, expect.stringContaining('name')]);
});

test('an unreachable server exits with 3, a wrong token with 4', async () => {
  const { url, run, stop } = await serve(folderWith());
  const refused = await run(['head', 'a', '--token', 'wrong-token']);
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('401')]);
  expect(refused.stderr).not.toContain('wrong-token');
  await stop();
  expect((await client(['stream', 'head', 'a', '--server', url])).code).toBe(3);
});

test('compact rewrites the files of a folder that no server uses', async () => {
  const cwd = folderWith();
  const { url, run, stop } = await serve(cwd, { auth: 'none' });
  await run(['create', 'a', '--content-type', 'text/plain']);
  for (let n = 0; n < 4; n++) await write(url, 'a', { body: 'x'.repeat(4_000_000) });
  const busy = await sonde(['compact'], { cwd });
  expect([busy.code, busy.stderr]).toEqual([2, expect.stringContaining('another process')]);
  await run(['rm', 'a']);
  await stop();
  const done = await sonde(['compact', '--json'], { cwd });
  expect(done.code, done.stderr).toBe(0);
  const { files } = JSON.parse(done.stdout);
  expect(files).toMatchObject([{ file: 'sonde.db' }, { file: 'records.db' }]);
  expect(files[0].bytesAfter).toBeLessThan(1_000_000);
  const again = await serve(cwd);
  await again.run(['create', 'b', '--content-type', 'text/plain']);
  await again.stop();
  expect((await sonde(['compact'], { cwd: folderWith() })).code).not.toBe(0);
});

describe('verify', () => {
  test('handles a sound folder, a folder in use, and one without streams', async () => {
    const cwd = folderWith();
    const { run, stop } = await serve(cwd);
    await run(['create', 'a', '--content-type', 'text/plain']);
    await run(['append', 'a'], 'hello');
    const busy = await sonde(['stream', 'verify'], { cwd });
    expect([busy.code, busy.stderr]).toEqual([2, expect.stringContaining('another process')]);
    await stop();
    const sound = await sonde(['stream', 'verify', '--json'], { cwd });
    expect([sound.code, JSON.parse(sound.stdout)]).toEqual([
      0,
      { schemaVersion: 1, streams: 1, bytes: 5, damaged: [], missing: [], wronglyMarked: [] },
    ]);
    expect((await sonde(['stream', 'verify'], { cwd: folderWith() })).code).toBe(2);
  });

  test('reports a stream with a flipped bit in a cold segment; the server serves what is before it', async () => {
    const cwd = folderWith();
    const first = await serve(cwd, { auth: 'none' });
    await write(first.url, 'big', { method: 'PUT' });
    for (const body of ['a'.repeat(3_000_000), 'b'.repeat(3_000_000), 'tail']) {
      await write(first.url, 'big', { body });
    }
    const segments = join(cwd, 'sonde-data', 'segments');
    // Sealing waits for a pause between appends.
    await vi.waitFor(() => expect(filesIn(segments)).not.toEqual([]), { timeout: 30_000 });
    await first.stop();
    flipBit(segments, 4_000_000);
    const found = await sonde(['stream', 'verify', '--json'], { cwd });
    expect(found.code).toBe(1);
    expect(JSON.parse(found.stdout).damaged).toMatchObject([
      { id: 'stream/default/big', damagedFrom: expect.stringMatching(/^\w{5}:00000000:0003000000$/) },
    ]);

    const second = await serve(cwd, { auth: 'none' });
    const ask = (offset: string) => fetch(`${second.url}/v1/stream/big?offset=${offset}`);
    await expect(ask('-1').then((response) => response.text())).rejects.toThrow();
    const again = await ask('-1');
    expect([again.status, (await again.text()).length, again.headers.get('stream-up-to-date')]).toEqual([
      200,
      3_000_000,
      null,
    ]);
    const after = await ask(again.headers.get('stream-next-offset') ?? '');
    expect([after.status, (await after.json()).error.code]).toEqual([500, 'STREAM_CORRUPT']);
    const append = await fetch(`${second.url}/v1/stream/big`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(append.status).toBe(500);
    expect((await (await fetch(`${second.url}/api/ready`)).json()).attention).toEqual(['stream/default/big']);
  });
});

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
}

function flipBit(folder: string, at: number): void {
  const [file] = filesIn(folder);
  if (!file) throw new Error('no segment was written');
  const path = join(file.parentPath, file.name);
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
