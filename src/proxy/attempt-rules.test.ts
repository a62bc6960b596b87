import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ATTEMPT_RULES, leavesKeyOpen } from './attempt-rules.js';

const REFUSALS = [408, 409, 425, 429, 500, 501, 502, 503, 504, 529, 599];
const OTHERS = [
  200, 201, 204, 206, 299, 300, 302, 304, 400, 401, 403, 404, 410, 422, 424, 426, 451, 499, 600,
];

test.each(REFUSALS)('%i received whole leaves the key open, and received in part does not', (status) => {
  expect(leavesKeyOpen({ sent: true, status, outcome: 'completed' })).toBe(true);
  for (const outcome of ['aborted', 'timeout', 'failed'] as const)
    expect(leavesKeyOpen({ sent: true, status, outcome })).toBe(false);
});

test.each(OTHERS)('%i is final', (status) => {
  for (const outcome of ['completed', 'aborted', 'timeout', 'failed'] as const)
    expect(leavesKeyOpen({ sent: true, status, outcome })).toBe(false);
});

test('without a head the key is final, unless nothing was sent', () => {
  for (const outcome of ['aborted', 'timeout', 'failed'] as const)
    expect(leavesKeyOpen({ sent: true, status: null, outcome })).toBe(false);
  expect(leavesKeyOpen({ sent: false, status: null, outcome: 'failed' })).toBe(true);
});

test('the specification has the same table', () => {
  const spec = readFileSync('docs/SPEC.md', 'utf8');
  const rows = ATTEMPT_RULES.map(({ ending, key }) => `  | ${ending} | ${key} |`);
  expect(spec).toContain(rows.join('\n'));
});
