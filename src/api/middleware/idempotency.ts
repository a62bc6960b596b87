/**
 * `Idempotency-Key` for any route that creates something. Per tenant and key, the create runs once, and a repeat of the
 * same request gets the first response, marked `Idempotent-Replayed`. A repeat during the first request gets 409, and a
 * different request with the same key gets 422. Errors are not stored: after an error the key can be used again.
 */
import { asSondeError, SondeError } from '../../errors.js';
import type { IdempotencyOutcome, Tenant } from '../../jobs/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { hashParts } from '../../net/index.js';
import { uuidV7 } from '../../uuid.js';
import type { AppContext } from '../app-env.js';
import type { AppRecords } from '../records.js';

export const IDEMPOTENCY_LIMITS = {
  keyChars: 255,
  inFlightMs: 60_000,
  keepMs: 24 * 3_600_000,
  keysMax: 100_000,
  responseChars: 256 * 1024,
} as const;

/** What a create returns. It is stored, so it must not contain secrets. */
export interface Created<Body> {
  readonly status: number;
  readonly body: Body;
  readonly location: string | null;
}

export interface CreateCall<Body> {
  readonly records: AppRecords;
  readonly tenant: Tenant;
  /** Identifies the body if it was already read elsewhere. */
  readonly digest?: string;
  /** `id` is the id of the new record; a create that is repeated after a crash gets the same one. */
  run(id: string): Promise<Created<Body>>;
}

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Also sets `Location`. */
export async function idempotently<Body>(c: AppContext, call: CreateCall<Body>): Promise<Created<Body>> {
  const created = await runOnce(c, call);
  c.header('Location', created.location ?? undefined);
  return created;
}

async function runOnce<Body>(c: AppContext, call: CreateCall<Body>): Promise<Created<Body>> {
  const key = c.req.header('idempotency-key');
  if (key === undefined) return call.run(uuidV7(Date.now()));
  if (key.length > IDEMPOTENCY_LIMITS.keyChars || !KEY.test(key)) {
    const form = `Idempotency-Key must be 1 to ${IDEMPOTENCY_LIMITS.keyChars} printable ASCII characters`;
    throw invalidField('header.idempotency-key', `${form}.`);
  }
  return runWithKey(c, key, call);
}

async function runWithKey<Body>(c: AppContext, key: string, call: CreateCall<Body>): Promise<Created<Body>> {
  const { idempotency } = call.records;
  const owner = { tenantId: call.tenant.id, key, owner: crypto.randomUUID() };
  const { inFlightMs, keepMs, keysMax } = IDEMPOTENCY_LIMITS;
  const outcome = await idempotency.begin({
    ...owner,
    fingerprint: hashParts([c.req.method, c.req.path, call.digest ?? (await c.req.text())]),
    newId: uuidV7(Date.now()),
    inFlightMs,
    keepMs,
    keysMax,
  });
  if (outcome.kind === 'replayed') {
    const { status, location, body } = outcome.response;
    c.header('Idempotent-Replayed', 'true');
    return { status, location, body: JSON.parse(body) as Body };
  }
  if (outcome.kind !== 'begun') throw refusal(outcome);
  try {
    const created = await call.run(outcome.id);
    await idempotency.finish(owner, { ...created, body: JSON.stringify(created.body) });
    return created;
  } catch (thrown) {
    await idempotency.abandon(owner).catch((failed: unknown) =>
      // The key is released anyway once its time in flight is over.
      c.var.log.warn('an idempotency key was not released', { code: asSondeError(failed).code }),
    );
    throw thrown;
  }
}

function refusal({ kind }: Exclude<IdempotencyOutcome, { kind: 'replayed' | 'begun' }>): SondeError {
  switch (kind) {
    case 'in_flight':
      return new SondeError(
        'IDEMPOTENCY_KEY_IN_FLIGHT',
        'The first request with this Idempotency-Key is still in progress.',
      );
    case 'mismatch':
      return new SondeError(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used for a different request. Use a new key for each request.',
      );
    case 'full':
      return new SondeError(
        'QUOTA_EXCEEDED',
        `A tenant can use at most ${IDEMPOTENCY_LIMITS.keysMax} idempotency keys per day.`,
        { details: { quota: 'idempotencyKeys', max: IDEMPOTENCY_LIMITS.keysMax } },
      );
  }
}
