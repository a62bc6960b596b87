import { expect, test } from 'vitest';
import { runSdks } from '../faults/sdks.js';
import { KILLED_EDGE } from '../support/edge-victims.js';

test('three SDKs with default retries: one upstream call per attempt, none after an indeterminate one, every token once', async () => {
  const { streams } = await runSdks(1, 7, KILLED_EDGE);
  expect(streams).toBe(24);
}, 600_000);
