import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StreamHarness } from '../support/stream-harness.js';

/**
 * Random lives of a family of streams, checked against a model that is just arrays of bytes. Whatever was appended,
 * closed, forked, sealed, restarted and deleted in between, every offset ever returned names the same byte, and every
 * read from it returns the rest of the stream.
 */
type Step =
  | { do: 'append'; stream: number; text: string; close: boolean }
  | { do: 'fork'; stream: number; offset: number; sub: number }
  | { do: 'read'; stream: number; offset: number; live: 'no' | 'sse' | 'long-poll' }
  | { do: 'restart' }
  | { do: 'delete'; stream: number };

interface ModelStream {
  readonly name: string;
  content: string;
  /** Where each append ends, for sub-offsets. */
  appends: number[];
  closed: boolean;
  deleted: boolean;
  /** Every offset this stream ever returned, with the byte it names. */
  readonly offsets: Map<string, number>;
}

const index = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      stream: index,
      text: fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme-ascii' }),
      close: fc.integer({ min: 0, max: 12 }).map((n) => n === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fork' as const), stream: index, offset: index, sub: fc.nat(6) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      stream: index,
      offset: index,
      live: fc.constantFrom('no' as const, 'sse' as const, 'long-poll' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), stream: index }) },
);

class Model {
  readonly streams: ModelStream[] = [];
  readonly harness: StreamHarness;
  readonly #type = 'application/octet-stream';
  readonly #life: number;
  #made = 0;

  constructor(harness: StreamHarness, life: number) {
    this.harness = harness;
    this.#life = life;
  }

  async create(): Promise<void> {
    const name = `${this.#life}-s${this.#made++}`;
    const { status, headers } = await this.harness.ask('create', name, {
      headers: { 'Content-Type': this.#type },
    });
    expect(status).toBe(201);
    const stream: ModelStream = {
      name,
      content: '',
      appends: [],
      closed: false,
      deleted: false,
      offsets: new Map([['-1', 0]]),
    };
    this.#note(stream, headers, 0);
    this.streams.push(stream);
  }

  async run(each: Step): Promise<void> {
    if (each.do === 'restart') return this.harness.restart();
    // Only the newest few, so that forks live long enough to fill their own chunks.
    const stream = this.streams.at(-1 - (each.stream % Math.min(4, this.streams.length)));
    if (!stream) return;
    if (each.do === 'append') await this.#append(stream, each);
    if (each.do === 'fork') await this.#fork(stream, each);
    if (each.do === 'read') await this.read(stream, each);
    if (each.do === 'delete') await this.#delete(stream);
  }

  async #append(stream: ModelStream, { text, close }: { text: string; close: boolean }): Promise<void> {
    const { status, headers } = await this.harness.ask('append', stream.name, {
      headers: { 'Content-Type': this.#type, ...(close && { 'Stream-Closed': 'true' }) },
      body: text,
    });
    if (stream.deleted) return expect([404, 410]).toContain(status);
    if (stream.closed) return expect(status).toBe(409);
    expect(status).toBe(204);
    stream.content += text;
    stream.appends.push(stream.content.length);
    stream.closed = close;
    this.#note(stream, headers, stream.content.length);
  }

  async #fork(source: ModelStream, { offset, sub }: { offset: number; sub: number }): Promise<void> {
    const [given = '-1', at = 0] = [...source.offsets][offset % source.offsets.size] ?? [];
    const next = source.appends.find((end) => end > at);
    const fits = sub === 0 || (next !== undefined && at + sub <= next);
    const name = `${this.#life}-s${this.#made++}`;
    const { status, headers } = await this.harness.ask('create', name, {
      headers: {
        'Stream-Forked-From': source.name,
        'Stream-Fork-Offset': given,
        'Stream-Fork-Sub-Offset': String(sub),
      },
    });
    if (source.deleted) return expect([404, 409]).toContain(status);
    if (!fits) return expect(status).toBe(400);
    expect(status).toBe(201);
    const point = at + sub;
    const fork: ModelStream = {
      name,
      content: source.content.slice(0, point),
      appends: [...source.appends.filter((end) => end < point), ...(point > 0 ? [point] : [])],
      closed: false,
      deleted: false,
      offsets: new Map([...source.offsets].filter(([, byte]) => byte <= point)),
    };
    this.#note(fork, headers, point);
    this.streams.push(fork);
  }

  async read(stream: ModelStream, { offset, live }: { offset: number; live: string }): Promise<void> {
    const [given = '-1', at = 0] = [...stream.offsets][offset % stream.offsets.size] ?? [];
    if (stream.deleted) {
      expect([404, 410]).toContain((await this.harness.ask('read', stream.name)).status);
    } else if (live === 'sse') await this.#readSse(stream, given, at);
    else if (live === 'long-poll' && at < stream.content.length)
      await this.#readPages(stream, { given, at, live });
    else await this.#readPages(stream, { given, at });
  }

  /** Follows pages to the tail; the end of each page is an offset like any other. */
  async #readPages(stream: ModelStream, from: { given: string; at: number; live?: string }): Promise<void> {
    let { given, at } = from;
    for (let page = 0; page < 1000; page++) {
      const live = from.live !== undefined && at < stream.content.length ? { live: from.live } : {};
      const asked = await this.harness.ask('read', stream.name, { query: { offset: given, ...live } });
      expect(asked.status).toBe(200);
      expect(stream.content.slice(at, at + asked.text.length)).toBe(asked.text);
      at += asked.text.length;
      given = this.#note(stream, asked.headers, at);
      if (asked.headers['Stream-Up-To-Date'] === 'true') break;
    }
    expect(at).toBe(stream.content.length);
  }

  async #readSse(stream: ModelStream, given: string, at: number): Promise<void> {
    const { text } = await this.harness.ask('read', stream.name, { query: { offset: given, live: 'sse' } });
    let got = '';
    for (const event of text.split('\n\n').filter((each) => each !== '')) {
      const [kind = '', ...lines] = event.split('\n');
      const data = lines.map((line) => line.slice('data:'.length)).join('\n');
      if (kind === 'event: data') got += Buffer.from(data, 'base64').toString('latin1');
      else this.#note(stream, { 'Stream-Next-Offset': JSON.parse(data).streamNextOffset }, at + got.length);
    }
    expect(got).toBe(stream.content.slice(at));
  }

  async #delete(stream: ModelStream): Promise<void> {
    const { status } = await this.harness.ask('remove', stream.name);
    if (stream.deleted) expect([404, 410]).toContain(status);
    else expect(status).toBe(204);
    stream.deleted = true;
  }

  #note(stream: ModelStream, headers: Readonly<Record<string, string>>, byte: number): string {
    const offset = headers['Stream-Next-Offset'] ?? '';
    expect(offset).toMatch(/^[0-9a-z]{5}:\d{8}:\d{10}$/);
    expect(stream.offsets.get(offset) ?? byte).toBe(byte);
    stream.offsets.set(offset, byte);
    return offset;
  }
}

test('a family of streams behaves like arrays of bytes', async () => {
  // All lives share a server, because starting one costs as much as most lives.
  const harness = await StreamHarness.start({ chunkBytes: 64, limits: { readBytes: 300, longPollMs: 100 } });
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
      { numRuns: 15, endOnFailure: true },
    );
  } finally {
    await harness.stop();
  }
}, 180_000);
