import { expect, test } from 'vitest';
import { readProducer } from './producer-headers.js';

type Given = readonly [id: string | null, epoch: string | null, seq: string | null];

function read([id, epoch, seq]: Given) {
  const headers = new Map([
    ['producer-id', id],
    ['producer-epoch', epoch],
    ['producer-seq', seq],
  ]);
  return readProducer({ header: (name) => headers.get(name) ?? null });
}

test('a request may have no producer', () => {
  expect(read([null, null, null])).toBeNull();
});

test('whole numbers up to the largest safe one are read', () => {
  expect(read(['p', '0', '12'])).toEqual({ id: 'p', epoch: 0, seq: 12 });
  expect(read([' ', '9007199254740991', '0'])).toEqual({ id: ' ', epoch: 9_007_199_254_740_991, seq: 0 });
});

test.each<Given>([
  ['p', null, null],
  [null, '0', null],
  [null, null, '0'],
  ['p', '0', null],
  ['p', null, '0'],
  [null, '0', '0'],
])('Producer-Id %j, -Epoch %j and -Seq %j are refused, because one is missing', (...given) => {
  expect(() => read(given)).toThrow('must be sent together');
});

test.each<readonly [...Given, string]>([
  ['', '0', '0', 'Producer-Id is empty'],
  ['p', '01', '0', 'Producer-Epoch must be a whole number'],
  ['p', '0', '1x', 'Producer-Seq must be a whole number'],
  ['p', 'x1', '0', 'Producer-Epoch'],
  ['p', '-1', '0', 'Producer-Epoch'],
  ['p', '1.0', '0', 'Producer-Epoch'],
  ['p', '0', '1e3', 'Producer-Seq'],
  ['p', '0', '', 'Producer-Seq'],
  ['p', '0', '9007199254740992', 'Producer-Seq'],
])('Producer-Id %j, -Epoch %j and -Seq %j are refused', (id, epoch, seq, message) => {
  expect(() => read([id, epoch, seq])).toThrow(message);
});
