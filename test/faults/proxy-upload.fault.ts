import { expect, test } from 'vitest';
import { report } from '../support/fault-report.js';
import { uploadThroughRoute } from './proxy-upload.js';

test('an upload of 512 MiB through an inline route uses less than 100 MB of extra memory', async () => {
  const figures = await uploadThroughRoute(512 * 1024 * 1024);
  report('proxy-upload', figures);
  expect(figures.extraBytes).toBeLessThan(100e6);
});
