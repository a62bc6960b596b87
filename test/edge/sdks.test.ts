import { expect, test } from 'vitest';
import { runSdks } from '../faults/sdks.js';
import { KILLED_EDGE } from '../support/edge-victims.js';

test('three SDKs with default retries: one upstream call per attempt, every token exactly once', async () => {
  const { streams } = await runSdks(1, 7, KILLED_EDGE);
  expect(streams).toBe(24);
}, 600_000);
