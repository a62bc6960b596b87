import { expect, test } from 'vitest';
import { parseBytes, parseMs } from './parse-units.js';

test.each([
  ['0', 0],
  ['512', 512],
  ['512B', 512],
  ['16KiB', 16_384],
  ['10MiB', 10_485_760],
  ['1GiB', 1_073_741_824],
])('%s is %d bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes));

test.each(['', '10MB', '10mib', '1.5MiB', '-1', '10 MiB', '1e3', '999999999999999GiB', '0x10'])(
  '%j is not a size',
  (text) => expect(parseBytes(text)).toBeUndefined(),
);

test.each([
  ['250', 250],
  ['250ms', 250],
  ['10s', 10_000],
  ['5m', 300_000],
  ['24h', 86_400_000],
  ['30d', 2_592_000_000],
])('%s is %d ms', (text, ms) => expect(parseMs(text)).toBe(ms));

test.each(['', '10 s', '1.5h', '-1s', '1w', '10S'])('%j is not a time', (text) =>
  expect(parseMs(text)).toBeUndefined(),
);
