import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepingLog } from '../../../../test/support/keeping-log.js';
import { createSecretBox } from '../../../streams/index.js';
import { sealingKeys } from './sealing-keys.js';
import { secretFiles } from './secrets.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonde-sealing-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const box = async (options: { sealingSecret?: readonly string[]; webhookSecret?: string } = {}) =>
  createSecretBox(
    await sealingKeys({ secrets: secretFiles(dataDir), log: keepingLog(), ...options }),
    'a purpose',
  );

const WEBHOOK = 'a-webhook-secret-of-32-characters';
const OLD = 'an-old-sealing-secret-of-32-chars!';
const NEW = 'a-new-sealing-secret-of-32-chars!!';

test('a key that was renamed to the previous one still opens', async () => {
  const sealed = await (await box()).seal('text', 'owner');
  renameSync(join(dataDir, 'secrets', 'sealing.key'), join(dataDir, 'secrets', 'sealing.previous.key'));
  const rotated = await box();
  expect(await rotated.open(sealed, 'owner')).toBe('text');
  const again = await rotated.seal('text', 'owner');
  rmSync(join(dataDir, 'secrets', 'sealing.previous.key'));
  expect(await (await box()).open(again, 'owner')).toBe('text');
  expect(await (await box()).open(sealed, 'owner')).toBeUndefined();
});

test('a configured secret can be rotated and does not depend on the webhook secret', async () => {
  const before = await (await box({ webhookSecret: WEBHOOK })).seal('text', 'owner');
  const own = await box({ webhookSecret: WEBHOOK, sealingSecret: [OLD] });
  expect(await own.open(before, 'owner')).toBe('text');
  const sealed = await own.seal('text', 'owner');
  const rotated = await box({
    webhookSecret: 'another-webhook-secret-of-32-chars',
    sealingSecret: [NEW, OLD],
  });
  expect(await rotated.open(sealed, 'owner')).toBe('text');
});
