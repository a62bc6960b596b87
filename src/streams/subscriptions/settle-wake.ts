/**
 * The requests of workers and webhooks about a wake: claim it, acknowledge streams, finish it or release it. Any caller
 * with write access can claim; everything else needs the token that came with the wake.
 */
import { SondeError } from '../../errors.js';
import { comparePositions, parseOffset } from '../offset.js';
import { isGenuine, mintCallbackToken, readCallbackToken } from './callback-token.js';
import { noSubscription } from './create-subscription.js';
import { mayAcknowledge, type WakeEvent, type WakeRefusal } from './decide-wake.js';
import { seenOf } from './follow-streams.js';
import { streamIdOf } from './stream-path.js';
import type { SubscriptionDeps } from './subscription-deps.js';
import { type AckRequest, readAcks, readFields, readWakeName, readWorker } from './subscription-requests.js';
import type { Ack, StepOutcome, SubscriptionKey, SubscriptionRecord } from './subscription-store.js';
import { streamView } from './subscription-view.js';

/** A call that is authorised only by its token. */
export interface HolderCall {
  readonly id: string;
  readonly token: string | undefined;
  /** Read only once the token is known to be genuine. */
  readonly body: () => Promise<Uint8Array>;
}

type Accepted = Extract<StepOutcome, { kind: 'accepted' }>;

export async function claimWake(
  deps: SubscriptionDeps,
  key: SubscriptionKey,
  body: Uint8Array,
): Promise<Record<string, unknown>> {
  const worker = readWorker(readFields(body));
  await deps.runner.catchUp(key);
  const { record } = requireAccepted(await deps.runner.step(key, { wake: { kind: 'claim', worker } }));
  if (record.wake.phase !== 'leased') throw new Error('a claimed subscription is not leased');
  const links = await deps.store.newsFirst(key, deps.limits.streamsPerWake);
  return {
    wake_id: record.wake.wakeId,
    generation: record.wake.generation,
    token: mintCallbackToken(deps.tokenKey, record, record.wake.generation),
    streams: links.map(streamView),
    lease_ttl_ms: record.leaseMs,
  };
}

export async function acknowledgeWake(
  deps: SubscriptionDeps,
  kind: 'callback' | 'ack',
  call: HolderCall,
): Promise<Record<string, unknown>> {
  const { record, generation } = await holderOf(deps, call);
  const request = readAcks(readFields(await call.body()), deps.limits.streamsPerRequest);
  refuseOtherGeneration(generation, request.generation);
  await deps.runner.catchUp(record);
  const { wakeId, done } = request;
  const wake: WakeEvent = { kind, done, generation, wakeId };
  // A stale caller gets FENCED regardless of its offsets.
  const current = mayAcknowledge(record.wake, wake, { mode: record.mode, now: deps.steady() });
  const entries = current ? await readEntries(deps, record, request) : [];
  const outcome = requireAccepted(await deps.runner.step(record, { wake, acks: { entries, strict: true } }));
  return { ok: true, next_wake: outcome.nextWake };
}

export async function releaseWake(deps: SubscriptionDeps, call: HolderCall): Promise<void> {
  const { record, generation } = await holderOf(deps, call);
  const name = readWakeName(readFields(await call.body()));
  refuseOtherGeneration(generation, name.generation);
  requireAccepted(
    await deps.runner.step(record, { wake: { kind: 'release', generation, wakeId: name.wakeId } }),
  );
}

/** The subscription that the token belongs to. Without a genuine token its existence is not revealed. */
async function holderOf(
  { store, tokenKey }: SubscriptionDeps,
  { id, token: text }: HolderCall,
): Promise<{ record: SubscriptionRecord; generation: number }> {
  const token = text === undefined ? undefined : readCallbackToken(text);
  const record = token && (await store.get({ tenant: token.tenant, id }));
  if (!token || !record || !isGenuine(tokenKey, record, token)) {
    throw new SondeError(
      'TOKEN_INVALID',
      'the token of the wake is required; send it as "Authorization: Bearer …"',
    );
  }
  return { record, generation: token.generation };
}

function refuseOtherGeneration(ofToken: number, named: number): void {
  if (ofToken !== named) throw refusalError({ rule: 'fenced' });
}

async function readEntries(
  deps: SubscriptionDeps,
  { tenant }: SubscriptionKey,
  { acks }: AckRequest,
): Promise<readonly Ack[]> {
  return Promise.all(
    acks.map(async ({ path, offset }) => {
      const stream = await deps.streams.find(streamIdOf(tenant, path));
      if (!stream) throw badAck(path, 'is not followed by this subscription');
      const token = tokenOf(path, offset);
      if (token.kind !== 'at' || token.hash !== stream.hash) throw badAck(path, 'did not return this offset');
      if (comparePositions(token.position, stream.tail) > 0)
        throw badAck(path, 'has not reached this offset');
      if (!(await deps.streams.gaveOut(stream, token.position)))
        throw badAck(path, 'did not return this offset');
      return { path, at: token.position, stream: seenOf(stream) };
    }),
  );
}

function tokenOf(path: string, offset: string) {
  try {
    return parseOffset(offset);
  } catch (cause) {
    throw badAck(path, 'did not return this offset', cause);
  }
}

function requireAccepted(outcome: StepOutcome): Accepted {
  switch (outcome.kind) {
    case 'accepted':
      return outcome;
    case 'missing':
      throw noSubscription();
    case 'bad_ack':
      throw badAck(
        outcome.path,
        outcome.why === 'unknown'
          ? 'is not followed by this subscription'
          : 'was already acknowledged beyond this offset',
      );
    case 'refused':
      throw refusalError(outcome.why);
  }
}

function badAck(path: string, fault: string, cause?: unknown): SondeError {
  return new SondeError('INVALID_OFFSET', `the stream ${path} ${fault}`, {
    cause,
    details: { stream: path },
  });
}

function refusalError(why: WakeRefusal): SondeError {
  switch (why.rule) {
    case 'fenced':
      return new SondeError('FENCED', 'this wake has ended: it was settled, or its lease expired');
    case 'no_pending_work':
      return new SondeError('NO_PENDING_WORK', 'there is no pending work: everything is acknowledged');
    case 'wrong_mode':
      return new SondeError(
        'INVALID_REQUEST',
        'claim, ack and release are for pull-wake subscriptions, callback is for webhooks',
      );
    case 'claimed':
      return new SondeError('ALREADY_CLAIMED', 'another worker holds this subscription', {
        details: { current_holder: why.holder, generation: why.generation },
      });
  }
}
