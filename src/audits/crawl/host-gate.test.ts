import { describe, expect, it } from 'vitest';
import { HostGate } from './host-gate.js';

/** Time that passes only when somebody sleeps. */
function turned() {
  let now = 1000;
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
}

describe('the host gate', () => {
  it('lets so many in at once, the others in their order', async () => {
    const gate = new HostGate({ concurrency: 2, delayMs: 0 }, turned());
    let [running, most] = [0, 0];
    const order: number[] = [];
    const work = (id: number) => async () => {
      most = Math.max(most, ++running);
      order.push(id);
      await Promise.resolve();
      running -= 1;
    };
    await Promise.all([1, 2, 3, 4, 5].map((id) => gate.run('a', new AbortController().signal, work(id))));
    expect([most, order]).toEqual([2, [1, 2, 3, 4, 5]]);
  });

  it('leaves the delay between two starts, per host, also one that was set later', async () => {
    const clock = turned();
    const gate = new HostGate({ concurrency: 1, delayMs: 100 }, clock);
    const starts: number[] = [];
    const go = (host: string) =>
      gate.run(host, new AbortController().signal, async () => void starts.push(clock.now()));
    await go('a');
    await go('a');
    await go('b');
    gate.set('a', { concurrency: 1, delayMs: 1000 });
    await go('a');
    await go('a');
    expect(starts).toEqual([1000, 1100, 1100, 1200, 2200]);
  });

  it('does not wait for the size of a step when the clock is set back', async () => {
    const clock = turned();
    const gate = new HostGate({ concurrency: 2, delayMs: 100 }, clock);
    const go = () => gate.run('a', new AbortController().signal, async () => clock.now());
    await go();
    await clock.sleep(-3_600_000);
    const set = clock.now();
    expect((await go()) - set).toBeLessThanOrEqual(200);
    expect((await go()) - set).toBeLessThanOrEqual(300);
  });

  it('lets nobody in after a stop', async () => {
    const gate = new HostGate({ concurrency: 1, delayMs: 0 }, turned());
    await expect(gate.run('a', AbortSignal.abort(new Error('stop')), async () => 1)).rejects.toThrow('stop');
    await expect(gate.run('a', new AbortController().signal, async () => 2)).resolves.toBe(2);
  });
});
