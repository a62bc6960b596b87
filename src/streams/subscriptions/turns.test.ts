import { expect, test } from 'vitest';
import { Turns } from './turns.js';

test('limits concurrent jobs, in total and per tenant, and starts the others in order', async () => {
  const turns = new Turns(3, 2);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (tenant: string, name: string) =>
    turns.run(tenant, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const jobs = [job('a', 'a1'), job('a', 'a2'), job('a', 'a3'), job('b', 'b1'), job('b', 'b2')];
  await Promise.resolve();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  ends.get('b1')?.();
  await jobs[3];
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  ends.get('a1')?.();
  await jobs[0];
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  for (const end of ends.values()) end();
  await Promise.all(jobs);
});

test('a failed job frees its slot', async () => {
  const turns = new Turns(1, 1);
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', async () => 1)).toBe(1);
});
