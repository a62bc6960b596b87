import { expect, test } from 'vitest';
import { createTurns, runInTurns, runSteps } from './loop-turns.js';

function* counted(steps: number, note: (step: number) => void): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    note(step);
    yield;
  }
  return 'done';
}

test('each waiting caller gets its own turn of the event loop, in order', async () => {
  const order: string[] = [];
  const turn = createTurns((act) =>
    setTimeout(() => {
      order.push('|');
      act();
    }, 0),
  );
  await Promise.all(['a', 'b', 'c'].map((name) => turn().then(() => order.push(name))));
  await turn().then(() => order.push('d'));
  expect(order.join('')).toBe('|a|b|c|d');
});

test('owners take turns, however much one of them has waiting', async () => {
  const turn = createTurns((act) => setTimeout(act, 0));
  const order: string[] = [];
  const work = ['a', 'a', 'a', 'b', 'b', 'c'].map((owner, n) =>
    turn(owner).then(() => order.push(`${owner}${n}`)),
  );
  await Promise.all(work);
  expect(order).toEqual(['a0', 'b3', 'c5', 'a1', 'b4', 'a2']);
});

test('steps give the same result with and without turns', async () => {
  const steps: number[] = [];
  expect(runSteps(counted(3, (step) => steps.push(step)))).toBe('done');
  expect(
    await runInTurns(
      counted(3, (step) => steps.push(step)),
      undefined,
    ),
  ).toBe('done');
  const turn = createTurns((act) => setTimeout(act, 0));
  expect(
    await runInTurns(
      counted(3, (step) => steps.push(step)),
      turn,
    ),
  ).toBe('done');
  expect(steps).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

test('long work is spread over several turns', async () => {
  let turns = 0;
  const turn = createTurns((act) => {
    turns++;
    setTimeout(act, 0);
  });
  const busy = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  await runInTurns(
    counted(3, () => busy(10)),
    turn,
  );
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('a step that throws rejects the promise', async () => {
  const turn = createTurns((act) => setTimeout(act, 0));
  const failing = counted(1, () => {
    throw new Error('broken');
  });
  await expect(runInTurns(failing, turn)).rejects.toThrow('broken');
});
