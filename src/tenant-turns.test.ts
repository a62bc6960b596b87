import { expect, test } from 'vitest';
import { TENANT_TURNS, TenantTurns } from './tenant-turns.js';

/** Runs jobs that end when they are told to. */
function controlled(max: number, perTenant: number) {
  const turns = new TenantTurns(max, perTenant);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const jobs = new Map<string, Promise<void>>();
  return {
    started,
    /** The tenant is the first letter of the name. */
    begin(...names: string[]): void {
      for (const name of names) {
        const job = turns.run(name.slice(0, 1), () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        });
        jobs.set(name, job);
      }
    },
    async end(...names: string[]): Promise<void> {
      for (const name of names) {
        ends.get(name)?.();
        await jobs.get(name);
      }
    },
  };
}

test('limits concurrent jobs, in total and per tenant, and starts the others in order', async () => {
  const { started, begin, end } = controlled(3, 2);
  begin('a1', 'a2', 'a3', 'b1', 'b2');
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
  await end('a2', 'a3', 'b2');
});

test('a job that ends starts one other, and none of a tenant that has its share', async () => {
  const { started, begin, end } = controlled(9, 1);
  begin('a1', 'a2', 'a3', 'b1', 'b2');
  await end('b1');
  expect(started).toEqual(['a1', 'b1', 'b2']);
  await end('b2');
  expect(started).toEqual(['a1', 'b1', 'b2']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'b2', 'a2']);
  begin('a4');
  await end('a2', 'a3');
  expect(started).toEqual(['a1', 'b1', 'b2', 'a2', 'a3', 'a4']);
  await end('a4');
  begin('a5', 'a6');
  expect(started.at(-1)).toBe('a5');
  await end('a5', 'a6');
});

test('a waiting job takes the slot of the one that ended, so the limit holds', async () => {
  const { started, begin, end } = controlled(1, 1);
  begin('a1', 'a2');
  await end('a1');
  begin('a3');
  expect(started).toEqual(['a1', 'a2']);
  await end('a2', 'a3');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('a tenant with none running gets one in addition, and each freed slot goes to the one with the fewest', async () => {
  const { started, begin, end } = controlled(3, 2);
  begin('a1', 'a2', 'b1', 'b2', 'a3', 'b3');
  begin('c1', 'c2', 'd1');
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
  await end('d1');
  await end('c1');
  expect(started.slice(5)).toEqual(['c2']);
  await end('a1');
  // Three run, so only a guest could start.
  expect(started.slice(6)).toEqual([]);
  await end('a2');
  expect(started.slice(6)).toEqual(['a3']);
  await end('c2', 'b1', 'a3', 'b2', 'b3');
  expect(started).toHaveLength(9);
});

test('guests are limited', async () => {
  const turns = new TenantTurns(0, 1);
  let running = 0;
  const ends: (() => void)[] = [];
  const all = Array.from({ length: TENANT_TURNS.guestsMax + 5 }, (_, n) =>
    turns.run(`tenant ${n}`, () => {
      running += 1;
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(running).toBe(TENANT_TURNS.guestsMax);
  for (let at = 0; at < all.length; at++) {
    ends[at]?.();
    await all[at];
  }
});

test('a failed job frees its slot', async () => {
  const turns = new TenantTurns(1, 1);
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', async () => 1)).toBe(1);
});
