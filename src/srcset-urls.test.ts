import { expect, it } from 'vitest';
import { srcsetUrls } from './srcset-urls.js';

it.each([
  ['a.png 1x, b.png 2x', ['a.png', 'b.png']],
  ['a.png, b.png 2x,', ['a.png', 'b.png']],
  ['data:image/png,AA 1x, /b.png 300w', ['data:image/png,AA', '/b.png']],
  [' , ', []],
  ['', []],
])('reads %j', (srcset, urls) => {
  expect(srcsetUrls(srcset)).toEqual(urls);
});

it('ends on two megabytes of commas', () => {
  const startedAt = performance.now();
  srcsetUrls(','.repeat(2_000_000));
  srcsetUrls(`${'a'.repeat(1_000_000)},`);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
