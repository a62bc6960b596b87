/** Only objects that iterate over pairs and can append are read like headers; errors show their hidden properties. */
import { expect, test } from 'vitest';
import { shapeOf, UNREADABLE } from './plain-shape.js';

const entriesOf = (input: unknown): unknown => {
  const shape = shapeOf(input);
  return shape.kind === 'entries' ? shape.entries.map(([key, read]) => [key, read()]) : shape;
};

function* pairs(): Generator<unknown> {
  yield ['a', 1];
  yield 'no pair';
  yield ['b', 2];
  yield ['a', 3];
  yield ['a', 4];
}

test('a literal that iterates and can append is read like headers', () => {
  expect(entriesOf({ append: () => {}, [Symbol.iterator]: pairs })).toEqual([
    ['a', [1, 3, 4]],
    ['b', 2],
  ]);
});

test('an instance that only iterates or only appends shows its properties', () => {
  class Iterates {
    own = 1;
    *[Symbol.iterator](): Generator<unknown> {
      yield ['a', 1];
    }
  }
  class Appends {
    own = 2;
    append(): void {}
  }
  expect([entriesOf(new Iterates()), entriesOf(new Appends())]).toEqual([[['own', 1]], [['own', 2]]]);
});

test('an error shows what Object.keys leaves out, without what is empty', () => {
  const keys = (error: Error): unknown => (entriesOf(error) as [string, unknown][]).map(([key]) => key);
  expect(keys(new Error(''))).toEqual(['name', 'stack']);
  expect(keys(Object.assign(new Error('m'), { code: 'E', name: 'N' }))).toEqual([
    'name',
    'message',
    'stack',
    'code',
  ]);
  expect(keys(new AggregateError([], 'm', { cause: 'c' }))).toEqual([
    'name',
    'message',
    'stack',
    'cause',
    'errors',
  ]);
});

test('a map with only texts as keys has entries, any other is a list of pairs', () => {
  const numbered = new Map<unknown, unknown>([
    ['a', 1],
    [2, 3],
  ]);
  expect(entriesOf(new Map([['a', 1]]))).toEqual([['a', 1]]);
  expect(shapeOf(numbered)).toMatchObject({ kind: 'list', items: [...numbered] });
});

test('a getter that throws affects only itself', () => {
  const source = {
    a: 1,
    get b(): never {
      throw new Error('no');
    },
  };
  expect(entriesOf(source)).toEqual([
    ['a', 1],
    ['b', UNREADABLE],
  ]);
});
