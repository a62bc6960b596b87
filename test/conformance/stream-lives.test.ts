import { expect, test } from 'vitest';
import type { StreamStore } from '../../src/streams/index.js';
import { createRandom, type Random } from '../support/random.js';
import { readEvents, StreamClients, type StreamDriver } from '../support/stream-clients.js';
import { StreamHarness } from '../support/stream-harness.js';
import type { Call, Outcome } from '../support/stream-history.js';

/**
 * Concurrent clients create, read, fork, expire, delete and recreate streams under the same names. Every store call is
 * delayed before and after by a time derived from the seed, so that calls of different clients interleave between any
 * two of its steps.
 */
const ROUNDS = 40;
/** How calls interleave depends on the machine too, so a rare result can take more rounds. */
const ROUNDS_MAX = 400;
const RESULTS = ['create 201', 'create 409', 'fork 201', 'read 200', 'read 404', 'delete 204'];

function delaying(store: StreamStore, random: Random): StreamStore {
  const pause = async () => {
    for (let turns = random.whole(0, 3); turns > 0; turns--) await new Promise((next) => setImmediate(next));
  };
  return new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        await pause();
        const result = await method.apply(target, args);
        await pause();
        return result;
      };
    },
  });
}

function driverOf(harness: StreamHarness): StreamDriver {
  let expiries = 0;
  const ask = (call: Call) => {
    switch (call.do) {
      case 'create': {
        const expires = new Date(harness.now + 5_000 + ++expiries).toISOString();
        const headers = {
          'Content-Type': 'text/plain',
          ...(call.mortal && { 'Stream-Expires-At': expires }),
        };
        return harness.ask('create', call.name, { headers, body: call.text });
      }
      case 'fork':
        return harness.ask('create', call.name, { headers: { 'Stream-Forked-From': call.source } });
      case 'append':
        return harness.ask('append', call.name, {
          headers: { 'Content-Type': 'text/plain', ...(call.close && { 'Stream-Closed': 'true' }) },
          body: call.text,
        });
      case 'read':
        return harness.ask('read', call.name, {
          query: { offset: '-1', ...(call.live !== '' && { live: call.live }) },
        });
      case 'delete':
        return harness.ask('remove', call.name);
    }
  };
  return {
    async perform(call): Promise<Outcome> {
      const { status, text } = await ask(call);
      if (call.do !== 'read' || call.live !== 'sse' || status !== 200) return { status, text, cut: false };
      const events = readEvents(text);
      return { status, text: events.text, cut: !events.upToDate };
    },
  };
}

test.each([1, 2, 3, 4])('every history of concurrent clients has an explanation (seed %i)', async (seed) => {
  const random = createRandom(seed);
  const harness = await StreamHarness.start({
    chunkBytes: 40,
    limits: { longPollMs: 20, sseMs: 100 },
    wrapStore: (store) => delaying(store, random),
  });
  try {
    const clients = new StreamClients(random, '');
    const driver = driverOf(harness);
    const hasAll = () => RESULTS.every((result) => clients.counts.seen.has(result));
    for (let round = 0; round < ROUNDS || (round < ROUNDS_MAX && !hasAll()); round++) {
      const running = clients.round(driver);
      if (random.next() < 0.2) harness.now += 10_000;
      await running;
      if (random.next() < 0.1) await harness.restart();
      await clients.readAll(driver);
    }
    expect(harness.service.damaged).toEqual([]);
    expect(harness.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect([...clients.counts.seen.keys()]).toEqual(expect.arrayContaining(RESULTS));
  } finally {
    await harness.stop();
  }
});
