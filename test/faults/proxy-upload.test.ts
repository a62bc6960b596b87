import { expect, test } from 'vitest';
import { uploadThroughRoute } from './proxy-upload.js';

const MIB = 1024 * 1024;

test('an upload of 160 MiB through an inline route uses less than 100 MB of extra memory', async () => {
  const { extraBytes } = await uploadThroughRoute(160 * MIB);
  expect(extraBytes).toBeLessThan(100e6);
}, 300_000);
