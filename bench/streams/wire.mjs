// HTTP/1.1 by hand over one bare socket, one request in flight: cheap enough that the client does not dominate the
// measurement. All sockets of the process read into one buffer, whose bytes are used before the call returns.
import { connect } from 'node:net';

/** @typedef {{ status: number, head: string, bodyBytes: number, firstBodyAt: number, text: string }} Answer */

const BUFFER = Buffer.allocUnsafe(256 * 1024);
const HEAD_END = Buffer.from('\r\n\r\n');
const NONE = Buffer.alloc(0);
const TEXT_MAX = 500;
const CR = 13;
const LF = 10;
/** @type {Answer} */
const NO_CONTENT = { status: 204, head: '', bodyBytes: 0, firstBodyAt: 0, text: '' };

/**
 * Opens a socket to a loopback port and passes on what it reads; `bytes` is valid during the call only.
 * @param {number} port
 * @param {(bytes: Buffer, length: number) => void} onBytes
 */
export function openSocket(port, onBytes) {
  return connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer: BUFFER,
      callback: (length, bytes) => {
        onBytes(/** @type {Buffer} */ (bytes), length);
        return true;
      },
    },
  });
}

/**
 * @param {string} method @param {string} path
 * @param {{ type?: string, body?: Buffer, headers?: Record<string, string> }} more
 */
export function request(method, path, { type, body, headers = {} } = {}) {
  const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  const lengthLine = body === undefined && method === 'GET' ? '' : `Content-Length: ${body?.length ?? 0}\r\n`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${typeLine}${lengthLine}${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? NONE]);
}

/** @param {string} head @param {string} name */
export function header(head, name) {
  return head.match(new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im'))?.[1];
}

export class Wire {
  /** @type {Buffer} */
  #pending = NONE;
  /** @type {Answer | undefined} The response whose body is being read. */
  #answer;
  /** Bytes of the body, or of its current chunk, that have not arrived yet. */
  #left = 0;
  #chunked = false;
  /** @type {((answer: Answer) => void) | undefined} */
  #done;
  /** @type {(error: Error) => void} */
  #fail = () => {};

  /** @param {number} port */
  constructor(port) {
    this.socket = openSocket(port, (bytes, length) => this.#read(bytes, length));
    /** @type {Error | undefined} */
    let reason;
    this.socket.on('error', (error) => {
      reason = error;
    });
    this.socket.on('close', () => this.#fail(reason ?? new Error('the server closed the connection')));
  }

  /** @param {Buffer} bytes @param {(response: Answer) => void} done @param {(error: Error) => void} fail */
  send(bytes, done, fail) {
    this.#done = done;
    this.#fail = fail;
    this.socket.write(bytes);
  }

  /** @param {Buffer} bytes @returns {Promise<Answer>} */
  ask(bytes) {
    return new Promise((resolve, reject) => this.send(bytes, resolve, reject));
  }

  close() {
    this.#fail = () => {};
    if (this.socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.socket.once('close', resolve);
      this.socket.destroy();
    });
  }

  /** @param {Buffer} bytes @param {number} length */
  #read(bytes, length) {
    if (this.#answer === undefined && this.#pending.length === 0 && isWhole204(bytes, length)) {
      return this.#finish(NO_CONTENT);
    }
    if (this.#answer !== undefined && !this.#chunked && this.#answer.status < 300) {
      return this.#consume(this.#answer, length);
    }
    const all = Buffer.concat([this.#pending, bytes.subarray(0, length)]);
    this.#pending = NONE;
    this.#parse(all);
  }

  /** @param {Buffer} bytes */
  #parse(bytes) {
    let rest = bytes;
    if (this.#answer === undefined) {
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) {
        this.#pending = bytes;
        return;
      }
      this.#begin(bytes.toString('latin1', 0, end + 2));
      rest = bytes.subarray(end + 4);
    }
    const response = this.#answer;
    if (response === undefined) return;
    if (response.status >= 300) response.text += rest.toString('latin1', 0, TEXT_MAX);
    if (this.#chunked) this.#readChunks(response, rest);
    else this.#consume(response, rest.length);
  }

  /** @param {string} head */
  #begin(head) {
    const status = Number(head.slice(9, 12));
    this.#chunked = status !== 204 && /^transfer-encoding:\s*chunked/im.test(head);
    this.#left = status === 204 || this.#chunked ? 0 : Number(header(head, 'content-length') ?? 0);
    this.#answer = { status, head, bodyBytes: 0, firstBodyAt: 0, text: '' };
  }

  /** @param {Answer} response @param {number} length */
  #consume(response, length) {
    if (length > 0 && response.firstBodyAt === 0) response.firstBodyAt = performance.now();
    response.bodyBytes += length;
    this.#left -= length;
    if (this.#left <= 0) this.#finish(response);
  }

  /** Reads the chunks of a body; an incomplete chunk line waits. @param {Answer} response @param {Buffer} bytes */
  #readChunks(response, bytes) {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        if (response.firstBodyAt === 0) response.firstBodyAt = performance.now();
        response.bodyBytes += taken;
        this.#left -= taken;
        at += taken;
        continue;
      }
      // The line end after a chunk's data belongs to the next size line.
      const from = bytes[at] === CR ? at + 2 : at;
      const lineEnd = bytes.indexOf(LF, from);
      if (lineEnd < 0) break;
      const size = Number.parseInt(bytes.toString('latin1', from, lineEnd), 16);
      if (size === 0) {
        if (bytes.length < lineEnd + 3) break;
        return this.#finish(response);
      }
      this.#left = size;
      at = lineEnd + 1;
    }
    this.#pending = Buffer.from(bytes.subarray(at));
  }

  /** @param {Answer} response */
  #finish(response) {
    this.#answer = undefined;
    this.#pending = NONE;
    this.#done?.(response);
  }
}

/**
 * Recognises the usual response to an append by its start and end only. @param {Buffer} bytes @param {number} length
 */
function isWhole204(bytes, length) {
  return (
    bytes[9] === 0x32 &&
    bytes[10] === 0x30 &&
    bytes[11] === 0x34 &&
    bytes[length - 4] === CR &&
    bytes[length - 3] === LF &&
    bytes[length - 2] === CR &&
    bytes[length - 1] === LF
  );
}
