/**
 * The share of upstream requests that a tenant has: those being opened and those whose response is coming in. It is
 * counted per tenant, so a crowd of slow responses of one never refuses a request of another.
 */
import { CountMap } from '../count-map.js';
import { SondeError } from '../errors.js';
import type { ReadTenantLimits, StreamService } from '../streams/index.js';
import type { RunningPumps } from './running-pumps.js';

/** Responses end within seconds as a rule. */
const RETRY_SECONDS = 1;

interface ShareDeps {
  readonly pumps: Pick<RunningPumps, 'countOf'>;
  readonly streams: Pick<StreamService, 'whyFull'>;
  readonly limits: ReadTenantLimits;
  /** For tenants without a limit of their own. */
  readonly fallback: number;
}

export class TenantShare {
  readonly #deps: ShareDeps;
  readonly #opening = new CountMap();

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  /** Resolves to what ends the opening, or to the refusal: nothing was sent then. */
  async take(tenant: string): Promise<{ readonly release: () => void } | { readonly refusal: SondeError }> {
    const { pumps, streams, limits, fallback } = this.#deps;
    const { proxyStreams: max = fallback } = await limits(tenant);
    const full = await streams.whyFull(tenant);
    if (full) return { refusal: full };
    if (pumps.countOf(tenant) + this.#opening.get(tenant) >= max) return { refusal: tooMany(max) };
    this.#opening.add(tenant, 1);
    return { release: () => this.#opening.add(tenant, -1) };
  }
}

function tooMany(max: number): SondeError {
  const message = `The tenant has reached its limit of ${max} upstream responses in progress.`;
  return new SondeError('TOO_MANY_STREAMS', message, { details: { max, retryAfterSeconds: RETRY_SECONDS } });
}
