/**
 * Remembers what verified tokens grant, so that each signature is checked once. A grant is found by the SHA-256 of its
 * token, and counts only within the token's own dates, by the clock of each request, and while the keys that verified it
 * are in use. Refusals are not remembered: a flood of forged tokens fills nothing. Beyond its bounds, the oldest go.
 */
import type { Grant } from './principal.js';

/** A grant is never larger than its token, so the tokens' characters bound the memory. */
export const VERIFIED_GRANTS = { max: 10_000, charsMax: 8 * 1024 * 1024 } as const;

export interface VerifiedGrant {
  readonly grant: Grant;
  /** What verified the token; the grant counts while the same is in use. */
  readonly keys: object;
  /** The first second at which the token is valid, and the first at which it no longer is. */
  readonly from: number;
  readonly until: number;
  /** The length of the token. */
  readonly chars: number;
}

export class VerifiedGrants {
  readonly #kept = new Map<string, VerifiedGrant>();
  #chars = 0;

  get size(): number {
    return this.#kept.size;
  }

  find(
    digest: string,
    now: { readonly keys: object | undefined; readonly seconds: number },
  ): Grant | undefined {
    const found = this.#kept.get(digest);
    if (!found) return undefined;
    if (found.keys === now.keys && found.from <= now.seconds && now.seconds < found.until) return found.grant;
    this.#drop(digest, found);
    return undefined;
  }

  keep(digest: string, verified: VerifiedGrant): void {
    const known = this.#kept.get(digest);
    if (known) this.#drop(digest, known);
    this.#kept.set(digest, verified);
    this.#chars += verified.chars;
    for (const [oldest, entry] of this.#kept) {
      if (this.#kept.size <= VERIFIED_GRANTS.max && this.#chars <= VERIFIED_GRANTS.charsMax) return;
      this.#drop(oldest, entry);
    }
  }

  #drop(digest: string, { chars }: VerifiedGrant): void {
    this.#kept.delete(digest);
    this.#chars -= chars;
  }
}
