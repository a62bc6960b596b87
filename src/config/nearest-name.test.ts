import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

const NAMES = ['server.host', 'server.port', 'net.ca', 'log.level'];

test('finds the closest name', () => {
  expect(nearestName('server.prot', NAMES)).toBe('server.port');
  expect(nearestName('Server.Host', NAMES)).toBe('server.host');
  expect(nearestName('server.host', ['Server.Host'])).toBe('Server.Host');
});

test('returns nothing if no name is close', () => {
  expect(nearestName('completely', NAMES)).toBeUndefined();
  expect(nearestName('x'.repeat(10_000), NAMES)).toBeUndefined();
  expect(nearestName('x', [])).toBeUndefined();
});

test.each([
  ['one letter of a short name may differ', 'ax', 'ab', true],
  ['but not two', 'xx', 'ab', false],
  ['a letter may be missing', 'acd', 'abcd', true],
  ['the last one too', 'abc', 'abcd', true],
  ['a letter may be added', 'abxc', 'abc', true],
  ['in front too', 'xabc', 'abc', true],
  ['swapping two letters is one edit', 'ba', 'ab', true],
  ['anywhere in the name', 'abdc', 'abcd', true],
  ['unless there is a letter between them', 'cba', 'abc', false],
  ['two letters of six may differ', 'abcxyf', 'abcdef', true],
  ['but not three', 'abxyzf', 'abcdef', false],
  ['nor two of five', 'abxye', 'abcde', false],
  ['two swaps are two edits', 'badcef', 'abcdef', true],
  ['a swap and two replaced letters are three', 'bacxyf', 'abcdef', false],
])('%s: %s for %s', (_rule, name, known, isNear) => {
  expect(nearestName(name, [known])).toBe(isNear ? known : undefined);
});

test('of several names the closest is found, and of equally close ones the first', () => {
  expect(nearestName('abcdex', ['abcdyy', 'abcdey', 'abcxxx'])).toBe('abcdey');
  expect(nearestName('ax', ['ab', 'ac'])).toBe('ab');
});

test('names of up to 64 characters are compared', () => {
  expect(nearestName('a'.repeat(64), [`${'a'.repeat(63)}b`])).toBeDefined();
  expect(nearestName('a'.repeat(65), [`${'a'.repeat(64)}b`])).toBeUndefined();
});
