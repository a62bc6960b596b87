/**
 * The state machine of a subscription's wakes, as pure functions. It has three phases:
 *
 * - `idle`: no wake is active.
 * - `woken`: there is pending work. A webhook is called at `dueAt`, and again until it responds. A pull-wake is
 *   announced on its wake stream at `dueAt`, and then waits for a claim (`dueAt` is null).
 * - `leased`: held until `leaseUntil` by the webhook that accepted it or the worker that claimed it.
 *   Each partial acknowledgement renews the lease.
 *
 * Every wake has an id and a generation, which is one more than the last. An acknowledgement must name both. When a
 * lease expires, is released or is done, its generation ends, so a late worker is fenced off even if no other worker
 * has claimed the work. If there is still pending work, the next wake begins at once. A webhook may call back before
 * its response to the delivery arrives. So `callback` is accepted while `woken`, and the outcome of the delivery is
 * then ignored. A webhook that does not respond is called again until it does, at intervals that grow up
 * to a limit.
 *
 * Refusals: a stale generation or id (`fenced`), a claim while another worker holds the lease (`claimed`) or without
 * pending work (`no_pending_work`), and an operation of the other mode (`wrong_mode`). A refusal changes nothing.
 */
export type SubscriptionMode = 'webhook' | 'pull-wake';

interface Numbered {
  readonly generation: number;
  /** The last delivery failed. */
  readonly failing: boolean;
}

export interface Idle extends Numbered {
  readonly phase: 'idle';
}

export interface Woken extends Numbered {
  readonly phase: 'woken';
  readonly wakeId: string;
  readonly attempts: number;
  readonly dueAt: number | null;
}

export interface Leased extends Numbered {
  readonly phase: 'leased';
  readonly wakeId: string;
  readonly leaseUntil: number;
  /** The worker that claimed it; null for a webhook. */
  readonly holder: string | null;
}

export type WakeState = Idle | Woken | Leased;

export interface WakeName {
  readonly generation: number;
  readonly wakeId: string;
}

export type WakeEvent =
  /** Streams were checked for new data, or a deadline has passed. */
  | { readonly kind: 'noticed' }
  | { readonly kind: 'claim'; readonly worker: string }
  | ({ readonly kind: 'callback' | 'ack'; readonly done: boolean } & WakeName)
  | ({ readonly kind: 'release' } & WakeName)
  | ({ readonly kind: 'delivered'; readonly done: boolean } & WakeName)
  | ({ readonly kind: 'failed'; readonly retryMs: number } & WakeName)
  | ({ readonly kind: 'announced' } & WakeName);

export interface WakeContext {
  readonly mode: SubscriptionMode;
  readonly leaseMs: number;
  readonly now: number;
  /** Whether anything is unacknowledged after the event's own acknowledgements. */
  readonly pending: boolean;
  /** The id to use if a new wake begins. */
  readonly newWakeId: string;
}

export type WakeRefusal =
  | { readonly rule: 'fenced' | 'no_pending_work' | 'wrong_mode' }
  | { readonly rule: 'claimed'; readonly holder: string; readonly generation: number };

export type WakeVerdict =
  | { readonly kind: 'accepted'; readonly state: WakeState; readonly nextWake: boolean }
  | { readonly kind: 'refused'; readonly why: WakeRefusal };

export const FIRST_STATE: Idle = { phase: 'idle', generation: 0, failing: false };

export function decideWake(stored: WakeState, event: WakeEvent, context: WakeContext): WakeVerdict {
  const state = lapse(stored, context.now);
  const why = refusalOf(state, event, context);
  if (why) return { kind: 'refused', why };
  const next = nextState(state, event, context);
  return {
    kind: 'accepted',
    state: next,
    nextWake: next.phase === 'woken' && next.generation > state.generation,
  };
}

export function dueAtOf(state: WakeState): number | null {
  if (state.phase === 'idle') return null;
  return state.phase === 'woken' ? state.dueAt : state.leaseUntil;
}

