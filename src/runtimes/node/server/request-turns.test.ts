import { expect, test } from 'vitest';
import { RequestTurns } from './request-turns.js';

test('requests that arrive together start in order, some per turn of the loop', async () => {
  const turns = new RequestTurns();
  const started: number[] = [];
  const perTurn: number[] = [];
  const counting = async () => {
    for (let before = 0; before < 180; before = started.length) {
      await new Promise((resolve) => setImmediate(resolve));
      perTurn.push(started.length - before);
    }
  };
  const all = Array.from({ length: 180 }, async (_, n) => {
    const turn = turns.next();
    if (turn !== undefined) await turn;
    started.push(n);
  });
  await Promise.all([...all, counting()]);
  expect(started).toEqual(Array.from({ length: 180 }, (_, n) => n));
  // A look at the figures can come between two turns.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2 * 25);
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns.next()).toBeUndefined();
});
