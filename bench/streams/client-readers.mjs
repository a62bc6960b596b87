// SSE readers of one stream, and how long after a POST each of them has seen its bytes.
import { createStream } from './client-create.mjs';
import { pause, percentile } from './stats.mjs';
import { openSocket, request, Wire } from './wire.mjs';

const TYPE = 'text/plain';
const OPENING_AT_ONCE = 100;
const BETWEEN_APPENDS_MS = 20;
const SEEN_MS_MAX = 60_000;
const CONTROL = Buffer.from('event: control');

/** @typedef {{ marker: Buffer, number: number, startedAt: number, latencies: number[], left: number, done: () => void }} Awaited_ */

class Reader {
  /** @type {(error?: Error) => void} */
  #settle = () => {};
  #isOpen = false;
  #seen = 0;
  #start = '';

  /** @param {number} port @param {string} stream */
  constructor(port, stream) {
    this.opened = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve(undefined));
    });
    this.socket = openSocket(port, (bytes, length) => this.#read(bytes.subarray(0, length)));
    this.socket.on('error', (error) => this.#settle(error));
    this.socket.on('close', () => this.#closed());
    this.socket.write(request('GET', `${stream}?offset=now&live=sse`));
  }

  /** @param {Buffer} bytes */
  #read(bytes) {
    if (this.#isOpen) {
      if (!awaited || this.#seen === awaited.number || bytes.indexOf(awaited.marker) < 0) return;
      this.#seen = awaited.number;
      awaited.latencies.push(performance.now() - awaited.startedAt);
      if (--awaited.left === 0) awaited.done();
      return;
    }
    this.#start += bytes.toString('latin1');
    if (!this.#start.startsWith('HTTP/1.1 200')) this.#settle(new Error(this.#start.slice(0, 80)));
    if (this.#start.includes(CONTROL.toString())) {
      this.#isOpen = true;
      this.#start = '';
      this.#settle();
    }
  }

  #closed() {
    if (!this.#isOpen) this.#settle(new Error('closed before its first event'));
    else if (readers.includes(this)) lost++;
  }
}

/** @type {Reader[]} */
let readers = [];
let lost = 0;
let sequence = 0;
/** @type {Awaited_ | undefined} */
let awaited;

/**
 * Creates the stream and opens readers at its tail. @param {{ port: number, stream: string, count: number }} options
 */
export async function openReaders({ port, stream, count }) {
  const wire = new Wire(port);
  await createStream(wire, stream, { type: TYPE });
  await wire.close();
  lost = 0;
  const startedAt = performance.now();
  while (readers.length < count) {
    const batch = Array.from({ length: Math.min(OPENING_AT_ONCE, count - readers.length) }, () => {
      return new Reader(port, stream);
    });
    readers.push(...batch);
    await Promise.all(batch.map((reader) => reader.opened));
  }
  return performance.now() - startedAt;
}

/**
 * Appends one after another, each after all readers have seen the last one; at least `appends`, and more while there is
 * time.
 * @param {{ port: number, stream: string, appends: number, appendsMax: number, ms: number, warmUp: number }} options
 */
export async function deliver({ port, stream, appends, appendsMax, ms, warmUp }) {
  const wire = new Wire(port);
  /** @type {number[]} */
  const latencies = [];
  try {
    for (let i = 0; i < warmUp; i++) await deliverOne(wire, stream);
    const startedAt = performance.now();
    let done = 0;
    while (done < appends || (done < appendsMax && performance.now() - startedAt < ms)) {
      latencies.push(...(await deliverOne(wire, stream)));
      done++;
      await pause(BETWEEN_APPENDS_MS);
    }
    return { appends: done, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
  } finally {
    await wire.close();
  }
}

/** @param {Wire} wire @param {string} stream */
async function deliverOne(wire, stream) {
  const number = ++sequence;
  const marker = Buffer.from(`<${String(number).padStart(10, '0')}>`);
  const body = Buffer.concat([marker, Buffer.alloc(100 - marker.length, 'x')]);
  const bytes = request('POST', stream, { type: TYPE, body });
  /** @type {number[]} */
  const latencies = [];
  const seen = new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${awaited?.left} of ${readers.length} readers saw nothing (${lost} were closed)`));
    }, SEEN_MS_MAX);
    const done = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    awaited = { marker, number, startedAt: performance.now(), latencies, left: readers.length, done };
  });
  const answered = wire.ask(bytes);
  const [response] = await Promise.all([answered, seen]);
  if (response.status !== 204) throw new Error(`append: ${response.status} ${response.text}`);
  awaited = undefined;
  return latencies;
}

/** Closes every reader; returns how many the server had closed before. */
export async function closeReaders() {
  const closing = readers;
  readers = [];
  const gone = closing.map((reader) => {
    return reader.socket.destroyed
      ? undefined
      : new Promise((resolve) => reader.socket.once('close', resolve).destroy());
  });
  await Promise.all(gone);
  return lost;
}
