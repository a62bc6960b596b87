import { expect, test } from 'vitest';
import type { Change } from './change.js';
import { CHANGES_KEPT, ChangeLog, isChangeId } from './change-log.js';

const change = (id: string): Change => ({ kind: 'stream', id, state: 'open' });
const idsOf = (page: { changes: readonly { change: Change }[] }) =>
  page.changes.map((each) => each.change.id);
const never = new AbortController().signal;

test('a reader gets each change once, in order', () => {
  const log = new ChangeLog();
  const { last } = log.after(undefined);
  expect(isChangeId(last)).toBe(true);
  log.push([change('a'), change('b')]);
  const page = log.after(last);
  expect(idsOf(page)).toEqual(['a', 'b']);
  expect(idsOf(log.after(page.changes[0]?.id))).toEqual(['b']);
  expect(log.after(page.last)).toEqual({ reset: false, changes: [], last: page.last });
});

test('an id that is too old, from another log or from the future resets the reader', () => {
  const log = new ChangeLog();
  const { last } = log.after(undefined);
  const name = last.split('-')[0];
  expect(log.after(new ChangeLog().after(undefined).last).reset).toBe(true);
  expect(log.after(`${name}-1`).reset).toBe(true);
  log.push([change('a')]);
  for (let n = 0; n < CHANGES_KEPT; n += 1) log.push([change(`more ${n}`)]);
  expect(log.after(last).reset).toBe(true);
  expect(log.after(`${name}-1`).changes).toHaveLength(CHANGES_KEPT);
});

test('after a reset every reader starts over', () => {
  const log = new ChangeLog();
  const { last } = log.after(undefined);
  log.reset();
  const page = log.after(last);
  expect(page.reset).toBe(true);
  log.push([change('a')]);
  expect(idsOf(log.after(page.last))).toEqual(['a']);
});

test('a change, a reset or an abort ends the wait', async () => {
  const log = new ChangeLog();
  const waits = [log.wait(60_000, never), log.wait(60_000, never)];
  log.push([change('a')]);
  await Promise.all(waits);
  const reset = log.wait(60_000, never);
  log.reset();
  await reset;
  const gone = new AbortController();
  const aborted = log.wait(60_000, gone.signal);
  gone.abort();
  await aborted;
  await log.wait(60_000, gone.signal);
});
