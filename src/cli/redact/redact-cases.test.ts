import { expect, test } from 'vitest';
import { createRedactor } from '../../net/redact/index.js';
import { parseRedactCases, runRedactCase } from './redact-cases.js';

const bearer = 'Authorization: Bearer abcdef1234567890abcdef';
const run = (hide: string[], keep: string[], input: unknown = bearer) =>
  runRedactCase({ id: 'x', input, hide, keep }, createRedactor());

test('a case passes if every hide string is gone and every keep string is present', () => {
  expect(run(['abcdef1234567890'], ['Authorization'])).toEqual({
    id: 'x',
    expect: 'hidden+kept',
    got: 'hidden+kept',
    pass: true,
    code: null,
  });
  expect(run([], [])).toMatchObject({ expect: 'nothing', got: 'nothing', pass: true });
});

test('distinguishes leaks and losses', () => {
  expect(run(['Authorization'], [])).toMatchObject({
    expect: 'hidden',
    got: 'leaked',
    pass: false,
    code: 'leaked',
  });
  expect(run([], ['abcdef1234567890'])).toMatchObject({
    expect: 'kept',
    got: 'lost',
    pass: false,
    code: 'lost',
  });
  expect(run(['Authorization'], ['absent'])).toMatchObject({ got: 'leaked+lost', code: 'leaked' });
});

test('redacts an input that is not text as a value', () => {
  const input = { headers: [['Authorization', 'Bearer abcdef1234567890abcdef']], host: 'h.test' };
  expect(run(['abcdef1234567890'], ['h.test'], input)).toMatchObject({ pass: true });
});

test('refuses a file with anything but cases', () => {
  const good = '{"id":"a","input":"x","hide":[],"keep":["x"]}';
  expect(parseRedactCases('f', `${good}\n\n${good}\n`)).toHaveLength(2);
  for (const bad of ['', 'secret', '{"id":1}', '[]', 'null', '{"id":"a","input":"x","hide":"y","keep":[]}']) {
    expect(() => parseRedactCases('f.jsonl', `${good}\n${bad || good.slice(3)}`)).toThrow(
      /^f\.jsonl:2 is not a case/,
    );
  }
  expect(() => parseRedactCases('f', '\n')).toThrow('f contains no cases');
});
