import { describe, expect, test } from 'vitest';
import {
  decideWake,
  dueAtOf,
  FIRST_STATE,
  mayAcknowledge,
  type SubscriptionMode,
  type WakeContext,
  type WakeEvent,
  type WakeState,
} from './decide-wake.js';

const NOW = 1_000_000;
const LEASE_MS = 30_000;
const RETRY_MS = 700;
const NAME = { generation: 5, wakeId: 'w5' };
const SHARED = { generation: 5, failing: false };

/** An expired lease is a state of its own; the store still has it as `leased`. */
type Start = WakeState['phase'] | 'lapsed';

const STARTS: Record<SubscriptionMode, Record<Start, WakeState>> = {
  webhook: {
    idle: { phase: 'idle', ...SHARED },
    woken: { phase: 'woken', ...SHARED, wakeId: 'w5', attempts: 0, dueAt: NOW },
    leased: { phase: 'leased', ...SHARED, wakeId: 'w5', leaseUntil: NOW + 1, holder: null },
    lapsed: { phase: 'leased', ...SHARED, wakeId: 'w5', leaseUntil: NOW, holder: null },
  },
  'pull-wake': {
    idle: { phase: 'idle', ...SHARED },
    woken: { phase: 'woken', ...SHARED, wakeId: 'w5', attempts: 0, dueAt: NOW },
    leased: { phase: 'leased', ...SHARED, wakeId: 'w5', leaseUntil: NOW + 1, holder: 'ann' },
    lapsed: { phase: 'leased', ...SHARED, wakeId: 'w5', leaseUntil: NOW, holder: 'ann' },
  },
};

type EventName = WakeEvent['kind'] | `${'callback' | 'ack' | 'delivered'} done`;

const EVENTS: Record<EventName, WakeEvent> = {
  noticed: { kind: 'noticed' },
  claim: { kind: 'claim', worker: 'bob' },
  callback: { kind: 'callback', done: false, ...NAME },
  'callback done': { kind: 'callback', done: true, ...NAME },
  ack: { kind: 'ack', done: false, ...NAME },
  'ack done': { kind: 'ack', done: true, ...NAME },
  release: { kind: 'release', ...NAME },
  delivered: { kind: 'delivered', done: false, ...NAME },
  'delivered done': { kind: 'delivered', done: true, ...NAME },
  failed: { kind: 'failed', retryMs: RETRY_MS, ...NAME },
  announced: { kind: 'announced', ...NAME },
};

/** The result of an event with pending work, and without. */
type Cell = readonly [withPending: string, without: string];

const same = (text: string): Cell => [text, text];
const fenced = same('fenced');
const wrong = same('wrong_mode');
const next: Cell = ['woken 6 due now', 'idle 5'];
const renewed = (who: string) => same(`leased 5 by ${who} renewed`);
const kept = (who: string) => same(`leased 5 by ${who}`);

