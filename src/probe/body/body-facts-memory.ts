/**
 * Caches the facts of recent bodies: samples of one side repeat, and extracting the facts of a body costs several
 * times as much as fetching it. Cached facts are already redacted; the key is a hash of the body and everything else
 * that the facts depend on.
 */
import { runInTurns, type Turn } from '../../loop-turns.js';
import type { BodyFacts } from '../body-facts.js';
import { type BodyReading, bodyFactsInSteps, type DrainedBody, portableSha256 } from './read-body-facts.js';

const REMEMBERED_MAX = 128;
/** Facts of shorter bodies are extracted without yielding to the event loop. */
const TURNS_BYTES_MIN = 16_384;

export class BodyFactsMemory {
  readonly #known = new Map<string, BodyFacts>();
  readonly #turn: Turn | undefined;

  constructor(turn: Turn | undefined) {
    this.#turn = turn;
  }

  async read(drained: DrainedBody, reading: BodyReading): Promise<BodyFacts> {
    const turn = drained.bytes.length < TURNS_BYTES_MIN ? undefined : this.#turn;
    if (drained.truncated) return runInTurns(bodyFactsInSteps(drained, reading), turn);
    const { sha256 = portableSha256 } = reading;
    const hash = sha256(drained.bytes);
    const key = [hash, reading.contentType ?? '', reading.finalUrl, ...reading.hosts].join('\n');
    const facts =
      this.#known.get(key) ?? withoutWire(await runInTurns(bodyFactsInSteps(drained, reading, hash), turn));
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

/** The number of bytes on the wire belongs to one response, not to the body. */
function withoutWire({ wireBytes: _own, ...facts }: BodyFacts): BodyFacts {
  return facts;
}
