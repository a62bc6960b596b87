/**
 * The built embedded server while it is killed, its clock is changed, its disk fills up and its folder disappears. The
 * small disk and the late mount need the right to mount.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { FollowedStream } from './followed-stream.js';
import { endsOf, jobOf, newFolder, openSite, pause, postJob, until } from './operators-run.js';

const CLOCK = new URL('../support/stepped-clock.mjs', import.meta.url).href;

const STEPS_S = [30, 3_600, 86_400, 31 * 86_400];
const ARGS = [
  '--job-lease-ms',
  '2000',
  '--job-poll-ms',
  '200',
  '--rate-per-minute',
  '0',
  '--job-attempts',
  '50',
];

/** Moves the clock back and forth under a load of jobs; each job must still end within seconds. */
export async function runClockSteps(steps: { readonly each: number; readonly kills: number }) {
  const folder = newFolder();
  const site = await openSite();
  const file = join(folder, 'offset');
  const data = join(folder, 'data');
  let offsetSeconds = 0;
  const step = (bySeconds: number) => {
    offsetSeconds += bySeconds;
    writeFileSync(`${file}.new`, String(offsetSeconds));
    renameSync(`${file}.new`, file);
  };
  step(0);
  const env = { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_OFFSET_FILE: file };
  const start = () =>
    startBuiltServer({ folder: data, env, args: [...ARGS, '--allow-private', site.origin] });
  let server = await start();
  const ids: string[] = [];
  let [slowestMs, killed] = [0, 0];
  try {
    const turns = [...Array.from({ length: steps.each * 2 }, (_, n) => (n % 2 === 0 ? -1 : 1))];
    for (const [turn, sign] of turns.entries()) {
      const posted = [];
      for (let n = 0; n < 5; n++)
        posted.push(await postJob(() => server.url, `${site.origin}/good${turn}-${n}`));
      ids.push(...posted);
      step(sign * (STEPS_S[Math.floor(turn / 2) % STEPS_S.length] ?? 0));
      if (killed < steps.kills && turn % 4 === 3) {
        killed++;
        await server.kill();
        server = await start();
      }
      const from = performance.now();
      for (const jobId of posted) await ended(server, jobId);
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - from));
    }
    let [lost, endedTwice] = [0, 0];
    for (const jobId of ids) {
      const ends = await endsOf(server.url, jobId);
      if (ends === 0) lost++;
      if (ends > 1) endedTwice++;
    }
    return {
      back: steps.each,
      forward: steps.each,
      kills: killed,
      jobs: ids.length,
      slowestMs,
      lost,
      endedTwice,
    };
  } finally {
    await server.kill();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ended(server: BuiltServer, jobId: string): Promise<void> {
  await until('the job ends', async () => (await jobOf(server.url, jobId))?.status === 'done', 60_000);
}

/**
 * Kills the process under load, at any moment, and restarts it each time. Clients post jobs and append to streams, and
 * a reader follows each stream across all kills.
 */
export async function runKills(kills: number) {
  const folder = newFolder();
  const site = await openSite();
  const start = () => startBuiltServer({ folder, args: [...ARGS, '--allow-private', site.origin] });
  let server = await start();
  const ids: string[] = [];
  let over = false;
  const url = () => server.url;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; !over; n++) {
      ids.push(await postJob(url, `${site.origin}/good${client}-${n}`));
      // No faster than ten jobs at a time can run.
      await pause(100);
    }
  });
  const streams = Array.from({ length: 4 }, (_, n) => new FollowedStream(url, `s${n}`));
  const followed = streams.map((stream) => stream.run(() => over));
  try {
    for (let n = 0; n < kills; n++) {
      const acked = ids.length;
      await until('jobs are taken again', async () => ids.length > acked);
      await pause(Math.random() * 800);
      await server.kill();
      server = await start();
    }
    over = true;
    await Promise.all(clients);
    await Promise.all(followed);
    let [lost, endedTwice] = [0, 0];
    for (const jobId of ids) {
      await ended(server, jobId);
      const ends = await endsOf(server.url, jobId);
      if (ends === 0) lost++;
      if (ends > 1) endedTwice++;
    }
    const appends = streams.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const wrong = streams.filter((stream) => !stream.isExact()).length;
    return { kills, acknowledged: ids.length, lost, endedTwice, appends, wrongStreams: wrong };
  } finally {
    over = true;
    await server.kill();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills a separate disk to the last byte, and frees it again. */
export async function runFullDisk() {
  const folder = newFolder();
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]);
  const server = await startBuiltServer({ folder: join(disk, 'data'), args: ['--job-concurrency', '0'] });
  try {
    const before = await postJob(() => server.url, 'https://example.com/');
    // The server may release space when it is idle, so the disk is filled until no space is left.
    let [readyWhileFull, readyText] = [200, ''];
    await until('the server is not ready', async () => {
      fill(join(disk, 'filler'));
      const ready = await fetch(`${server.url}/api/ready`);
      [readyWhileFull, readyText] = [ready.status, await ready.text()];
      return readyWhileFull === 503;
    });
    rmSync(join(disk, 'filler'));
    await until(
      'the server is ready again',
      async () => (await fetch(`${server.url}/api/ready`)).status === 200,
    );
    await postJob(() => server.url, 'https://example.com/');
    const kept = (await jobOf(server.url, before))?.status === 'queued';
    return { readyWhileFull, named: /disk is full/.test(readyText), kept };
  } finally {
    await server.kill();
    execFileSync('umount', [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(path: string): void {
  for (let bytes = 1024 * 1024; bytes >= 1; ) {
    try {
      writeFileSync(path, new Uint8Array(bytes), { flag: 'a' });
    } catch {
      bytes = Math.floor(bytes / 2);
    }
  }
}

/** Moves the folder away and back, then removes it for good. */
export async function runFolderGone() {
  const folder = newFolder();
  const data = join(folder, 'data');
  const server = await startBuiltServer({ folder: data, args: ['--job-concurrency', '0'] });
  const put = async (name: string) =>
    (
      await fetch(`${server.url}/v1/stream/${name}`, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
      })
    ).status;
  let puts = 0;
  /** Statuses of a new job and a new stream. */
  const post = async () => {
    const job = await fetch(`${server.url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'hello', url: 'https://example.com/' }),
    });
    return [job.status, await put(`s${puts++}`)].join();
  };
  try {
    const before = await post();
    renameSync(data, `${data}.away`);
    await pause(1_000);
    const away = await post();
    renameSync(`${data}.away`, data);
    await pause(1_000);
    const back = await post();
    rmSync(data, { recursive: true });
    await pause(1_000);
    return { before, away, back, removed: await post() };
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A server that starts before its disk is mounted takes nothing once the disk is there, and has all of its data after a
 * restart.
 */
export async function runLateMount() {
  const folder = newFolder();
  const [disk, data] = [join(folder, 'disk'), join(folder, 'data')];
  const start = () => startBuiltServer({ folder: data, args: ['--job-concurrency', '0'] });
  mkdirSync(disk);
  mkdirSync(data);
  const mount = () => execFileSync('mount', ['--bind', disk, data]);
  const text = { 'content-type': 'text/plain' };
  const put = async (name: string) =>
    (await fetch(`${server.url}/v1/stream/${name}`, { method: 'PUT', headers: text, body: 'x' })).status;
  mount();
  let server = await start();
  try {
    const before = await put('before');
    await server.stop();
    execFileSync('umount', [data]);
    server = await start();
    mount();
    await pause(1_000);
    const late = await put('late');
    await server.kill();
    server = await start();
    const kept = (await fetch(`${server.url}/v1/stream/before?offset=-1`)).status;
    return { before, late, kept };
  } finally {
    await server.kill();
    execFileSync('umount', [data]);
    rmSync(folder, { recursive: true, force: true });
  }
}
