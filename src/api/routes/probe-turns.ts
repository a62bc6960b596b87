/**
 * Limits calls of `GET /api/probe`. A probe may hold a few megabytes for ten seconds, so a tenant may have only so many
 * in progress (quota `probes`), and all tenants together only so many at once; further ones wait, and a tenant with
 * none running never waits for those of others.
 */
import { CountMap } from '../../count-map.js';
import { SondeError } from '../../errors.js';
import { quotasOf, type Tenant } from '../../jobs/index.js';
import { TenantTurns } from '../../tenant-turns.js';

export const PROBES_AT_ONCE = { max: 32, perTenant: 8 } as const;

/** A probe takes at most ten seconds, and most take less than one. */
const RETRY_SECONDS = 1;

export class ProbeTurns {
  readonly #turns = new TenantTurns(PROBES_AT_ONCE.max, PROBES_AT_ONCE.perTenant);
  readonly #inProgress = new CountMap();

  async run<T>(tenant: Pick<Tenant, 'slug' | 'quotas'>, probe: () => Promise<T>): Promise<T> {
    const { slug } = tenant;
    const { probes: max } = quotasOf(tenant);
    if (this.#inProgress.get(slug) >= max) throw tooMany(max);
    this.#inProgress.add(slug, 1);
    try {
      return await this.#turns.run(slug, probe);
    } finally {
      this.#inProgress.add(slug, -1);
    }
  }
}

function tooMany(max: number): SondeError {
  return new SondeError(
    'QUOTA_EXCEEDED',
    `The tenant has ${max} probes in progress, its limit (quota probes). Wait until one has ended.`,
    { details: { quota: 'probes', max, retryAfterSeconds: RETRY_SECONDS } },
  );
}
