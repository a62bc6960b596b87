import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { type StreamCall, type StreamResponse, StreamService } from '../../src/streams/index.js';
import { openInlineStore } from '../support/inline-store.js';
import { keepingLog } from '../support/keeping-log.js';

/** What happened, in order: commits, acknowledgements, and what a waiting reader was shown. */
let events: string[];
let failWith: Error | undefined;
let folder: string;
let service: StreamService;
let close: () => void;

beforeEach(() => {
  events = [];
  failWith = undefined;
  folder = mkdtempSync(join(tmpdir(), 'sonde-commit-'));
  const inline = openInlineStore(join(folder, 'sonde.db'), {
    onCommit() {
      if (failWith) throw failWith;
      events.push('commit');
    },
  });
  close = inline.close;
  service = new StreamService({
    store: inline.store,
    objects: createFileObjectStore(join(folder, 'segments')),
    log: keepingLog(),
    clock: Date.now,
  });
});
afterEach(async () => {
  await service.stop();
  close();
  rmSync(folder, { recursive: true, force: true });
});

function call(body = '', query: Record<string, string> = {}): StreamCall {
  return {
    id: 's',
    url: 'http://test/s',
    query: new URLSearchParams(query),
    header: (name) => (name === 'content-type' ? 'text/plain' : null),
    body: async () => new TextEncoder().encode(body),
    idOfPath: () => undefined,
  };
}

async function append(body: string): Promise<string> {
  try {
    const { status, error } = await service.append(call(body));
    const outcome = error?.code ?? String(status);
    events.push(`ack ${outcome}`);
    return outcome;
  } catch (error) {
    const { code } = error as { code: string };
    events.push(`refused ${code}`);
    return code;
  }
}

async function follow(): Promise<void> {
  const response: StreamResponse = await service.read(call('', { offset: 'now', live: 'sse' }));
  if (response.body?.kind !== 'live') throw new Error('no live response');
  const { start } = response.body;
  await new Promise<void>((resolve) => {
    start({
      write(bytes) {
        const text = new TextDecoder().decode(bytes);
        const shown = /event: data\ndata:(\w+)/.exec(text)?.[1];
        if (shown) events.push(`show ${shown}`);
        else resolve();
      },
      buffered: () => 0,
      drained: async () => {},
      end: () => {},
      abort: () => {},
      onClose: () => {},
    });
  });
}

test('an append is committed before it is acknowledged and before any reader sees it', async () => {
  await service.create(call());
  await follow();
  events = [];
  await append('one');
  await append('two');
  expect(events.filter((event) => event === 'commit')).toHaveLength(2);
  for (const [index, event] of events.entries()) {
    if (event === 'commit') continue;
    const commits = events.slice(0, index).filter((each) => each === 'commit').length;
    expect(commits).toBeGreaterThanOrEqual(event.includes('two') ? 2 : 1);
  }
  expect(events).toContain('show one');
  expect(events).toContain('show two');
});

test('a commit that fails because the disk is full acknowledges and shows nothing, and the next one works', async () => {
  await service.create(call());
  await follow();
  events = [];
  failWith = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
  expect(await append('lost')).toBe('STORAGE_FULL');
  failWith = undefined;
  expect(await append('kept')).toBe('204');
  await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual([
    'refused STORAGE_FULL',
    'commit',
    expect.stringMatching(/ack 204|show kept/),
    expect.anything(),
  ]);
  expect(events).not.toContain('show lost');
  const { headers } = await service.head(call());
  expect(headers['Stream-Total-Size']).toBe('4');
});

test('after an I/O error at a commit nothing more is acknowledged', async () => {
  await service.create(call());
  await follow();
  events = [];
  failWith = Object.assign(new Error('sync failed'), { code: 'SQLITE_IOERR_FSYNC' });
  expect(await append('one')).toBe('STORAGE_UNAVAILABLE');
  failWith = undefined;
  expect(await append('two')).toBe('STORAGE_UNAVAILABLE');
  expect(events.some((event) => event.startsWith('show') || event.startsWith('ack'))).toBe(false);
});
