/**
 * Remembers the facts of bodies that came lately: samples of one side repeat themselves, and reading the facts
 * of a body costs several times what fetching it does. What is remembered is redacted already; the key is a hash
 * of the body and everything else that the facts depend on.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BodyFacts } from '../body-facts.js';
import { type BodyReading, type DrainedBody, readBodyFacts } from './read-body-facts.js';

const REMEMBERED_MAX = 128;

export class BodyFactsMemory {
  readonly #known = new Map<string, BodyFacts>();

  read(drained: DrainedBody, reading: BodyReading): BodyFacts {
    if (drained.truncated) return readBodyFacts(drained, reading);
    const hash = bytesToHex(sha256(drained.bytes));
    const key = [hash, reading.contentType ?? '', reading.finalUrl, ...reading.hosts].join('\n');
    const known = this.#known.get(key);
    const { wireBytes: _own, ...facts } = known ?? readBodyFacts(drained, reading, hash);
    this.#known.delete(key);
    this.#known.set(key, facts);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED_MAX && oldest !== undefined) this.#known.delete(oldest);
    const { wireBytes } = drained;
    return { ...facts, ...(wireBytes !== undefined && { wireBytes }) };
  }
}
