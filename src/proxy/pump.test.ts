import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keepingLog } from '../../test/support/app-for-tests.js';
import { type InlineStore, openInlineStore } from '../../test/support/inline-store.js';
import { ManualTimers } from '../../test/support/manual-timers.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import type { ObjectStore } from '../streams/index.js';
import { StreamService } from '../streams/index.js';
import { readMetadata } from './proxy-metadata.js';
import { Pump } from './pump.js';
import type { Ending } from './upstream-outcome.js';

let streamId: string;
let streams = 0;
const METADATA = {
  tenant: 't',
  upstream_url: 'http://u',
  upstream_method: 'GET',
  upstream_status: 200,
  upstream_content_type: null,
  upstream_headers: '',
};
const FULL = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });

let folder: string;
let inline: InlineStore;
let service: StreamService;
let timers: ManualTimers;
let body: ScriptedBody;
/** Sizes of the records that were written, in order; null for a closure without bytes. */
let writes: (number | null)[];
let failWith: Error | undefined;
/** While set, appends wait for it. */
let gate: Promise<void> | undefined;
let openGate: () => void;
let dropped: number;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-pump-'));
  inline = openInlineStore(join(folder, 'sonde.db'), {
    onCommit() {
      if (failWith) throw failWith;
    },
  });
});
afterAll(() => {
  inline.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  streamId = `proxy/${++streams}`;
  [writes, failWith, gate, openGate, dropped] = [[], undefined, undefined, () => {}, 0];
  timers = new ManualTimers();
  body = new ScriptedBody();
  service = new StreamService({
    store: inline.store,
    objects: {} as ObjectStore,
    log: keepingLog(),
    clock: timers.now,
  });
  await inline.proxy.pumpStarted(streamId);
  await service.createOwn({
    id: streamId,
    contentType: 'application/octet-stream',
    expiresAt: timers.now() + 86_400_000,
    metadata: JSON.stringify(METADATA),
  });
});
afterEach(() => service.stop());

function start(): Pump {
  const parts = {
    streams: {
      appendOwn: async (id: string, append: Parameters<StreamService['appendOwn']>[1]) => {
        writes.push(append.data?.length ?? null);
        await gate;
        return service.appendOwn(id, append);
      },
      dropReaders: () => {
        dropped++;
      },
    },
    store: inline.proxy,
    timers,
    log: keepingLog(),
    flushBytes: 4096,
    flushMs: 50,
    idleMs: 600_000,
  };
  return new Pump(parts, { streamId: streamId, metadata: METADATA, body });
}

function holdWrites(): void {
  gate = new Promise((resolve) => {
    openGate = () => {
      gate = undefined;
      resolve();
    };
  });
}

