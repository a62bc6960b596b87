import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMetadata } from '../../src/proxy/proxy-metadata.js';
import { Pump, type PumpDeps, type PumpSource } from '../../src/proxy/pump.js';
import { SpareWrites } from '../../src/proxy/spare-writes.js';
import type { ObjectStore, StreamKey } from '../../src/streams/index.js';
import { StreamService } from '../../src/streams/index.js';
import { keyFor } from './fresh-stream.js';
import { type InlineStore, openInlineStore } from './inline-store.js';
import { keepingLog } from './keeping-log.js';
import { ManualTimers } from './manual-timers.js';
import { ScriptedBody } from './scripted-body.js';

const METADATA = {
  tenant: 't',
  upstream_url: 'http://u',
  upstream_method: 'GET',
  upstream_status: 200,
  upstream_content_type: null,
  upstream_headers: '',
};

export const FULL_DISK = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });

/** Runs everything that can happen without time passing. */
export const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

type Append = Parameters<StreamService['appendOwn']>[1];

/** A pump between a scripted upstream and real streams on a real file, with a manual clock and a gate before writes. */
export class PumpBench {
  streamId = '';
  timers = new ManualTimers();
  body = new ScriptedBody();
  /** Sizes of the written records, in order; null for a closure without bytes. */
  writes: (number | null)[] = [];
  /** Makes every commit fail while it is set. */
  failWith: Error | undefined;
  onCommit: () => void = () => {};
  spareWrites = new SpareWrites(100);
  /** How often readers were disconnected. */
  dropped = 0;
  openGate: () => void = () => {};
  readonly #folder = mkdtempSync(join(tmpdir(), 'sonde-pump-'));
  #inline: InlineStore | undefined;
  #service: StreamService | undefined;
  #gate: Promise<void> | undefined;
  #streams = 0;

  get inline(): InlineStore {
    if (!this.#inline) throw new Error('the bench is not open');
    return this.#inline;
  }

  get service(): StreamService {
    if (!this.#service) throw new Error('the bench has not begun');
    return this.#service;
  }

  open(): void {
    this.#inline = openInlineStore(join(this.#folder, 'sonde.db'), {
      onCommit: () => {
        if (this.failWith) throw this.failWith;
        this.onCommit();
      },
    });
  }

  close(): void {
    this.inline.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts with a new stream, a new upstream and a new clock. */
  async begin(): Promise<void> {
    this.streamId = `proxy/${++this.#streams}`;
    [this.writes, this.failWith, this.#gate, this.dropped] = [[], undefined, undefined, 0];
    this.openGate = () => {};
    this.spareWrites = new SpareWrites(100);
    this.timers = new ManualTimers();
    this.body = new ScriptedBody();
    this.#service = new StreamService({
      store: this.inline.store,
      objects: {} as ObjectStore,
      log: keepingLog(),
      clock: this.timers.now,
    });
    await this.inline.proxy.pumpStarted(this.stream);
    await this.service.createOwn({
      collection: 'proxy/bench',
      ...this.stream,
      contentType: 'application/octet-stream',
      expiresAt: this.timers.now() + 86_400_000,
      metadata: JSON.stringify(METADATA),
      data: null,
    });
  }

  start(more: Pick<PumpDeps, 'paceMs'> = {}): Pump {
    return new Pump({ ...this.deps, ...more }, this.source);
  }

  get source(): PumpSource {
    return { stream: this.stream, metadata: METADATA, body: this.body, stored: 0 };
  }

  get deps(): Omit<PumpDeps, 'paceMs'> {
    return {
      streams: {
        appendOwn: (stream: StreamKey, append: Append) => this.#append(stream, append),
        dropReaders: () => {
          this.dropped++;
        },
      },
      store: this.inline.proxy,
      timers: this.timers,
      log: keepingLog(),
      flushBytes: 4096,
      flushMs: 50,
      idleMs: 600_000,
      spareWrites: this.spareWrites,
    };
  }

  /** Blocks all writes until the gate is opened. */
  holdWrites(): void {
    this.#gate = new Promise((resolve) => {
      this.openGate = () => {
        this.#gate = undefined;
        resolve();
      };
    });
  }

  /** Returns the streams whose pump was started and has not ended, according to the store. */
  async notedPumps(): Promise<string[]> {
    return (await this.inline.proxy.pumps('', 100)).map(({ id }) => id);
  }

  async stored() {
    const state = await this.service.find(this.streamId);
    if (!state) throw new Error('the stream no longer exists');
    const { body } = await this.service.read({
      id: this.streamId,
      url: 'http://x',
      query: new URLSearchParams({ offset: '-1' }),
      header: () => null,
      body: async () => new Uint8Array(0),
      idOfPath: () => undefined,
    });
    const pieces: Uint8Array[] = [];
    if (body?.kind === 'pieces') for await (const piece of body.pieces()) pieces.push(piece);
    const { outcome, error } = readMetadata(state);
    return { text: Buffer.concat(pieces).toString(), closed: state.closed, outcome, error };
  }

  get stream(): StreamKey {
    return keyFor(this.streamId);
  }

  async #append(stream: StreamKey, append: Append) {
    this.writes.push(append.data?.length ?? null);
    await this.#gate;
    return this.service.appendOwn(stream, append);
  }
}
