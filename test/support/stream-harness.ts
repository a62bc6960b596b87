import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileObjectStore } from '../../src/runtimes/node/file-object-store.js';
import { openStoreHost, type StoreHost } from '../../src/runtimes/node/sqlite/store-host.js';
import {
  type LiveSink,
  type StreamLimits,
  type StreamResponse,
  StreamService,
  type StreamStore,
} from '../../src/streams/index.js';
import { keepingLog, type LogLine } from './keeping-log.js';
import { STORE_WORKER_URL } from './serve.js';

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly code?: string;
}

type Verb = 'create' | 'append' | 'read' | 'head' | 'remove';

interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface HarnessOptions {
  readonly chunkBytes: number;
  readonly limits?: Partial<StreamLimits>;
  /** Wraps the store, to delay its calls. */
  wrapStore?(store: StreamStore): StreamStore;
}

/** Streams on a real SQLite file and real segment files, without HTTP around them and with a manual clock. */
export class StreamHarness {
  readonly folder = mkdtempSync(join(tmpdir(), 'sonde-streams-'));
  now = Date.UTC(2026, 0, 1);
  /** What was logged, in all lives of the server. */
  readonly lines: LogLine[] = [];
  readonly #chunkBytes: number;
  readonly #limits: Partial<StreamLimits>;
  readonly #wrapStore: (store: StreamStore) => StreamStore;
  #host: StoreHost | undefined;
  #service: StreamService | undefined;

  private constructor({ chunkBytes, limits = {}, wrapStore = (store) => store }: HarnessOptions) {
    this.#chunkBytes = chunkBytes;
    this.#limits = limits;
    this.#wrapStore = wrapStore;
  }

  static async start(options: HarnessOptions): Promise<StreamHarness> {
    const harness = new StreamHarness(options);
    await harness.#open();
    return harness;
  }

  get service(): StreamService {
    if (!this.#service) throw new Error('the harness is stopped');
    return this.#service;
  }

  get host(): StoreHost {
    if (!this.#host) throw new Error('the harness is stopped');
    return this.#host;
  }

  async restart(): Promise<void> {
    await this.whileClosed(() => {});
  }

  /** For tests that change files between two lives of the server. */
  async whileClosed(act: () => void): Promise<void> {
    await this.#close();
    act();
    await this.#open();
  }

  async stop(): Promise<void> {
    await this.#close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async ask(verb: Verb, path: string, { headers = {}, query = {}, body = '' }: Ask = {}): Promise<Asked> {
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    try {
      const response = await this.service[verb]({
        id: path,
        url: `http://test/${path}`,
        query: new URLSearchParams(query),
        header: (name) => lower[name] ?? null,
        body: async () => (typeof body === 'string' ? new TextEncoder().encode(body) : body),
        idOfPath: (other) => other,
      });
      return await collect(response);
    } catch (error) {
      const { code, facts } = error as { code?: string; facts?: { status: number } };
      if (!code || !facts) throw error;
      return { status: facts.status, headers: {}, bytes: new Uint8Array(0), text: '', code };
    }
  }

  async #open(): Promise<void> {
    this.#host = await openStoreHost({
      path: join(this.folder, 'sonde.db'),
      workerUrl: STORE_WORKER_URL,
      chunkBytes: this.#chunkBytes,
    });
    this.#service = new StreamService({
      store: this.#wrapStore(this.#host.store),
      objects: createFileObjectStore(join(this.folder, 'segments')),
      log: keepingLog(this.lines),
      clock: () => this.now,
      limits: this.#limits,
      damaged: this.#host.damaged,
      unchecked: this.#host.unchecked,
    });
    this.#service.start();
  }

  async #close(): Promise<void> {
    await this.#service?.stop();
    await this.#host?.close();
    this.#service = undefined;
    this.#host = undefined;
  }
}

async function collect({ status, headers, body, error }: StreamResponse): Promise<Asked> {
  const pieces: Uint8Array[] = [];
  if (body?.kind === 'bytes') pieces.push(body.bytes);
  if (body?.kind === 'pieces') {
    for await (const piece of body.pieces()) {
      pieces.push(piece.slice());
      // As the server does: a buffer that is not reused is five megabytes to allocate and collect.
      body.release(piece);
    }
  }
  if (body?.kind === 'live') pieces.push(...(await untilUpToDate(body.start)));
  const bytes = new Uint8Array(Buffer.concat(pieces));
  return {
    status,
    headers,
    bytes,
    text: new TextDecoder().decode(bytes),
    ...(error && { code: error.code }),
  };
}

/** Reads a live response until it reports that it is up to date, or ends. */
function untilUpToDate(start: (sink: LiveSink) => void): Promise<Uint8Array[]> {
  return new Promise((resolve) => {
    const pieces: Uint8Array[] = [];
    let close = () => {};
    const finish = () => {
      resolve(pieces);
      close();
    };
    start({
      write(bytes) {
        pieces.push(bytes);
        if (new TextDecoder().decode(bytes).includes('"upToDate":true')) queueMicrotask(finish);
      },
      buffered: () => 0,
      drained: () => Promise.resolve(),
      end: finish,
      abort: finish,
      onClose: (act) => {
        close = act;
      },
    });
  });
}
