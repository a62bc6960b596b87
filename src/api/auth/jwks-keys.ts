/**
 * Caches a key set that is fetched through an injected port. Loads are bounded: one at a time and at most one per
 * `COOLDOWN_MS`, however many tokens name unknown keys, so forged tokens cannot make this server flood the issuer.
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

const FRESH_MS = 10 * 60_000;
const STALE_MAX_MS = 60 * 60_000;
const COOLDOWN_MS = 30_000;
const KEYS_MAX = 100;

export interface JwksKeysSettings {
  /** Fetches the set through the egress layer, with its own limits on time and bytes. */
  readonly load: () => Promise<JSONWebKeySet>;
  readonly clock: () => number;
  readonly log: Log;
}

export class JwksKeys {
  readonly #settings: JwksKeysSettings;
  #set: LocalJWKSet | undefined;
  #loadedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(settings: JwksKeysSettings) {
    this.#settings = settings;
  }

  async keyFor(header: CompactJWSHeaderParameters, jws: FlattenedJWSInput): Promise<CryptoKey> {
    if (this.#age() > FRESH_MS) await this.#refresh();
    try {
      return await this.#usable()(header, jws);
    } catch (thrown) {
      if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
      if (!(await this.#refresh())) throw thrown;
      return this.#usable()(header, jws);
    }
  }

  #age(): number {
    return this.#settings.clock() - this.#loadedAt;
  }

  #usable(): LocalJWKSet {
    if (this.#set !== undefined && this.#age() <= STALE_MAX_MS) return this.#set;
    throw new SondeError('NOT_READY', 'The key set that verifies tokens could not be loaded.');
  }

  /** Resolves to whether a load was attempted; a failed load is logged and leaves the old set in place. */
  async #refresh(): Promise<boolean> {
    if (this.#loading === undefined) {
      const now = this.#settings.clock();
      if (now - this.#attemptedAt < COOLDOWN_MS) return false;
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
      this.#set = createLocalJWKSet(loaded);
      this.#loadedAt = this.#settings.clock();
    } catch (cause) {
      this.#settings.log.warn('key set not loaded', { err: cause });
    }
  }
}
