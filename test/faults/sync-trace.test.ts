import { expect, test } from 'vitest';
import { proveSyncs } from '../support/sync-trace.js';

/** Tests the checker of `npm run faults -- streams-sync` with traces whose verdict is known. */
const LOG = '29</data/sonde.db-wal>';
const SOCKET = '32<TCP:[127.0.0.1:1->127.0.0.1:2]>';
const write = (n: number, path = LOG) => `10  pwrite64(${path}, "\\0\\0rec-${n};\\0", 4096, 56) = 4096`;
const sync = (path = LOG) => `10  fsync(${path}) = 0`;
const ack = (n: number) =>
  `11  write(${SOCKET}, "HTTP/1.1 204 No Content\\r\\nX-Request-Id: ack-${n}.\\r\\n\\r\\n", 80) = 80`;
const show = (n: number) =>
  `11  writev(${SOCKET}, [{iov_base="event: data\\ndata:rec-${n};\\n\\n", iov_len=9}], 1) = 9`;
const leaks = (...lines: string[]) =>
  proveSyncs(lines.join('\n')).leaks.map(({ mark, how, line }) => `${line} ${how} ${mark}`);

test('written, synced, then acknowledged: nothing leaks', () => {
  expect(leaks(write(1), sync(), ack(1), show(1), write(2), sync(), show(2), ack(2))).toEqual([]);
  const { acknowledged, shown, syncs } = proveSyncs([write(1), sync(), ack(1), show(1)].join('\n'));
  expect([[...acknowledged], [...shown], syncs]).toEqual([['rec-1;'], ['rec-1;'], 1]);
});

test.each([
  ['acknowledged before the sync', [write(1), ack(1), sync()], ['2 acknowledged rec-1;']],
  ['shown before the sync', [write(1), show(1), sync(), ack(1)], ['2 shown rec-1;']],
  ['never written', [sync(), ack(1)], ['2 acknowledged rec-1;']],
  ['synced before it was written', [sync(), write(1), ack(1)], ['3 acknowledged rec-1;']],
  ['another file was synced', [write(1), sync('28</data/sonde.db>'), ack(1)], ['3 acknowledged rec-1;']],
  ['written to another file', [write(1, '28</data/sonde.db>'), sync(), ack(1)], ['3 acknowledged rec-1;']],
  [
    'the sync failed',
    [write(1), `10  fsync(${LOG}) = -1 EIO (Input/output error) (INJECTED)`, ack(1)],
    ['3 acknowledged rec-1;'],
  ],
  [
    'the sync was only pretended',
    [write(1), `10  fsync(${LOG}) = 0 (INJECTED)`, ack(1)],
    ['3 acknowledged rec-1;'],
  ],
  [
    'a later sync after a failed one',
    [write(1), `10  fsync(${LOG}) = -1 EIO (Input/output error)`, sync(), ack(1)],
    ['4 acknowledged rec-1;'],
  ],
  [
    'the sync started before the write ended',
    [`10  fsync(${LOG} <unfinished ...>`, write(1), '10  <... fsync resumed>) = 0', ack(1)],
    ['4 acknowledged rec-1;'],
  ],
  [
    'the sync had not ended yet',
    [write(1), `10  fsync(${LOG} <unfinished ...>`, ack(1), '10  <... fsync resumed>) = 0', show(1)],
    ['3 acknowledged rec-1;'],
  ],
])('a leak is found: %s', (_name, lines, found) => {
  expect(leaks(...lines)).toEqual(found);
});

test('overlapping calls of several threads are distinguished', () => {
  expect(
    leaks(
      `10  pwrite64(${LOG}, "rec-1;", 6, 0 <unfinished ...>`,
      `12  read(5<pipe>, "" <unfinished ...>`,
      '10  <... pwrite64 resumed>) = 6',
      `10  fsync(${LOG} <unfinished ...>`,
      '12  <... read resumed>) = 0',
      '10  <... fsync resumed>) = 0',
      ack(1),
    ),
  ).toEqual([]);
});
