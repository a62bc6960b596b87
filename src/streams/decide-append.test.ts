import { describe, expect, test } from 'vitest';
import { decideAppend } from './decide-append.js';
import type { AppendInput, ProducerTuple, StreamState } from './stream-store.js';

const STATE = {
  contentType: 'Text/Plain; charset=utf-8',
  totalBytes: 90,
  accessedAt: 0,
  ttlSeconds: null,
  expiresAt: null,
  closed: false,
  closedBy: null,
  lastSeq: null,
  deleted: false,
  corruptFrom: null,
} as unknown as StreamState;

const INPUT: AppendInput = {
  data: new Uint8Array(10),
  contentType: 'text/plain',
  seq: null,
  producer: null,
  close: false,
  now: 1_000,
  bytesMax: 100,
};

const WRITE = { kind: 'write' };
const refuse = (rule: string, facts: object = {}) => ({ kind: 'refuse', why: { rule, ...facts } });
const duplicate = (highestSeq: number) => ({ kind: 'duplicate', highestSeq });
const producer = (epoch: number, seq: number, id = 'p'): ProducerTuple => ({ id, epoch, seq });

function decide(state: Partial<StreamState>, input: Partial<AppendInput> = {}, known?: ProducerTuple) {
  return decideAppend({ ...STATE, ...state }, { ...INPUT, ...input }, known);
}

describe('a stream that takes no appends', () => {
  const corruptFrom = { chunk: 0, position: 0 };
  test.each([
    [{ expiresAt: 1_000 }, refuse('expired')],
    [{ expiresAt: 1_001 }, WRITE],
    [{ deleted: true }, refuse('deleted')],
    [{ corruptFrom }, refuse('corrupt')],
    [{ expiresAt: 1, deleted: true }, refuse('expired')],
    [{ deleted: true, corruptFrom }, refuse('deleted')],
    [{ corruptFrom, closed: true }, refuse('corrupt')],
  ])('%j: %j', (state, decision) => {
    expect(decide(state)).toEqual(decision);
  });
});

describe('content type', () => {
  test.each([
    [{}, WRITE],
    [{ contentType: 'text/html' }, refuse('content_type')],
    [{ contentType: null }, WRITE],
    [{ contentType: 'text/html', data: null, close: true }, WRITE],
    [{ contentType: 'text/html', producer: producer(0, 5) }, refuse('content_type')],
  ])('%j: %j', (input, decision) => {
    expect(decide({}, input)).toEqual(decision);
  });
});

describe('a closed stream', () => {
  const closed = { closed: true, closedBy: producer(1, 5) };
  const close = { data: null, close: true };
  test.each<[string, Partial<AppendInput>, object]>([
    ['an append', {}, refuse('closed')],
    ['an append of another type', { contentType: 'text/html' }, refuse('closed')],
    ['a close without data', close, duplicate(0)],
    ['neither data nor close', { data: null }, refuse('closed')],
    ['a close with data', { close: true }, refuse('closed')],
    ['the retry of the close', { close: true, producer: producer(1, 5) }, duplicate(5)],
    ['another producer', { ...close, producer: producer(1, 5, 'q') }, refuse('closed')],
    ['another epoch', { ...close, producer: producer(2, 5) }, refuse('closed')],
    ['another sequence number', { ...close, producer: producer(1, 4) }, refuse('closed')],
  ])('%s', (_name, input, decision) => {
    expect(decide(closed, input)).toEqual(decision);
  });

  test('that no producer closed accepts no producer', () => {
    expect(decide({ closed: true }, { ...close, producer: producer(0, 0) })).toEqual(refuse('closed'));
    expect(decide({ closed: true }, close)).toEqual(duplicate(0));
  });
});

describe('a producer', () => {
  const known = producer(3, 7);
  test.each<[ProducerTuple, ProducerTuple | undefined, object]>([
    [producer(0, 0), undefined, WRITE],
    [producer(9, 0), undefined, WRITE],
    [producer(0, 1), undefined, refuse('producer_gap', { expected: 0 })],
    [producer(4, 0), known, WRITE],
    [producer(4, 1), known, refuse('epoch_start')],
    [producer(2, 8), known, refuse('stale_epoch', { epoch: 3 })],
    [producer(3, 6), known, duplicate(7)],
    [producer(3, 7), known, duplicate(7)],
    [producer(3, 8), known, WRITE],
    [producer(3, 9), known, refuse('producer_gap', { expected: 8 })],
  ])('at %j after %j: %j', (given, last, decision) => {
    expect(decide({}, { producer: given }, last)).toEqual(decision);
  });

  test('is checked before Stream-Seq and size', () => {
    const state = { lastSeq: 'b', totalBytes: 100 };
    expect(decide(state, { producer: producer(3, 7), seq: 'a' }, known)).toEqual(duplicate(7));
  });
});

describe('Stream-Seq', () => {
  test.each([
    [null, null, WRITE],
    ['a', null, WRITE],
    [null, 'b', WRITE],
    ['a', 'b', refuse('seq', { last: 'b' })],
    ['b', 'b', refuse('seq', { last: 'b' })],
    ['10', '9', refuse('seq', { last: '9' })],
    ['c', 'b', WRITE],
  ])('%j after %j: %j', (seq, lastSeq, decision) => {
    expect(decide({ lastSeq }, { seq })).toEqual(decision);
  });
});

describe('the expected length', () => {
  test.each([
    [90, WRITE],
    [89, refuse('gap')],
    [91, refuse('gap')],
    [0, refuse('gap')],
  ])('%i of 90 bytes: %j', (after, decision) => {
    expect(decide({}, { after })).toEqual(decision);
  });

  test('is checked before the size', () => {
    expect(decide({}, { after: 0, bytesMax: 1 })).toEqual(refuse('gap'));
  });
});

describe('the size', () => {
  test.each([
    [{ bytesMax: 100 }, WRITE],
    [{ bytesMax: 99 }, refuse('stream_size')],
    [{ bytesMax: 90, data: null, close: true }, WRITE],
  ])('%j: %j', (input, decision) => {
    expect(decide({}, input)).toEqual(decision);
  });
});
