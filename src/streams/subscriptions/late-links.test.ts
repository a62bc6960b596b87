import { expect, test, vi } from 'vitest';
import {
  bench,
  KEY,
  openBench,
  type StoreHook,
  streamCall,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';
import type { NewLink } from './subscription-store.js';

useSubscriptions();

/** Follows this many streams by name; none of them exists. */
const subscribeTo = (count: number) =>
  bench.subscribe({ pattern: undefined, streams: Array.from({ length: count }, (_, n) => `n/${1000 + n}`) });

/** The number of links in each call that writes links. */
function recordSteps(): number[] {
  const steps: number[] = [];
  bench.before = ({ method, args }) => {
    if (method === 'link') steps.push((args[1] as NewLink[]).length);
  };
  return steps;
}

const linkCount = () => bench.database.all('SELECT path FROM subscription_links', []).length;

test('are written in steps of 250', async () => {
  openBench({ linksAtOnce: 1 });
  const steps = recordSteps();
  await subscribeTo(502);
  await vi.advanceTimersByTimeAsync(900);
  expect(steps).toEqual([250, 250, 1]);
  expect(linkCount()).toBe(502);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(steps).toHaveLength(3);
});

test('are tried again a second after the store failed', async () => {
  openBench({ linksAtOnce: 1 });
  bench.before = ({ method }) => {
    if (method === 'link') throw new Error('the store fails');
  };
  await subscribeTo(3);
  await vi.advanceTimersByTimeAsync(0);
  const steps = recordSteps();
  await vi.advanceTimersByTimeAsync(950);
  expect(steps).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(steps).toEqual([2]);
});

test('a stream that changes before its turn is linked first, and only once', async () => {
  openBench({ linksAtOnce: 1 });
  for (let n = 0; n < 4; n++) await bench.append(`a/${n}`);
  const steps = recordSteps();
  await bench.subscribe();
  await bench.streams.append(streamCall('acme', 'a/3', '{}'));
  expect(await bench.service.view(KEY)).toMatchObject({ linking: { linked: 2, total: 4 } });
  expect(steps).toEqual([1]);
  await vi.advanceTimersByTimeAsync(100);
  expect(steps).toEqual([1, 2]);
});

test('if all of them change before their turn, nothing is left to write', async () => {
  openBench({ linksAtOnce: 1 });
  for (let n = 0; n < 2; n++) await bench.append(`a/${n}`);
  const steps = recordSteps();
  await bench.subscribe();
  await bench.streams.append(streamCall('acme', 'a/1', '{}'));
  await bench.service.view(KEY);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(steps).toEqual([1]);
  expect(await bench.service.view(KEY)).not.toHaveProperty('linking');
});

test('none is written any more once the subscription is removed or the service stops', async () => {
  openBench({ linksAtOnce: 1 });
  const steps = recordSteps();
  await subscribeTo(3);
  await bench.service.remove(KEY);
  await vi.advanceTimersByTimeAsync(2_000);
  await subscribeTo(3);
  await bench.service.stop();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(steps).toEqual([]);
});

test('those of a subscription that was removed do not end those of its successor', async () => {
  openBench({ linksAtOnce: 1 });
  let release = () => {};
  const hold: StoreHook = ({ method }) => {
    if (method !== 'link') return;
    bench.before = undefined;
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  bench.before = hold;
  await subscribeTo(3);
  await vi.advanceTimersByTimeAsync(0);
  await bench.service.remove(KEY);
  const { view } = await subscribeTo(4);
  expect(view).toMatchObject({ linking: { linked: 1, total: 4 } });
  release();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(linkCount()).toBe(4);
  expect(await bench.service.view(KEY)).not.toHaveProperty('linking');
});

test('removing a subscription while it is being linked leaves no links', async () => {
  openBench({ linksAtOnce: 1 });
  for (let n = 0; n < 5; n++) await bench.append(`a/${n}`);
  await bench.subscribe();
  await bench.service.remove(KEY);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(bench.database.all('SELECT * FROM subscription_links', [])).toEqual([]);
});
