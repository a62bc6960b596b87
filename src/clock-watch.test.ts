import { describe, expect, test } from 'vitest';
import { CLOCK_TRUST_MS, type ClockState, ClockWatch } from './clock-watch.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = 1_000_000;

/** A machine whose wall clock can be set. */
class Machine {
  wall = START;
  monotonic = 5;
  boot: string | null = 'boot-1';
  readonly steps: number[] = [];

  start(saved?: ClockState): ClockWatch {
    const clocks = { wall: () => this.wall, monotonic: () => this.monotonic, boot: this.boot };
    return new ClockWatch(clocks, { saved, onStep: (byMs) => this.steps.push(byMs) });
  }

  pass(ms: number): void {
    this.monotonic += ms;
    this.wall += ms;
  }

  reboot(downMs: number): void {
    this.wall += downMs;
    this.monotonic = 1;
    this.boot = 'boot-2';
  }
}

function acceptIn(watch: ClockWatch): number {
  const step = watch.acceptable();
  if (step) watch.accept(step);
  return step?.byMs ?? Number.NaN;
}

test('the trusted hour is an hour', () => {
  expect(CLOCK_TRUST_MS).toBe(HOUR_MS);
});

test('a step in either direction is reported once, with its size', () => {
  const machine = new Machine();
  const watch = machine.start();
  machine.pass(60_000);
  expect(watch.takeStep()).toBe(0);
  machine.wall -= HOUR_MS;
  expect(watch.takeStep()).toBe(-HOUR_MS);
  expect(watch.takeStep()).toBe(0);
  machine.wall += 90_000;
  expect(watch.takeStep()).toBe(90_000);
  expect(machine.steps).toEqual([-HOUR_MS, 90_000]);
});

test('a gradually corrected clock does not step, and is followed', () => {
  const machine = new Machine();
  const watch = machine.start();
  for (let n = 0; n < 1_000; n++) {
    machine.pass(1_000);
    machine.wall += 0.5;
    expect(watch.takeStep()).toBe(0);
  }
  expect([watch.now(), watch.isTrusted()]).toEqual([machine.wall, true]);
});

test('a pause between reading the two clocks is not a step', () => {
  let monotonic = 0;
  let slow = false;
  const watch = new ClockWatch({
    wall: () => START + monotonic,
    monotonic: () => {
      monotonic += slow ? 5_000 : 1;
      slow = false;
      return monotonic;
    },
  });
  for (let n = 0; n < 3; n++) {
    slow = n === 1;
    expect(watch.takeStep()).toBe(0);
  }
});

describe.each([
  ['ahead', DAY_MS],
  ['back', -DAY_MS],
])('a step %s by a day', (_name, byMs) => {
  test('changes no time by which anything ends, and is over after an hour', () => {
    const machine = new Machine();
    const watch = machine.start();
    machine.wall += byMs;
    expect([watch.now(), watch.isTrusted(), watch.untrustedForMs()]).toEqual([START, false, HOUR_MS]);
    machine.pass(2_000);
    machine.wall -= byMs;
    expect([watch.now(), watch.isTrusted()]).toEqual([START + 2_000, false]);
    machine.pass(HOUR_MS - 1);
    expect([watch.isTrusted(), watch.acceptable()]).toEqual([false, undefined]);
    machine.pass(1);
    expect(acceptIn(watch)).toBe(0);
    expect([watch.now(), watch.isTrusted(), watch.untrustedForMs()]).toEqual([machine.wall, true, 0]);
  });

  test('is accepted if it lasts for an hour; durations go on as if it had not been', () => {
    const machine = new Machine();
    const watch = machine.start();
    machine.wall += byMs;
    expect(watch.isTrusted()).toBe(false);
    machine.pass(HOUR_MS);
    expect(watch.acceptable()).toEqual({ byMs, sinceMs: START });
    expect(acceptIn(watch)).toBe(byMs);
    expect([watch.now(), watch.steady()]).toEqual([machine.wall, START + HOUR_MS]);
  });

  test('is recognised by a process that starts in it, and by one that starts after it', () => {
    const machine = new Machine();
    const saved = machine.start().state();
    machine.wall += byMs;
    machine.pass(3_000);
    const during = machine.start(saved);
    expect([during.now(), during.isTrusted(), during.takeStep()]).toEqual([START + 3_000, false, byMs]);
    machine.wall -= byMs;
    machine.pass(1_000);
    const after = machine.start(during.state());
    expect([after.now(), after.isTrusted(), after.takeStep()]).toEqual([START + 4_000, false, -byMs]);
    expect(machine.start(saved).isTrusted()).toBe(true);
  });

  test('a reboot into it is recognised, and does not spoil the stored time', () => {
    const machine = new Machine();
    const saved = machine.start().state();
    machine.reboot(60_000);
    machine.wall += byMs;
    const wrong = machine.start(saved);
    expect([wrong.now(), wrong.isTrusted()]).toEqual([START, false]);
    expect(machine.steps).toEqual([60_000 + byMs]);
    machine.pass(1_000);
    machine.wall -= byMs;
    expect(wrong.now()).toBe(START + 1_000);
    const state = wrong.state();
    machine.reboot(60_000);
    expect(machine.start(state).now()).toBe(START + 61_000);
  });
});

test('a restart does not reset the agreement', () => {
  const machine = new Machine();
  const first = machine.start();
  machine.wall += DAY_MS;
  first.isTrusted();
  machine.pass(HOUR_MS / 2);
  first.now();
  const state = first.state();
  machine.pass(HOUR_MS / 4);
  const second = machine.start(state);
  expect(second.untrustedForMs()).toBe(HOUR_MS / 4);
  machine.reboot(HOUR_MS / 10);
  expect(machine.start(state).untrustedForMs()).toBe(HOUR_MS / 2);
});

test('a first start is trusted, and so is a start soon after the last run', () => {
  const machine = new Machine();
  const saved = machine.start().state();
  expect(machine.start().isTrusted()).toBe(true);
  machine.reboot(HOUR_MS);
  const next = machine.start(saved);
  expect([next.isTrusted(), next.now(), machine.steps]).toEqual([true, machine.wall, []]);
});

test('without an id of the boot, a start is judged by the last trusted time', () => {
  const machine = new Machine();
  machine.boot = null;
  const saved = machine.start().state();
  machine.pass(HOUR_MS);
  expect(machine.start(saved).isTrusted()).toBe(true);
  machine.pass(1);
  expect(machine.start(saved).isTrusted()).toBe(false);
});
