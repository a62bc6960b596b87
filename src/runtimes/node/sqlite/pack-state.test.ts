import { expect, test } from 'vitest';
import type { StreamState } from '../../../streams/index.js';
import { packStates, unpackStates } from './pack-state.js';

/** The values of the members differ, so that mixed-up members are detected. */
const STATE: StreamState = {
  id: 'stream/acme/a',
  life: 'a life',
  hash: 'abcde',
  contentType: 'text/plain',
  tail: { chunk: 1, position: 2 },
  totalBytes: 3,
  writeUnits: 4,
  createdAt: 5,
  accessedAt: 6,
  appendedAt: 4,
  ttlSeconds: 7,
  expiresAt: 8,
  closed: true,
  createdClosed: false,
  closedBy: { id: 'p', epoch: 9, seq: 10 },
  lastSeq: '11',
  deleted: true,
  ancestors: [
    { id: 'stream/acme/b', life: 'life of stream/acme/b', hash: 'bcdef', until: { chunk: 12, position: 13 } },
  ],
  corruptFrom: { chunk: 14, position: 15 },
  metadata: '{}',
};

test.each([
  ['a state', STATE],
  ['a list of them', [STATE, { ...STATE, deleted: false }]],
  ['a result with one', { kind: 'appended', state: STATE, sealed: false }],
  ['a result without', { kind: 'missing' }],
  ['a list of names', ['a', 'b']],
  ['nothing', undefined],
])('%s is unchanged after it was sent to another thread', (_name, value) => {
  expect(unpackStates(structuredClone(packStates(value)))).toEqual(value);
});

test('sends no member names', () => {
  expect(JSON.stringify(packStates(STATE))).not.toContain('contentType');
});
