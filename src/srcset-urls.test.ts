import { expect, it } from 'vitest';
import { cpuMs } from '../test/support/cpu-time.js';
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

it('handles two megabytes of commas in linear time', () => {
  const texts = [','.repeat(2_000_000), `${'a'.repeat(1_000_000)},`];
  expect(cpuMs(() => texts.map((text) => srcsetUrls(text)))).toBeLessThan(2_000);
});