/** Whether the event may acknowledge anything. A store must know this before it counts pending work. */
export function mayAcknowledge(
  stored: WakeState,
  event: WakeEvent,
  context: Pick<WakeContext, 'mode' | 'now'>,
): boolean {
  return refusalOf(lapse(stored, context.now), event, { ...context, pending: true }) === undefined;
}

function lapse(state: WakeState, now: number): WakeState {
  if (state.phase !== 'leased' || state.leaseUntil > now) return state;
  return { phase: 'idle', generation: state.generation, failing: state.failing };
}

/** Events of one mode only; `noticed` belongs to both. */
const MODE_OF: Readonly<Record<Exclude<WakeEvent['kind'], 'noticed'>, SubscriptionMode>> = {
  claim: 'pull-wake',
  ack: 'pull-wake',
  release: 'pull-wake',
  announced: 'pull-wake',
  callback: 'webhook',
  delivered: 'webhook',
  failed: 'webhook',
};

function refusalOf(
  state: WakeState,
  event: WakeEvent,
  { mode, pending }: Pick<WakeContext, 'mode' | 'pending'>,
): WakeRefusal | undefined {
  if (event.kind === 'noticed') return undefined;
  if (MODE_OF[event.kind] !== mode) return { rule: 'wrong_mode' };
  if (event.kind === 'claim') {
    if (state.phase === 'leased') {
      return { rule: 'claimed', holder: state.holder ?? '', generation: state.generation };
    }
    return pending ? undefined : { rule: 'no_pending_work' };
  }
  const named =
    state.phase !== 'idle' && state.generation === event.generation && state.wakeId === event.wakeId;
  // A wake that is announced but not claimed has no token, so it cannot be acknowledged.
  const early = state.phase === 'woken' && (event.kind === 'ack' || event.kind === 'release');
  return named && !early ? undefined : { rule: 'fenced' };
}

function nextState(state: WakeState, event: WakeEvent, context: WakeContext): WakeState {
  switch (event.kind) {
    case 'noticed':
      return state.phase === 'idle' && context.pending ? wake(state, context) : state;
    case 'claim':
      return claim(state, event.worker, context);
    case 'callback':
    case 'ack': {
      const recovered = { ...state, failing: false };
      return event.done ? settle(recovered, context) : lease(recovered, context);
    }
    case 'release':
      return settle(state, context);
    case 'delivered': {
      const recovered = { ...state, failing: false };
      if (event.done) return settle(recovered, context);
      return state.phase === 'woken' ? lease(recovered, context) : recovered;
    }
    case 'failed':
      return state.phase === 'woken' ? retry(state, event.retryMs, context) : state;
    case 'announced':
      return state.phase === 'woken' ? { ...state, dueAt: null } : state;
  }
}

function wake({ generation, failing }: WakeState, { now, newWakeId }: WakeContext): Woken {
  return { phase: 'woken', generation: generation + 1, failing, wakeId: newWakeId, attempts: 0, dueAt: now };
}

function settle(state: WakeState, context: WakeContext): WakeState {
  if (context.pending) return wake(state, context);
  return { phase: 'idle', generation: state.generation, failing: state.failing };
}

function claim(state: WakeState, worker: string, context: WakeContext): WakeState {
  const woken = state.phase === 'woken' ? state : wake(state, context);
  return { ...lease(woken, context), holder: worker };
}

function lease(state: WakeState, { now, leaseMs, newWakeId }: WakeContext): Leased {
  return {
    phase: 'leased',
    generation: state.generation,
    failing: state.failing,
    wakeId: state.phase === 'idle' ? newWakeId : state.wakeId,
    leaseUntil: now + leaseMs,
    holder: state.phase === 'leased' ? state.holder : null,
  };
}

function retry(state: Woken, retryMs: number, { now }: WakeContext): WakeState {
  return { ...state, failing: true, attempts: state.attempts + 1, dueAt: now + retryMs };
}
