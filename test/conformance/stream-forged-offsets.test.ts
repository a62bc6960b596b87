import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StreamHarness } from '../support/stream-harness.js';

/** Offsets that a stream never returned: each is 400 `OFFSET_INVALID` for every read mode and for forks. */
const JSON_TYPE = { 'Content-Type': 'application/json' };
const READS = [{}, { live: 'sse' }, { live: 'long-poll' }];
let harness: StreamHarness;
let hash: string;

beforeEach(async () => {
  harness = await StreamHarness.start({ chunkBytes: 60, limits: { longPollMs: 50 } });
  await create('s');
});
afterEach(() => harness.stop());

async function create(path: string, headers: Record<string, string> = JSON_TYPE): Promise<void> {
  const made = await harness.ask('create', path, { headers });
  hash = (made.headers['Stream-Next-Offset'] ?? '').slice(0, 5);
}

async function append(body: string, path = 's'): Promise<string> {
  const { status, headers } = await harness.ask('append', path, { headers: JSON_TYPE, body });
  expect(status).toBe(204);
  return headers['Stream-Next-Offset'] ?? '';
}

const at = (chunk: number, position: number, of = hash) =>
  `${of}:${String(chunk).padStart(8, '0')}:${String(position).padStart(10, '0')}`;

/** Returns the positions of a chunk that every read mode accepts, and checks that all modes agree. */
async function readable(path: string, chunk: number, until: number, of = hash): Promise<number[]> {
  const taken: number[] = [];
  for (let position = 0; position <= until; position++) {
    const responses = [];
    for (const live of READS) {
      const asked = await harness.ask('read', path, { query: { offset: at(chunk, position, of), ...live } });
      responses.push(asked.status >= 400 ? asked.code : 'taken');
      if (asked.status === 200 && !('live' in live)) expect(Array.isArray(JSON.parse(asked.text))).toBe(true);
    }
    expect(new Set(responses).size, `${position}: ${responses}`).toBe(1);
    if (responses[0] === 'taken') taken.push(position);
    else expect(responses[0]).toBe('OFFSET_INVALID');
  }
  return taken;
}

describe.each(['hot', 'cold'])('in a JSON stream (%s)', (kind) => {
  test('a read can start only where an append ends', async () => {
    // Commas, brackets and quotes inside messages are not boundaries, nor are those between messages of one append.
    await append('{"a":",","b":[1,2]}');
    await append('[1,[2,3],"x,y"]');
    await append('"\\",\\""');
    if (kind === 'cold') {
      await append(JSON.stringify('z'.repeat(40)));
      await harness.service.settled();
    }
    const [first, second, third] = [20, 34, 42] as const;
    const all = await readable('s', 0, third + 3);
    expect(all.filter((position) => position <= third)).toEqual([0, first, second, third]);
    if (kind === 'hot') expect(all.at(-1)).toBe(third);
  });

  test('a fork accepts its own fork point between two messages, and its source does not', async () => {
    await append('[11,22,33]');
    if (kind === 'cold') {
      await append(JSON.stringify('z'.repeat(60)));
      await harness.service.settled();
    }
    const source = hash;
    const made = await harness.ask('create', 'f', {
      headers: { 'Stream-Forked-From': 's', 'Stream-Fork-Offset': '-1', 'Stream-Fork-Sub-Offset': '2' },
    });
    expect(made.status).toBe(201);
    const own = (made.headers['Stream-Next-Offset'] ?? '').slice(0, 5);
    expect(await readable('f', 0, 6, own)).toEqual([0, 6]);
    expect(await readable('f', 0, 6, source)).toEqual([0, 6]);
    await append('[44,55]', 'f');
    expect(await readable('f', 0, 12, own)).toEqual([0, 6, 12]);
    expect((await readable('s', 0, 9, source)).filter((position) => position < 10)).toEqual([0, 9]);
    const { text } = await harness.ask('read', 'f', { query: { offset: at(0, 6, own) } });
    expect(text).toBe('[44,55]');
  });

  test('no fork branches off inside a message', async () => {
    await append('{"a":1}');
    await append('{"b":2}');
    if (kind === 'cold') {
      await append(JSON.stringify('z'.repeat(60)));
      await harness.service.settled();
    }
    for (const position of [1, 5, 7, 9, 15]) {
      for (const sub of ['0', '1']) {
        const made = await harness.ask('create', `f${position}${sub}`, {
          headers: {
            'Stream-Forked-From': 's',
            'Stream-Fork-Offset': at(0, position),
            'Stream-Fork-Sub-Offset': sub,
          },
        });
        expect(made, `${position}`).toMatchObject({ status: 400, code: 'OFFSET_INVALID' });
      }
    }
  });
});

test('refuses every position after the end of a sealed chunk, in any read mode or fork, for any type', async () => {
  for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
    const path = type.replace('/', '-');
    await create(path, { 'Content-Type': type });
    for (let i = 0; i < 3; i++) {
      const asked = await harness.ask('append', path, {
        headers: { 'Content-Type': type },
        body: JSON.stringify('y'.repeat(70)),
      });
      expect(asked.status).toBe(204);
    }
    for (const offset of [at(0, 500), at(1, 9_999_999_999)]) {
      for (const live of READS) {
        const asked = await harness.ask('read', path, { query: { offset, ...live } });
        expect(asked, `${path} ${JSON.stringify(live)}`).toMatchObject({
          status: 400,
          code: 'OFFSET_INVALID',
        });
      }
      const made = await harness.ask('create', `${path}-fork`, {
        headers: { 'Stream-Forked-From': path, 'Stream-Fork-Offset': offset },
      });
      expect(made).toMatchObject({ status: 400, code: 'OFFSET_INVALID' });
    }
  }
});