/** Every mode, phase and event has a cell, or this does not compile. */
const TABLE: Record<SubscriptionMode, Record<Start, Record<EventName, Cell>>> = {
  webhook: {
    idle: {
      noticed: next,
      claim: wrong,
      callback: fenced,
      'callback done': fenced,
      ack: wrong,
      'ack done': wrong,
      release: wrong,
      delivered: fenced,
      'delivered done': fenced,
      failed: fenced,
      announced: wrong,
    },
    woken: {
      noticed: same('woken 5 due now'),
      claim: wrong,
      callback: renewed('nobody'),
      'callback done': next,
      ack: wrong,
      'ack done': wrong,
      release: wrong,
      delivered: renewed('nobody'),
      'delivered done': next,
      failed: same('woken 5 due later failing'),
      announced: wrong,
    },
    leased: {
      noticed: kept('nobody'),
      claim: wrong,
      callback: renewed('nobody'),
      'callback done': next,
      ack: wrong,
      'ack done': wrong,
      release: wrong,
      delivered: kept('nobody'),
      'delivered done': next,
      failed: kept('nobody'),
      announced: wrong,
    },
    lapsed: {
      noticed: next,
      claim: wrong,
      callback: fenced,
      'callback done': fenced,
      ack: wrong,
      'ack done': wrong,
      release: wrong,
      delivered: fenced,
      'delivered done': fenced,
      failed: fenced,
      announced: wrong,
    },
  },
  'pull-wake': {
    idle: {
      noticed: next,
      claim: ['leased 6 by bob renewed', 'no_pending_work'],
      callback: wrong,
      'callback done': wrong,
      ack: fenced,
      'ack done': fenced,
      release: fenced,
      delivered: wrong,
      'delivered done': wrong,
      failed: wrong,
      announced: fenced,
    },
    woken: {
      noticed: same('woken 5 due now'),
      claim: ['leased 5 by bob renewed', 'no_pending_work'],
      callback: wrong,
      'callback done': wrong,
      ack: fenced,
      'ack done': fenced,
      release: fenced,
      delivered: wrong,
      'delivered done': wrong,
      failed: wrong,
      announced: same('woken 5 waiting'),
    },
    leased: {
      noticed: kept('ann'),
      claim: same('claimed'),
      callback: wrong,
      'callback done': wrong,
      ack: renewed('ann'),
      'ack done': next,
      release: next,
      delivered: wrong,
      'delivered done': wrong,
      failed: wrong,
      announced: kept('ann'),
    },
    lapsed: {
      noticed: next,
      claim: ['leased 6 by bob renewed', 'no_pending_work'],
      callback: wrong,
      'callback done': wrong,
      ack: fenced,
      'ack done': fenced,
      release: fenced,
      delivered: wrong,
      'delivered done': wrong,
      failed: wrong,
      announced: fenced,
    },
  },
};

const contextOf = (mode: SubscriptionMode, pending: boolean): WakeContext => ({
  mode,
  pending,
  now: NOW,
  leaseMs: LEASE_MS,
  newWakeId: 'w6',
});

function describeState(state: WakeState): string {
  const failing = state.failing ? ' failing' : '';
  if (state.phase === 'idle') return `idle ${state.generation}${failing}`;
  if (state.phase === 'leased') {
    const renewed = state.leaseUntil === NOW + LEASE_MS ? ' renewed' : '';
    return `leased ${state.generation} by ${state.holder ?? 'nobody'}${renewed}${failing}`;
  }
  const due = state.dueAt === null ? 'waiting' : state.dueAt === NOW ? 'due now' : 'due later';
  return `woken ${state.generation} ${due}${failing}`;
}

for (const [mode, starts] of Object.entries(TABLE) as [SubscriptionMode, (typeof TABLE)['webhook']][]) {
  for (const [start, cells] of Object.entries(starts) as [Start, Record<EventName, Cell>][]) {
    describe(`a ${mode} that is ${start}`, () => {
      test.each(Object.entries(cells) as [EventName, Cell][])('handles "%s"', (name, cell) => {
        for (const [at, expected] of cell.entries()) {
          const pending = at === 0;
          const verdict = decideWake(STARTS[mode][start], EVENTS[name], contextOf(mode, pending));
          expect(verdict.kind === 'accepted' ? describeState(verdict.state) : verdict.why.rule).toBe(
            expected,
          );
        }
      });
    });
  }
}

test('fences off a wrong generation or a wrong wake id', () => {
  for (const name of [
    { generation: 4, wakeId: 'w5' },
    { generation: 6, wakeId: 'w5' },
    { generation: 5, wakeId: 'w4' },
  ]) {
    const event: WakeEvent = { kind: 'ack', done: true, ...name };
    const context = contextOf('pull-wake', true);
    expect(decideWake(STARTS['pull-wake'].leased, event, context)).toEqual({
      kind: 'refused',
      why: { rule: 'fenced' },
    });
    expect(mayAcknowledge(STARTS['pull-wake'].leased, event, context)).toBe(false);
  }
});

test('calls a webhook that fails again, however often it has failed', () => {
  const context = contextOf('webhook', true);
  let state: WakeState = STARTS.webhook.woken;
  for (let attempt = 1; attempt <= 1_000; attempt++) {
    const verdict = decideWake(state, EVENTS.failed, context);
    if (verdict.kind === 'accepted') state = verdict.state;
    expect(state).toMatchObject({ phase: 'woken', generation: 5, failing: true, attempts: attempt });
    expect(dueAtOf(state)).toBe(NOW + RETRY_MS);
  }
});

