/**
 * An embedded server, as built, whose clock is set, whose disk fills up and whose folder goes away. Steps of the
 * clock need libfaketime, and a small disk the right to mount one; each is refused with a sentence if it is missing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { endsOf, jobOf, newFolder, openSite, pause, postJob, until } from './operators-run.js';

const FAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

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

/** Steps back and forth under a load of jobs; each job must still end in seconds. */
export async function runClockSteps(steps: { readonly each: number; readonly kills: number }) {
  if (!FAKETIME) throw new Error('steps of the clock need libfaketime: apt-get install faketime');
  const folder = newFolder();
  const site = await openSite();
  const file = join(folder, 'offset');
  const data = join(folder, 'data');
  let offsetSeconds = 0;
  const step = (bySeconds: number) => {
    offsetSeconds += bySeconds;
    writeFileSync(`${file}.new`, `${offsetSeconds < 0 ? '-' : '+'}${Math.abs(offsetSeconds)}`);
    renameSync(`${file}.new`, file);
  };
  step(0);
  const env = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
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

/** Kills under load, at any moment; the process is started again each time. */
export async function runKills(kills: number) {
  const folder = newFolder();
  const site = await openSite();
  const start = () => startBuiltServer({ folder, args: [...ARGS, '--allow-private', site.origin] });
  let server = await start();
  const ids: string[] = [];
  let over = false;
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; !over; n++)
      ids.push(await postJob(() => server.url, `${site.origin}/good${client}-${n}`));
  });
  try {
    for (let n = 0; n < kills; n++) {
      await pause(200 + Math.random() * 800);
      await server.kill();
      server = await start();
    }
    over = true;
    await Promise.all(clients);
    let [lost, endedTwice] = [0, 0];
    for (const jobId of ids) {
      await ended(server, jobId);
      const ends = await endsOf(server.url, jobId);
      if (ends === 0) lost++;
      if (ends > 1) endedTwice++;
    }
    return { kills, acknowledged: ids.length, lost, endedTwice };
  } finally {
    over = true;
    await server.kill();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A disk of its own that is filled to the last byte, and freed again. */
export async function runFullDisk() {
  const folder = newFolder();
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]);
  const server = await startBuiltServer({ folder: join(disk, 'data'), args: ['--job-concurrency', '0'] });
  try {
    const before = await postJob(() => server.url, 'https://example.com/');
    fill(join(disk, 'filler'));
    const ready = await fetch(`${server.url}/api/ready`);
    const readyText = await ready.text();
    rmSync(join(disk, 'filler'));
    await until(
      'the server is ready again',
      async () => (await fetch(`${server.url}/api/ready`)).status === 200,
    );
    await postJob(() => server.url, 'https://example.com/');
    const kept = (await jobOf(server.url, before))?.status === 'queued';
    return { readyWhileFull: ready.status, named: /disk is full/.test(readyText), kept };
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

/** Moved away and back, then removed for good. */
export async function runFolderGone() {
  const folder = newFolder();
  const data = join(folder, 'data');
  const server = await startBuiltServer({ folder: data, args: ['--job-concurrency', '0'] });
  const post = async () =>
    (
      await fetch(`${server.url}/api/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'hello', url: 'https://example.com/' }),
      })
    ).status;
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
