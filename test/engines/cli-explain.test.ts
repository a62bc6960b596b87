import { expect, test } from 'vitest';
import { shareProcess } from './cli-process.js';

const sonde = shareProcess();

test.each([
  ['STATUS_MISMATCH', /^STATUS_MISMATCH\n[\s\S]*What to do/],
  ['status-mismatch', /^STATUS_MISMATCH\n/],
  ['a11y.accesskey', /^a11y\.accesskey: [\s\S]*Fix\./],
  ['ssrf_blocked', /--allow-private/],
  ['CREATE_INDETERMINATE', /new key/],
])('explains %s', async (code, text) => {
  const { code: exit, stdout } = await sonde(['explain', code]);
  expect([exit, stdout]).toEqual([0, expect.stringMatching(text)]);
});

test('lists all codes, and suggests one for a mistyped code', async () => {
  const { codes } = JSON.parse((await sonde(['explain', '--json'])).stdout);
  expect(codes.length).toBeGreaterThan(200);
  const { code, stderr } = await sonde(['explain', 'STATUS_MISMACH']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean STATUS_MISMATCH?')]);
});
