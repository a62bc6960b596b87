import { expect, test } from 'vitest';
import { configError, invalidValue, unknownKey } from './config-problem.js';

const ROW = { key: 'a.b', form: 'a form' } as const;
const messageOf = (value: unknown, more: { secret?: true } = {}) =>
  invalidValue({ ...ROW, ...more }, { value, origin: 'default' }).message;

test('a value is quoted if it is short and contains no credentials', () => {
  expect(messageOf('x'.repeat(78))).toBe(`a.b: expected a form, got "${'x'.repeat(78)}" (default)`);
  expect(messageOf([1])).toBe('a.b: expected a form, got [1] (default)');
  const cycle: unknown[] = [];
  cycle.push(cycle);
  for (const value of ['x'.repeat(79), 'u:p@h', 1n, cycle, undefined]) {
    expect(messageOf(value)).toBe('a.b: expected a form (default)');
  }
  expect(messageOf('x', { secret: true })).toBe('a.b: expected a form (default)');
});

test('the position inside the value follows its key', () => {
  const { message } = invalidValue(ROW, { value: 1, origin: 'file x', at: '[0].c' });
  expect(message).toBe('a.b[0].c: expected a form, got 1 (file x)');
});

test('a long unknown name is cut off, and a hint follows', () => {
  const of = (name: string, hint?: string) => unknownKey({ name, origin: 'file x', hint }).message;
  expect(of('x'.repeat(80))).toBe(`${'x'.repeat(80)} is not a known setting (file x)`);
  expect(of('x'.repeat(81), 'do it')).toBe(`${'x'.repeat(80)}… is not a known setting (file x); do it`);
});

test('one error reports all problems under the code of the first', () => {
  const [first, second] = [
    unknownKey({ name: 'a', origin: 'x' }),
    invalidValue(ROW, { value: 1, origin: 'x' }),
  ];
  expect(configError([first, second])).toMatchObject({
    code: 'CONFIG_UNKNOWN_KEY',
    message: `${first.message}; ${second.message}`,
    details: { problems: [first.message, second.message] },
  });
  expect(configError([second, first]).code).toBe('CONFIG_INVALID_VALUE');
});
