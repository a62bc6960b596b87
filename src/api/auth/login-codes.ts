/**
 * One-time login codes, kept in memory. A code works once, within an hour, in the process that issued it. Only digests
 * are kept, a lookup compares all of them, and beyond `CODES_MAX` the oldest code is dropped.
 */
import { base64url } from 'jose';
import { SondeError } from '../../errors.js';
import type { TenantGrant } from './principal.js';
import { sameDigest, secretDigest } from './secret-digest.js';

const CODE_BYTES = 24;
const CODES_MAX = 16;
const CODE_MS = 60 * 60_000;

interface OutstandingCode {
  readonly digest: Uint8Array;
  readonly grant: TenantGrant;
  readonly expiresAt: number;
}

export class LoginCodes {
  readonly #clock: () => number;
  #outstanding: readonly OutstandingCode[] = [];

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  issue(grant: TenantGrant): string {
    const code = base64url.encode(crypto.getRandomValues(new Uint8Array(CODE_BYTES)));
    const entry = { digest: secretDigest(code), grant, expiresAt: this.#clock() + CODE_MS };
    this.#outstanding = [...this.#outstanding, entry].slice(-CODES_MAX);
    return code;
  }

  /** Returns the grant of the code. The code is used up by this call, even if it has expired. */
  redeem(code: string): TenantGrant {
    const digest = secretDigest(code);
    const matches = this.#outstanding.map((entry) => sameDigest(entry.digest, digest));
    const found = this.#outstanding[matches.indexOf(true)];
    const now = this.#clock();
    this.#outstanding = this.#outstanding.filter((entry) => entry !== found && entry.expiresAt > now);
    if (found !== undefined && found.expiresAt > now) return found.grant;
    throw new SondeError('INVALID_LOGIN_CODE', 'This login code is unknown, expired or already used.');
  }
}
