import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../support/any-character.js';
import { StreamHarness } from '../support/stream-harness.js';

/**
 * Random lives of a family of JSON streams, checked against a model that is just lists of messages. Arrays are
 * flattened one level, forks branch off between messages, every offset ever returned names the same message for ever,
 * and every read returns valid JSON with the rest of the list. An offset that was never returned is refused or names a
 * place between two messages.
 */
type Step =
  | { do: 'append'; stream: number; value: unknown; spread: boolean; indent: number; close: boolean }
  | { do: 'fork'; stream: number; offset: number; sub: number }
  | { do: 'read'; stream: number; offset: number; live: 'no' | 'sse' | 'long-poll' }
  | { do: 'forge'; stream: number; chunk: number; position: number; live: 'no' | 'sse' | 'long-poll' }
  | { do: 'restart' }
  | { do: 'delete'; stream: number };

interface ModelStream {
  readonly name: string;
  /** Each message as canonical text. */
  messages: string[];
  /** The number of messages after each append. */
  appends: number[];
  closed: boolean;
  deleted: boolean;
  /** Every offset this stream ever returned, with the number of messages before it. */
  readonly offsets: Map<string, number>;
}

const TYPE = { 'Content-Type': 'application/json' };
const index = fc.nat(50);
const live = fc.constantFrom('no' as const, 'sse' as const, 'long-poll' as const);
const value = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      stream: index,
      value: fc.oneof(value, fc.array(value, { maxLength: 4 })),
      spread: fc.boolean(),
      indent: fc.nat(2),
      close: fc.integer({ min: 0, max: 12 }).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fork' as const), stream: index, offset: index, sub: fc.nat(4) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('read' as const), stream: index, offset: index, live }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('forge' as const),
      stream: index,
      chunk: fc.nat(3),
      position: fc.nat(90),
      live,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), stream: index }) },
);

const canonical = (parsed: unknown) => JSON.stringify(parsed);

/** Returns the messages in a response body or event; anything but a JSON array fails the test. */
function messagesOf(text: string): string[] {
  const parsed: unknown = JSON.parse(text);
  expect(Array.isArray(parsed)).toBe(true);
  return (parsed as unknown[]).map(canonical);
}

class Model {
  readonly streams: ModelStream[] = [];
  readonly harness: StreamHarness;
  readonly #life: number;
  #made = 0;

  constructor(harness: StreamHarness, life: number) {
    this.harness = harness;
    this.#life = life;
  }

  async create(): Promise<void> {
    const stream = this.#newStream([], [], new Map([['-1', 0]]));
    const { status, headers } = await this.harness.ask('create', stream.name, { headers: TYPE });
    expect(status).toBe(201);
    this.#note(stream, headers, 0);
    this.streams.push(stream);
  }

