// Preloaded into a program and its threads: its wall clock is off by the number of seconds in the file that
// CLOCK_OFFSET_FILE names, which may change at any time. Timers and the monotonic clock do not change, as when a
// machine's clock is set.
import { readFileSync } from 'node:fs';
import process from 'node:process';

const file = process.env['CLOCK_OFFSET_FILE'] ?? '';
const READ_EVERY_MS = 20;
const RealDate = Date;
const realNow = Date.now;
let readAt = Number.NEGATIVE_INFINITY;
let offsetMs = 0;

function now() {
  if (performance.now() - readAt >= READ_EVERY_MS) {
    readAt = performance.now();
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