/** Lets everything happen that can without time passing. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

async function stored() {
  const state = await service.find(streamId);
  if (!state) throw new Error('the stream is gone');
  const answer = await service.read({
    id: streamId,
    url: 'http://x',
    query: new URLSearchParams({ offset: '-1' }),
    header: () => null,
    body: async () => new Uint8Array(0),
    idOfPath: () => undefined,
  });
  const pieces: Uint8Array[] = [];
  if (answer.body?.kind === 'pieces') for await (const piece of answer.body.pieces()) pieces.push(piece);
  const { outcome, error } = readMetadata(state);
  return { text: Buffer.concat(pieces).toString(), closed: state.closed, outcome, error };
}

describe('when a record is written', () => {
  test('at 4 KB, at once', async () => {
    start();
    body.say('x'.repeat(4095));
    await settle();
    expect(writes).toEqual([]);
    body.say('y');
    await settle();
    expect(writes).toEqual([4096]);
  });

  test('50 ms after its first byte, by a timer, though nothing more comes', async () => {
    start();
    timers.pass(1_000);
    body.say('lone token');
    await settle();
    timers.pass(30);
    body.say(' and more');
    await settle();
    timers.pass(19);
    await settle();
    expect(writes).toEqual([]);
    timers.pass(1);
    await settle();
    expect(writes).toEqual([19]);
    expect((await stored()).text).toBe('lone token and more');
    body.say('next');
    await settle();
    timers.pass(49);
    await settle();
    expect(writes).toEqual([19]);
    timers.pass(1);
    await settle();
    expect(writes).toEqual([19, 4]);
  });

  test('a piece of 4 KB or more goes as it came', async () => {
    start();
    body.say('x'.repeat(10_000));
    await settle();
    expect(writes).toEqual([10_000]);
  });

  test('an empty piece is nothing', async () => {
    start();
    body.say('');
    await settle();
    timers.pass(100);
    await settle();
    expect(writes).toEqual([]);
  });

  test('one write at a time; what comes meanwhile makes the next', async () => {
    start();
    holdWrites();
    body.say('a'.repeat(5_000));
    for (let i = 0; i < 10; i++) body.say('b'.repeat(3_000));
    await settle();
    timers.pass(60);
    await settle();
    expect(writes).toEqual([5_000]);
    openGate();
    await settle();
    expect(writes).toEqual([5_000, 30_000]);
  });

  test('what has not waited for 50 ms and is no 4 KB waits on after a write', async () => {
    start();
    holdWrites();
    body.say('a'.repeat(5_000));
    await settle();
    body.say('b');
    await settle();
    openGate();
    await settle();
    expect(writes).toEqual([5_000]);
    timers.pass(50);
    await settle();
    expect(writes).toEqual([5_000, 1]);
  });

  test('256 KB at most; the rest follows at once', async () => {
    start();
    holdWrites();
    body.say('a'.repeat(4_096));
    await settle();
    for (let i = 0; i < 10; i++) body.say(new Uint8Array(60_000).fill(98));
    await settle();
    openGate();
    await settle();
    expect(writes.slice(0, 2)).toEqual([4_096, 262_144]);
    expect(writes.reduce((sum: number, size) => sum + (size ?? 0), 0)).toBe(604_096);
    body.end();
    await settle();
    expect((await stored()).text).toBe('a'.repeat(4_096) + 'b'.repeat(600_000));
  });

  test('a slow store stops the reading of the socket', async () => {
    start();
    holdWrites();
    for (let i = 0; i < 20; i++) body.say(new Uint8Array(60_000));
    await settle();
    const { reads } = body;
    expect(reads).toBeLessThanOrEqual(7);
    await settle();
    expect(body.reads).toBe(reads);
    openGate();
    await settle();
    expect(body.reads).toBe(21);
  });
});

describe('silence', () => {
  test('of ten minutes ends the stream as timed out', async () => {
    const pump = start();
    body.say('hello');
    await settle();
    timers.pass(599_999);
    await settle();
    expect((await stored()).closed).toBe(false);
    timers.pass(1);
    expect(await pump.ended).toEqual({ outcome: 'timeout', error: 'UPstreamId_BODY_TIMEOUT' });
    expect(body.canceled).toBeGreaterThan(0);
    expect(await stored()).toEqual({
      text: 'hello',
      closed: true,
      outcome: 'timeout',
      error: 'UPstreamId_BODY_TIMEOUT',
    });
  });

  test('is counted from the last byte', async () => {
    const pump = start();
    for (let i = 0; i < 5; i++) {
      timers.pass(400_000);
      body.say('.');
      await settle();
    }
    timers.pass(599_999);
    await settle();
    expect((await stored()).closed).toBe(false);
    timers.pass(1);
    expect((await pump.ended).outcome).toBe('timeout');
  });

  test("in which the store kept the socket waiting is not the upstream's", async () => {
    const pump = start();
    holdWrites();
    for (let i = 0; i < 8; i++) body.say(new Uint8Array(60_000));
    await settle();
    timers.pass(3_000_000);
    await settle();
    openGate();
    await settle();
    timers.pass(599_999);
    await settle();
    body.end();
    expect((await pump.ended).outcome).toBe('completed');
  });
});

type Mode = 'nothing gathered' | 'bytes gathered' | 'a write under way' | 'finishing' | 'ended';
type Happening =
  | 'end'
  | 'abort'
  | 'silence'
  | 'reset'
  | 'truncation'
  | 'too large'
  | 'leaving'
  | 'deletion'
  | 'full disk';

/** How each mode takes each happening: how it ends, and what can be read. Every cell must be there to compile. */
const TABLE: Readonly<Record<Mode, Readonly<Record<Happening, string>>>> = {
  'nothing gathered': {
    end: 'completed ""',
    abort: 'aborted ""',
    silence: 'timeout UPstreamId_BODY_TIMEOUT ""',
    reset: 'failed UPstreamId_RESET ""',
    truncation: 'failed UPstreamId_TRUNCATED ""',
    'too large': 'failed RESPONSE_TOO_LARGE ""',
    leaving: 'failed PUMP_LOST ""',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  'bytes gathered': {
    end: 'completed "ab"',
    abort: 'aborted "ab"',
    silence: 'timeout UPstreamId_BODY_TIMEOUT "ab"',
    reset: 'failed UPstreamId_RESET "ab"',
    truncation: 'failed UPstreamId_TRUNCATED "ab"',
    'too large': 'failed RESPONSE_TOO_LARGE "ab"',
    leaving: 'failed PUMP_LOST "ab"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  'a write under way': {
    end: 'completed "ABcd"',
    abort: 'aborted "ABcd"',
    silence: 'timeout UPstreamId_BODY_TIMEOUT "ABcd"',
    reset: 'failed UPstreamId_RESET "ABcd"',
    truncation: 'failed UPstreamId_TRUNCATED "ABcd"',
    'too large': 'failed RESPONSE_TOO_LARGE "ABcd"',
    leaving: 'failed PUMP_LOST "ABcd"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  finishing: {
    end: 'completed "ab"',
    abort: 'completed "ab"',
    silence: 'completed "ab"',
    reset: 'completed "ab"',
    truncation: 'completed "ab"',
    'too large': 'completed "ab"',
    leaving: 'completed "ab"',
    deletion: 'aborted gone',
    'full disk': 'failed STORAGE_ERROR ""',
  },
  ended: {
    end: 'completed "ab"',
    abort: 'completed "ab"',
    silence: 'completed "ab"',
    reset: 'completed "ab"',
    truncation: 'completed "ab"',
    'too large': 'completed "ab"',
    leaving: 'completed "ab"',
    deletion: 'completed gone',
    'full disk': 'completed "ab"',
  },
};

async function bring(pump: Pump, mode: Mode): Promise<void> {
  if (mode === 'nothing gathered') return;
  if (mode === 'a write under way') {
    holdWrites();
    body.say('A'.repeat(4_096));
    await settle();
    body.say('B');
    body.say('cd');
    return settle();
  }
  body.say('ab');
  await settle();
  if (mode === 'bytes gathered') return;
  if (mode === 'finishing') holdWrites();
  body.end();
  if (mode === 'ended') await pump.ended;
  else await settle();
}

const HAPPENINGS: Readonly<Record<Happening, (pump: Pump) => unknown>> = {
  end: () => body.end(),
  abort: (pump) => void pump.stop(),
  silence: () => timers.pass(600_000),
  reset: () => body.fail('fetch_error', 'reset'),
  truncation: () => body.fail('fetch_error', 'truncated'),
  'too large': () => body.fail('response_too_large'),
  leaving: (pump) => void pump.leave({ outcome: 'failed', error: 'PUMP_LOST' }),
  deletion: () => service.removeOwn(streamId),
  'full disk': () => {
    failWith = FULL;
  },
};

describe.each(Object.keys(TABLE) as Mode[])('in the mode: %s', (mode) => {
  test.each(Object.keys(HAPPENINGS) as Happening[])('%s', async (happening) => {
    const pump = start();
    const endings: Ending[] = [];
    void pump.ended.then((ending) => endings.push(ending));
    await bring(pump, mode);
    await HAPPENINGS[happening](pump);
    await settle();
    openGate();
    await settle();
    if (happening === 'deletion' || happening === 'full disk') body.end();
    // The disk has room again when the closure is tried once more.
    await settle();
    failWith = undefined;
    timers.pass(1_000);
    await settle();
    const { outcome, error } = await pump.ended;
    const found = await service.find(streamId);
    const text = found ? JSON.stringify((await stored()).text.replace(/A+/, 'A')) : 'gone';
    expect([outcome, error, text].filter(Boolean).join(' ')).toBe(TABLE[mode][happening]);
    // Once, and for good: stopping again changes nothing, and the note of the pump is gone.
    await pump.stop();
    await pump.leave({ outcome: 'failed', error: 'PUMP_LOST' });
    await settle();
    expect(endings).toEqual([{ outcome, ...(error && { error }) }]);
    if (found) expect(await stored()).toMatchObject({ closed: true, outcome, error });
    expect(await inline.proxy.pumps('', 100)).not.toContain(streamId);
    expect(timers.set).toEqual([]);
  });
});

describe('a store that fails', () => {
  test('leaves no hole: after a lost record nothing is written, and the end says so', async () => {
    const pump = start();
    body.say('first'.padEnd(4_096, '.'));
    await settle();
    failWith = FULL;
    body.say('lost'.padEnd(4_096, '.'));
    body.say('after'.padEnd(4_096, '.'));
    await settle();
    failWith = undefined;
    timers.pass(1_000);
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
    expect(await stored()).toMatchObject({
      text: 'first'.padEnd(4_096, '.'),
      outcome: 'failed',
      error: 'STORAGE_ERROR',
    });
    expect(body.canceled).toBeGreaterThan(0);
  });

  test('after an abort outweighs it, since bytes are missing', async () => {
    const pump = start();
    body.say('gathered');
    await settle();
    failWith = FULL;
    void pump.stop();
    await settle();
    failWith = undefined;
    timers.pass(1_000);
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
  });

  test('is asked again every second; readers are sent away meanwhile', async () => {
    const pump = start();
    failWith = FULL;
    body.end();
    await settle();
    for (let i = 0; i < 5; i++) {
      timers.pass(1_000);
      await settle();
    }
    expect(writes).toHaveLength(6);
    expect(dropped).toBe(6);
    failWith = undefined;
    timers.pass(1_000);
    expect((await pump.ended).error).toBe('STORAGE_ERROR');
    expect((await stored()).closed).toBe(true);
  });

  test('for ever is given up after a minute; the note stays, so that the next start ends the stream', async () => {
    const pump = start();
    failWith = FULL;
    body.end();
    for (let i = 0; i < 61; i++) {
      await settle();
      timers.pass(1_000);
    }
    expect(await pump.ended).toEqual({ outcome: 'failed', error: 'STORAGE_ERROR' });
    failWith = undefined;
    expect(await inline.proxy.pumps('', 100)).toContain(streamId);
    expect(timers.set).toEqual([]);
  });

  test('does not hold up a process that is leaving', async () => {
    const pump = start();
    failWith = FULL;
    body.end();
    await settle();
    expect(await pump.leave({ outcome: 'failed', error: 'PUMP_LOST' })).toEqual({
      outcome: 'failed',
      error: 'STORAGE_ERROR',
    });
    expect(timers.set).toEqual([]);
    failWith = undefined;
    expect(await inline.proxy.pumps('', 100)).toContain(streamId);
  });
});
