import { expect, test } from 'vitest';
import { runSdks } from './sdks.js';

test('three SDKs with default retries: one upstream call per attempt, every token exactly once', async () => {
  const { streams } = await runSdks(1, 7);
  expect(streams).toBe(24);
}, 600_000);
