import { describe, expect, it } from 'vitest';
import { HostGate } from './host-gate.js';

/** A clock that advances only when something sleeps. */
function manualClock() {
  let now = 1000;
  return {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
    },
  };
}

describe('the host gate', () => {
  it('runs at most the allowed number at once, and the others in order', async () => {
    const gate = new HostGate({ concurrency: 2, delayMs: 0 }, manualClock());
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

  it('keeps the delay between two starts per host, even if it was set later', async () => {
    const clock = manualClock();
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

  it('does not wait longer when the clock is set back', async () => {
    const clock = manualClock();
    const gate = new HostGate({ concurrency: 2, delayMs: 100 }, clock);
    const go = () => gate.run('a', new AbortController().signal, async () => clock.now());
    await go();
    await clock.sleep(-3_600_000);
    const set = clock.now();
    expect((await go()) - set).toBeLessThanOrEqual(200);
    expect((await go()) - set).toBeLessThanOrEqual(300);
  });

  it('applies a lower concurrency to requests that are already waiting', async () => {
    const gate = new HostGate({ concurrency: 4, delayMs: 0 }, manualClock());
    const { signal } = new AbortController();
    const finish: (() => void)[] = [];
    let [running, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => finish.push(resolve));
      running -= 1;
    };
    const all = Array.from({ length: 16 }, () => gate.run('a', signal, work));
    await Promise.resolve();
    gate.set('a', { concurrency: 1, delayMs: 0 });
    for (let left = 16; left > 0; ) {
      const started = finish.splice(0);
      if (left <= 12) expect(started).toHaveLength(1);
      left -= started.length;
      for (const end of started) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(most).toBe(4);
  });

  it('starts nothing after an abort', async () => {
    const gate = new HostGate({ concurrency: 1, delayMs: 0 }, manualClock());
    await expect(gate.run('a', AbortSignal.abort(new Error('stop')), async () => 1)).rejects.toThrow('stop');
    await expect(gate.run('a', new AbortController().signal, async () => 2)).resolves.toBe(2);
  });
});