test('sets nextWake only if a new wake begins', () => {
  const done = (pending: boolean) =>
    decideWake(STARTS.webhook.leased, EVENTS['callback done'], contextOf('webhook', pending));
  expect(done(true)).toMatchObject({ nextWake: true });
  expect(done(false)).toMatchObject({ nextWake: false });
  expect(decideWake(STARTS.webhook.woken, EVENTS.failed, contextOf('webhook', true))).toMatchObject({
    nextWake: false,
  });
  expect(decideWake(FIRST_STATE, EVENTS.noticed, contextOf('webhook', true))).toMatchObject({
    nextWake: true,
  });
  expect(decideWake(STARTS['pull-wake'].idle, EVENTS.claim, contextOf('pull-wake', true))).toMatchObject({
    nextWake: false,
  });
});

test('the first wake of a subscription has generation 1 and has not failed', () => {
  expect(decideWake(FIRST_STATE, EVENTS.noticed, contextOf('webhook', true))).toEqual({
    kind: 'accepted',
    state: { phase: 'woken', generation: 1, failing: false, wakeId: 'w6', attempts: 0, dueAt: NOW },
    nextWake: true,
  });
});

test.each<[SubscriptionMode, Start, EventName, object]>([
  ['webhook', 'woken', 'callback', { wakeId: 'w5', holder: null }],
  ['webhook', 'leased', 'callback', { wakeId: 'w5', holder: null }],
  ['webhook', 'woken', 'callback done', { wakeId: 'w6' }],
  ['webhook', 'woken', 'failed', { wakeId: 'w5', attempts: 1, dueAt: NOW + RETRY_MS }],
  ['pull-wake', 'woken', 'claim', { wakeId: 'w5', holder: 'bob' }],
  ['pull-wake', 'lapsed', 'claim', { wakeId: 'w6', holder: 'bob' }],
  ['pull-wake', 'leased', 'ack', { wakeId: 'w5', holder: 'ann' }],
])('a %s that is %s keeps or replaces its wake after "%s"', (mode, start, name, expected) => {
  const verdict = decideWake(STARTS[mode][start], EVENTS[name], contextOf(mode, true));
  expect(verdict).toMatchObject({ kind: 'accepted', state: expected });
});

test.each<[SubscriptionMode, Start, EventName]>([
  ['webhook', 'woken', 'callback'],
  ['webhook', 'woken', 'delivered done'],
  ['webhook', 'leased', 'delivered'],
])('a failing %s that is %s has recovered after "%s"', (mode, start, name) => {
  const verdict = decideWake({ ...STARTS[mode][start], failing: true }, EVENTS[name], contextOf(mode, false));
  expect(verdict).toMatchObject({ kind: 'accepted', state: { failing: false } });
});

test('a wake is due at its time, a lease at its end, and an idle subscription never', () => {
  const { idle, woken, leased } = STARTS.webhook;
  expect([idle, woken, leased].map(dueAtOf)).toEqual([null, NOW, NOW + 1]);
});

test('names the holder and the generation of a claimed subscription', () => {
  expect(decideWake(STARTS['pull-wake'].leased, EVENTS.claim, contextOf('pull-wake', true))).toEqual({
    kind: 'refused',
    why: { rule: 'claimed', holder: 'ann', generation: 5 },
  });
});

test.each<[SubscriptionMode, Start, EventName, boolean]>([
  ['pull-wake', 'leased', 'ack', true],
  ['pull-wake', 'lapsed', 'ack', false],
  ['pull-wake', 'woken', 'ack', false],
  ['pull-wake', 'woken', 'claim', true],
  ['webhook', 'woken', 'callback', true],
  ['webhook', 'idle', 'callback', false],
])('a %s that is %s may acknowledge with "%s": %s', (mode, start, name, may) => {
  expect(mayAcknowledge(STARTS[mode][start], EVENTS[name], { mode, now: NOW })).toBe(may);
});

test('an announcement that arrives after the claim changes nothing', () => {
  const { leased } = STARTS['pull-wake'];
  const verdict = decideWake(leased, EVENTS.announced, contextOf('pull-wake', true));
  expect(verdict).toEqual({ kind: 'accepted', state: leased, nextWake: false });
});