  #newStream(messages: string[], appends: number[], offsets: Map<string, number>): ModelStream {
    return {
      name: `${this.#life}-s${this.#made++}`,
      messages,
      appends,
      closed: false,
      deleted: false,
      offsets,
    };
  }

  async run(each: Step): Promise<void> {
    if (each.do === 'restart') return this.harness.restart();
    const stream = this.streams.at(-1 - (each.stream % Math.min(4, this.streams.length)));
    if (!stream) return;
    if (each.do === 'append') await this.#append(stream, each);
    if (each.do === 'fork') await this.#fork(stream, each);
    if (each.do === 'read') await this.read(stream, each);
    if (each.do === 'forge') await this.#forge(stream, each);
    if (each.do === 'delete') await this.#delete(stream);
  }

  async #append(stream: ModelStream, each: Extract<Step, { do: 'append' }>): Promise<void> {
    const sent = each.spread ? [each.value, [each.value]] : each.value;
    const body = JSON.stringify(sent, null, each.indent);
    const added = (Array.isArray(sent) ? sent : [sent]).map(canonical);
    const { status, headers } = await this.harness.ask('append', stream.name, {
      headers: { ...TYPE, ...(each.close && { 'Stream-Closed': 'true' }) },
      body,
    });
    if (added.length === 0) return expect(status).toBe(400);
    if (stream.deleted) return expect([404, 410]).toContain(status);
    if (stream.closed) return expect(status).toBe(409);
    expect(status).toBe(204);
    stream.messages.push(...added);
    stream.appends.push(stream.messages.length);
    stream.closed = each.close;
    this.#note(stream, headers, stream.messages.length);
  }

  async #fork(source: ModelStream, { offset, sub }: { offset: number; sub: number }): Promise<void> {
    const [given = '-1', at = 0] = [...source.offsets][offset % source.offsets.size] ?? [];
    const next = source.appends.find((end) => end > at);
    const fits = sub === 0 || (next !== undefined && at + sub <= next);
    const point = at + sub;
    const fork = this.#newStream(
      source.messages.slice(0, point),
      [...source.appends.filter((end) => end < point), ...(point > 0 ? [point] : [])],
      new Map([...source.offsets].filter(([, before]) => before <= point)),
    );
    const { status, headers } = await this.harness.ask('create', fork.name, {
      headers: {
        'Stream-Forked-From': source.name,
        'Stream-Fork-Offset': given,
        'Stream-Fork-Sub-Offset': String(sub),
      },
    });
    if (source.deleted) return expect([404, 409]).toContain(status);
    if (!fits) return expect(status).toBe(400);
    expect(status).toBe(201);
    this.#note(fork, headers, point);
    this.streams.push(fork);
  }

  async read(stream: ModelStream, { offset, live }: { offset: number; live: string }): Promise<void> {
    const [given = '-1', at = 0] = [...stream.offsets][offset % stream.offsets.size] ?? [];
    if (stream.deleted) {
      expect([404, 410]).toContain((await this.harness.ask('read', stream.name)).status);
    } else if (live === 'sse') {
      expect(await this.#readSse(stream, given, at)).toEqual(stream.messages.slice(at));
    } else {
      await this.#readPages(stream, { given, at, live });
    }
  }

  /** Follows pages to the tail; the end of each page is an offset like any other. */
  async #readPages(stream: ModelStream, from: { given: string; at: number; live: string }): Promise<void> {
    let { given, at } = from;
    for (let page = 0; page < 1000; page++) {
      // At the tail a long-poll would only wait.
      const waits = from.live === 'long-poll' && at < stream.messages.length;
      const query = { offset: given, ...(waits && { live: 'long-poll' }) };
      const asked = await this.harness.ask('read', stream.name, { query });
      expect(asked.status).toBe(200);
      const got = messagesOf(asked.text);
      expect(got).toEqual(stream.messages.slice(at, at + got.length));
      at += got.length;
      given = this.#note(stream, asked.headers, at);
      if (asked.headers['Stream-Up-To-Date'] === 'true') break;
    }
    expect(at).toBe(stream.messages.length);
  }

  async #readSse(stream: ModelStream, given: string, at: number): Promise<string[]> {
    const { text } = await this.harness.ask('read', stream.name, { query: { offset: given, live: 'sse' } });
    const got: string[] = [];
    for (const event of text.split('\n\n').filter((each) => each !== '')) {
      const [kind = '', ...lines] = event.split('\n');
      const data = lines.map((line) => line.slice('data:'.length)).join('\n');
      if (kind === 'event: data') got.push(...messagesOf(data));
      else this.#note(stream, { 'Stream-Next-Offset': JSON.parse(data).streamNextOffset }, at + got.length);
    }
    return got;
  }

  /** Most of these positions are inside a message; a few are where an append ended. */
  async #forge(stream: ModelStream, each: Extract<Step, { do: 'forge' }>): Promise<void> {
    if (stream.deleted) return;
    const hash = [...stream.offsets.keys()].at(-1)?.slice(0, 5);
    const offset = `${hash}:${String(each.chunk).padStart(8, '0')}:${String(each.position).padStart(10, '0')}`;
    const query = { offset, ...(each.live !== 'no' && { live: each.live }) };
    const asked = await this.harness.ask('read', stream.name, { query });
    if (asked.status === 400) {
      expect(asked.code).toBe('OFFSET_INVALID');
      // A returned offset is never refused.
      expect(stream.offsets.has(offset)).toBe(false);
    } else if (each.live === 'no') {
      const got = messagesOf(asked.text);
      const ends = asked.headers['Stream-Up-To-Date'] === 'true';
      const at = stream.offsets.get(offset);
      if (ends) expect(got).toEqual(stream.messages.slice(at ?? stream.messages.length - got.length));
      else if (at !== undefined) expect(got).toEqual(stream.messages.slice(at, at + got.length));
    } else if (each.live === 'sse') {
      for (const [data] of asked.text.matchAll(/(?<=event: data\n)(?:data:.*\n)+/g)) {
        messagesOf(data.replace(/^data:/gm, ''));
      }
    }
  }

  async #delete(stream: ModelStream): Promise<void> {
    const { status } = await this.harness.ask('remove', stream.name);
    if (stream.deleted) expect([404, 410]).toContain(status);
    else expect(status).toBe(204);
    stream.deleted = true;
  }

  #note(stream: ModelStream, headers: Readonly<Record<string, string>>, before: number): string {
    const offset = headers['Stream-Next-Offset'] ?? '';
    expect(offset).toMatch(/^[0-9a-z]{5}:\d{8}:\d{10}$/);
    expect(stream.offsets.get(offset) ?? before).toBe(before);
    stream.offsets.set(offset, before);
    return offset;
  }
}

test('a family of JSON streams behaves like lists of messages', async () => {
  // All lives share a server, because starting one costs as much as most lives.
  const harness = await StreamHarness.start({ chunkBytes: 64, limits: { readBytes: 300, longPollMs: 50 } });
  let lives = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 90 }), async (steps) => {
        const model = new Model(harness, ++lives);
        await model.create();
        await model.create();
        for (const each of steps) await model.run(each);
        await harness.service.settled();
        for (const stream of model.streams) {
          for (let offset = 0; offset < stream.offsets.size; offset += Math.ceil(stream.offsets.size / 5)) {
            await model.read(stream, { offset, live: 'no' });
          }
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );
  } finally {
    await harness.stop();
  }
}, 300_000);
