/**
 * `Idempotency-Key` for any route that creates something. Per tenant and key, the create runs once, and a repeat of the
 * same request gets the first response, marked `Idempotent-Replayed`. A repeat during the first request gets 409, and a
 * different request with the same key gets 422. Errors are not stored: after an error the key can be used again.
 */
import { asSondeError, SondeError } from '../errors.js';
import type { IdempotencyOutcome, Tenant } from '../jobs/index.js';
import { invalidField } from '../kernel/invalid-request.js';
import type { Log } from '../log.js';
import { hashParts } from '../net/index.js';
import { uuidV7 } from '../uuid.js';
import type { AppRecords } from './records.js';

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
  readonly log: Pick<Log, 'warn'>;
  /** `id` is the id of the new record; a create that is repeated after a crash gets the same one. */
  run(id: string): Promise<Created<Body>>;
}

const KEY = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

interface CreatedOnce<Body> extends Created<Body> {
  readonly replayed: boolean;
}

/** A key belongs to one request: its method, its path, and its body, given as text or digest. */
export interface KeyedRequest {
  readonly method: string;
  readonly path: string;
  header(name: string): string | null | undefined;
}

export async function createOnce<Body>(
  request: KeyedRequest,
  body: string,
  call: CreateCall<Body>,
): Promise<CreatedOnce<Body>> {
  const key = request.header('idempotency-key') ?? undefined;
  if (key === undefined) return { ...(await call.run(uuidV7(Date.now()))), replayed: false };
  if (key.length > IDEMPOTENCY_LIMITS.keyChars || !KEY.test(key)) {
    const form = `Idempotency-Key must be 1 to ${IDEMPOTENCY_LIMITS.keyChars} printable ASCII characters`;
    throw invalidField('header.idempotency-key', `${form}.`);
  }
  return runWithKey(key, hashParts([request.method, request.path, body]), call);
}

/** The response headers of a create. */
export function createdHeaders({ location, replayed }: CreatedOnce<unknown>): Record<string, string> {
  return {
    ...(location !== null && { Location: location }),
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
  };
}

async function runWithKey<Body>(
  key: string,
  fingerprint: string,
  call: CreateCall<Body>,
): Promise<CreatedOnce<Body>> {
  const { log, records } = call;
  const { idempotency } = records;
  const owner = { tenantId: call.tenant.id, key, owner: crypto.randomUUID() };
  const { inFlightMs, keepMs, keysMax } = IDEMPOTENCY_LIMITS;
  const outcome = await idempotency.begin({
    ...owner,
    fingerprint,
    newId: uuidV7(Date.now()),
    inFlightMs,
    keepMs,
    keysMax,
  });
  if (outcome.kind === 'replayed') {
    const { status, location, body } = outcome.response;
    return { status, location, body: JSON.parse(body) as Body, replayed: true };
  }
  if (outcome.kind !== 'begun') throw refusal(outcome);
  try {
    const created = await call.run(outcome.id);
    await idempotency.finish(owner, { ...created, body: JSON.stringify(created.body) });
    return { ...created, replayed: false };
  } catch (thrown) {
    await idempotency.abandon(owner).catch((failed: unknown) =>
      // The key is released anyway once its time in flight is over.
      log.warn('an idempotency key was not released', { code: asSondeError(failed).code }),
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
