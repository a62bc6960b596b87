/**
 * A small file beside a database that holds one numbered fact about its last commit. It is written after the commit
 * and before the acknowledgement, and synced once per second, not each time. So it survives a crash of the process at
 * once and a power failure after a second, and is never ahead of the database.
 */
import { closeSync, constants, fdatasync, openSync, readSync, writeSync } from 'node:fs';
import { checksum } from '../../../streams/index.js';

/** A flat list, because commits wait for it and a nested object takes several times as long to serialise. */
export type MarkFields = readonly [number: number, ...rest: readonly unknown[]];

/** Two places that are written in turn, so that a power failure damages at most one. */
const PLACES = 2;
const PLACE_BYTES = 8192;
/** The length and the checksum of the text that follows. */
const HEAD_BYTES = 8;
const SYNC_MS = 1_000;

export class MarkFile<Fields extends MarkFields> {
  readonly #buffer = Buffer.alloc(PLACE_BYTES);
  #file: number | undefined;
  #syncing: ReturnType<typeof setTimeout> | undefined;
  /** The fields with the highest number when the file was opened; undefined if there are none. */
  readonly found: Fields | undefined;

  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const places = Array.from({ length: PLACES }, (_, place) => this.#read(place));
    this.found = places
      .filter((fields) => fields !== undefined)
      .sort(([a], [b]) => a - b)
      .at(-1);
  }

  /** Throws if the file cannot be written. Does nothing once it is closed. */
  write(fields: Fields): void {
    if (this.#file === undefined) return;
    const length = this.#buffer.write(JSON.stringify(fields), HEAD_BYTES);
    this.#buffer.writeInt32LE(length, 0);
    this.#buffer.writeUInt32LE(this.#checksum(length), 4);
    writeSync(this.#file, this.#buffer, 0, HEAD_BYTES + length, (fields[0] % PLACES) * PLACE_BYTES);
    this.#syncing ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
  }

  close(): void {
    clearTimeout(this.#syncing);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read(place: number): Fields | undefined {
    const read = readSync(this.#file ?? 0, this.#buffer, 0, PLACE_BYTES, place * PLACE_BYTES);
    const length = read < HEAD_BYTES ? 0 : this.#buffer.readInt32LE(0);
    if (length <= 0 || HEAD_BYTES + length > read) return undefined;
    if (this.#buffer.readUInt32LE(4) !== this.#checksum(length)) return undefined;
    return JSON.parse(this.#buffer.toString('utf8', HEAD_BYTES, HEAD_BYTES + length)) as Fields;
  }

  #checksum(length: number): number {
    return checksum(this.#buffer.subarray(HEAD_BYTES, HEAD_BYTES + length));
  }

  #sync(): void {
    this.#syncing = undefined;
    if (this.#file !== undefined) fdatasync(this.#file, () => undefined);
  }
}
