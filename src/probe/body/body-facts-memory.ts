/**
 * Remembers the facts of bodies that came lately: samples of one side repeat themselves, and reading the facts
 * of a body costs several times what fetching it does. What is remembered is redacted already; the key is a hash
 * of the body and everything else that the facts depend on.
 */
import type { BodyFacts } from '../body-facts.js';
import { type BodyReading, type DrainedBody, portableSha256, readBodyFacts } from './read-body-facts.js';

const REMEMBERED_MAX = 128;

export class BodyFactsMemory {
  readonly #known = new Map<string, BodyFacts>();

  read(drained: DrainedBody, reading: BodyReading): BodyFacts {
    if (drained.truncated) return readBodyFacts(drained, reading);
    const { sha256 = portableSha256 } = reading;
    const hash = sha256(drained.bytes);
    const key = [hash, reading.contentType ?? '', reading.finalUrl, ...reading.hosts].join('\n');
    const facts = this.#known.get(key) ?? withoutWire(readBodyFacts(drained, reading, hash));
    this.#known.delete(key);
    this.#known.set(key, facts);
    if (this.#known.size > REMEMBERED_MAX) {
      const [oldest = key] = this.#known.keys();
      this.#known.delete(oldest);
    }
    const { wireBytes } = drained;
    return wireBytes === undefined ? facts : { wireBytes, ...facts };
  }
}

/** How many bytes came on the wire belongs to one response and not to the body. */
function withoutWire({ wireBytes: _own, ...facts }: BodyFacts): BodyFacts {
  return facts;
}
