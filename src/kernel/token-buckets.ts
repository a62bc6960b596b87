/**
 * Token buckets, one per key, refilled at a steady rate. Their number is bounded: the least recently used bucket is
 * dropped first, and its owner then starts with a full one.
 */
export interface BucketState {
  readonly allowed: boolean;
  /** Whole requests left. */
  readonly remaining: number;
  /** Time until the next request is allowed; 0 if this one was. */
  readonly retryAfterSeconds: number;
  /** Time until the bucket is full again. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export class TokenBuckets {
  readonly #perMinute: number;
  readonly #clock: () => number;
  readonly #bucketsMax: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(settings: { perMinute: number; clock: () => number; bucketsMax: number }) {
    this.#perMinute = settings.perMinute;
    this.#clock = settings.clock;
    this.#bucketsMax = settings.bucketsMax;
  }

  take(key: string): BucketState {
    const bucket = this.#touch(key);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return {
      allowed,
      remaining: Math.floor(bucket.tokens),
      retryAfterSeconds: allowed ? 0 : this.#secondsFor(1 - bucket.tokens),
      resetSeconds: this.#secondsFor(this.#perMinute - bucket.tokens),
    };
  }

  get size(): number {
    return this.#buckets.size;
  }

  #touch(key: string): Bucket {
    const now = this.#clock();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#perMinute, at: now };
    const gained = (Math.max(0, now - bucket.at) * this.#perMinute) / 60_000;
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + gained);
    bucket.at = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#bucketsMax) break;
      this.#buckets.delete(oldest);
    }
    return bucket;
  }

  #secondsFor(tokens: number): number {
    return Math.ceil((tokens * 60) / this.#perMinute);
  }
}
