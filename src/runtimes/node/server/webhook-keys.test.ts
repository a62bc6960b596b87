import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretFiles } from './secrets.js';

test('creates webhook keys once, readable only by their owner and different from all other secrets', async () => {
  const data = await mkdtemp(join(tmpdir(), 'sonde-webhook-keys-'));
  try {
    const created = await secretFiles(data).webhooks();
    const others = await secretFiles(data).auth();
    expect(new Set([...Object.values(created), ...Object.values(others)]).size).toBe(4);
    expect(await secretFiles(data).webhooks()).toEqual(created);
    const folder = join(data, 'secrets');
    for (const name of await readdir(folder)) {
      expect([name, (await stat(join(folder, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['callback.key', 'webhook.key']));
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
