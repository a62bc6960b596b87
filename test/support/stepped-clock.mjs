// Loaded into a program and its threads before anything else: its wall clock is off by the seconds in the file that
// CLOCK_OFFSET_FILE names, which may change at any time. Timers and the monotonic clock stay as they are, as when a
// machine's clock is set.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['CLOCK_OFFSET_FILE'] ?? '';
const LOOK_EVERY_MS = 20;
const RealDate = Date;
const realNow = Date.now;
let lookedAt = Number.NEGATIVE_INFINITY;
let offsetMs = 0;

function now() {
  if (performance.now() - lookedAt >= LOOK_EVERY_MS) {
    lookedAt = performance.now();
    offsetMs = Number(readFileSync(file, 'utf8')) * 1000;
  }
  return realNow() + offsetMs;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
