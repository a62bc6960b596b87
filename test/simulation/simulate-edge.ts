import { afterEach, beforeEach, expect, vi } from 'vitest';
import { EdgeWorld } from './edge-world.js';
import { simulatedFetch } from './simulated-net.js';

export interface EdgeSimulation {
  /** The world of the running test. */
  readonly world: EdgeWorld;
}

/** Creates a world with its own clock for each test of a file. */
export function simulateEdge(): EdgeSimulation {
  let world: EdgeWorld | undefined;
  beforeEach(async () => {
    vi.useFakeTimers({
      now: Date.UTC(2026, 5, 1),
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
    // Pauses between fetches are random, and so is the number of events written together.
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    vi.stubGlobal('fetch', simulatedFetch);
    vi.stubGlobal('FixedLengthStream', TransformStream);
    vi.stubGlobal('IdentityTransformStream', TransformStream);
    world = new EdgeWorld();
    world.countCiphers();
    // What a tenant's object writes once in its life must not count towards the test.
    await world.request('/api/jobs');
    world.take();
  });
  afterEach(() => {
    world?.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return {
    get world() {
      if (!world) throw new Error('no test runs');
      return world;
    },
  };
}

/** Creates a resource and returns its path. */
export async function create(world: EdgeWorld, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const made = await world.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(made.ok, await made.clone().text()).toBe(true);
  return new URL(made.headers.get('location') ?? '').pathname;
}

export async function untilDone(world: EdgeWorld): Promise<void> {
  let seconds = 0;
  do {
    if (seconds++ > 600) throw new Error('the run did not end within ten minutes');
    await world.passSlowly(1_000);
  } while (world.isWorking);
}
