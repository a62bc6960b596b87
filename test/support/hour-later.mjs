// Preloaded into a program and its threads: ten seconds after the start both of its clocks jump an hour ahead, so that
// a test need not wait for work that runs only after the clocks have agreed for long. Timers do not change.
import process from 'node:process';

const AFTER_MS = 10_000;
const HOUR_MS = 3_600_000 + 60_000;
const RealDate = Date;
const realNow = Date.now;
const realMonotonic = performance.now.bind(performance);
const realNanoseconds = process.hrtime.bigint;
let offsetMs = 0;
setTimeout(() => {
  offsetMs = HOUR_MS;
}, AFTER_MS).unref();

const now = () => realNow() + offsetMs;
performance.now = () => realMonotonic() + offsetMs;
process.hrtime.bigint = () => realNanoseconds() + BigInt(offsetMs) * 1_000_000n;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
