import process from 'node:process';
import { expect, test } from 'vitest';
import { assetForm } from './asset-urls.js';
import type { SampleView } from './sample-view.js';

const view = { map: (text: string) => text } as unknown as SampleView;
const formOf = (path: string) => assetForm(`https://example.com${path}`, view);

test.each([
  ['/app.3f9ac2d1.js', '//example.com/app.*.js'],
  ['/app-3f9ac2d1.min.js', '//example.com/app-*.min.js'],
  ['/app.js', '//example.com/app.js'],
  [`/${'long-'.repeat(40)}x.3f9ac2d1.js`, `//example.com/${'long-'.repeat(40)}x.*.js`],
])('%s is compared as %s', (path, form) => {
  expect(formOf(path)).toBe(form);
});

test('names full of separators take linear time', () => {
  const name = `/${'-'.repeat(1_900)}a1.js`;
  const startedAt = process.cpuUsage();
  for (let n = 0; n < 500; n++) formOf(name);
  const { user, system } = process.cpuUsage(startedAt);
  // A match attempt at every separator would take seconds.
  expect((user + system) / 1000).toBeLessThan(500);
});
