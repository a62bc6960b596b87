import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.js';

test('runs one at a time, and owners take turns', async () => {
  const queue = new FairQueue();
  const started: string[] = [];
  const finish: (() => void)[] = [];
  const add = (owner: string, name: string) =>
    queue.run(owner, () => {
      started.push(name);
      return new Promise<string>((resolve) => finish.push(() => resolve(name)));
    });
  const running = ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map((name) => add(name[0] ?? '', name));
  expect([started, queue.waiting]).toEqual([['a1'], 6]);
  for (let n = 0; n < running.length; n++) {
    finish.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(await Promise.all(running)).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']);
  expect(queue.waiting).toBe(0);
});

test('goes on after work that fails', async () => {
  const queue = new FairQueue();
  const failing = queue.run('a', () => Promise.reject(new Error('broken')));
  const next = queue.run('a', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
