/**
 * Limits the upstream requests of a tenant: those being opened and those whose response is being received. Counted per
 * tenant, so that many slow responses of one tenant never block the requests of another.
 */
import { CountMap } from '../count-map.js';
import { SondeError } from '../errors.js';
import type { ReadTenantLimits, StreamService } from '../streams/index.js';
import type { RunningPumps } from './running-pumps.js';

/** Responses usually end within seconds. */
const RETRY_SECONDS = 1;

interface ShareDeps {
  readonly pumps: Pick<RunningPumps, 'countOf'>;
  readonly streams: Pick<StreamService, 'whyFull'>;
  readonly limits: ReadTenantLimits;
  readonly fallback: number;
}

export class TenantShare {
  readonly #deps: ShareDeps;
  readonly #opening = new CountMap();

  constructor(deps: ShareDeps) {
    this.#deps = deps;
  }

  /** Reserves a slot until `release` is called, or returns the refusal. */
  async take(tenant: string): Promise<{ readonly release: () => void } | { readonly refusal: SondeError }> {
    const { pumps, streams, limits, fallback } = this.#deps;
    const full = await streams.whyFull(tenant);
    if (full) return { refusal: full };
    // There must be no await between checking the limit and taking the slot.
    const { proxyStreams: max = fallback } = await limits(tenant);
    if (pumps.countOf(tenant) + this.#opening.get(tenant) >= max) return { refusal: tooMany(max) };
    this.#opening.add(tenant, 1);
    return { release: () => this.#opening.add(tenant, -1) };
  }
}

function tooMany(max: number): SondeError {
  const message = `The tenant has reached its limit of ${max} upstream responses in progress (quota proxyStreams, or proxy.streamsMax). Wait for one to end.`;
  return new SondeError('TOO_MANY_STREAMS', message, { details: { max, retryAfterSeconds: RETRY_SECONDS } });
}
