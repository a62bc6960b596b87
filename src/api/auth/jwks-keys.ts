/**
 * Caches a key set that is loaded through an injected port. Loads are bounded: one at a time and at most one per
 * `COOLDOWN_MS`, however many tokens name unknown keys, so forged tokens cannot make this server flood the issuer. A
 * source that is cheap to load, such as a file, is loaded again as soon as the set is no longer fresh.
 * A set that cannot be refreshed stays in use for `STALE_MAX_MS` and is then no longer used.
 */
import {
  type CompactJWSHeaderParameters,
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type LocalJWKSet,
} from 'jose';
import { SondeError } from '../../errors.js';
import type { Log } from '../../log.js';
import { LogLimit } from '../../log-limit.js';

const FRESH_MS = 10 * 60_000;
const STALE_MAX_MS = 60 * 60_000;
const COOLDOWN_MS = 30_000;
const KEYS_MAX = 100;

export interface JwksKeysSettings {
  /** Fetches the set through the egress layer, with its own limits on time and bytes. */
  readonly load: () => Promise<JSONWebKeySet>;
  /** How long a loaded set is used before it is loaded again; ten minutes by default. */
  readonly freshMs?: number;
  readonly clock: () => number;
  readonly log: Log;
}

export class JwksKeys {
  readonly #settings: JwksKeysSettings;
  readonly #freshMs: number;
  readonly #cooldownMs: number;
  readonly #faultLog: LogLimit;
  #loaded: JSONWebKeySet | undefined;
  #set: LocalJWKSet | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(settings: JwksKeysSettings) {
    this.#settings = settings;
    const { freshMs = FRESH_MS, clock } = settings;
    this.#freshMs = freshMs;
    this.#cooldownMs = Math.min(COOLDOWN_MS, freshMs);
    this.#faultLog = new LogLimit({ everyMs: COOLDOWN_MS, monotonic: clock });
  }

  /** The set in use, loaded again first if it is due; undefined if there is none. */
  async current(): Promise<LocalJWKSet | undefined> {
    if (this.#age() > this.#freshMs) await this.#refresh();
    return this.#age() <= STALE_MAX_MS ? this.#set : undefined;
  }

  async keyFor(header: CompactJWSHeaderParameters, jws: FlattenedJWSInput): Promise<CryptoKey> {
    const set = await this.#usable();
    try {
      return await set(header, jws);
    } catch (thrown) {
      if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
      if (!(await this.#refresh())) throw thrown;
      return (await this.#usable())(header, jws);
    }
  }

  #age(): number {
    return this.#settings.clock() - this.#loadedAt;
  }

  async #usable(): Promise<LocalJWKSet> {
    const set = await this.current();
    if (set !== undefined) return set;
    throw new SondeError('NOT_READY', 'The key set that verifies tokens could not be loaded.');
  }

  /** Resolves to whether a load was attempted; a failed load is logged and leaves the old set in place. */
  async #refresh(): Promise<boolean> {
    if (this.#loading === undefined) {
      const now = this.#settings.clock();
      if (now - this.#attemptedAt < this.#cooldownMs) return false;
      this.#attemptedAt = now;
      this.#loading = this.#load().finally(() => {
        this.#loading = undefined;
      });
    }
    await this.#loading;
    return true;
  }

  async #load(): Promise<void> {
    try {
      const loaded = await this.#settings.load();
      if (loaded?.keys?.length > KEYS_MAX) throw new Error(`more than ${KEYS_MAX} keys`);
      // A source may return the same set again, whose imported keys are still good.
      if (loaded !== this.#loaded) this.#set = createLocalJWKSet(loaded);
      this.#loaded = loaded;
      this.#loadedAt = this.#settings.clock();
    } catch (cause) {
      const passed = this.#faultLog.pass('load');
      if (passed) this.#settings.log.warn('key set not loaded', { err: cause, ...passed });
    }
  }
}
