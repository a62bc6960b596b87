// Loaded into a program and its threads before anything else: ten seconds after its start both of its clocks are an hour
// ahead, so that what waits until the clocks have agreed for long need not be waited for. Timers stay as they are.
const AFTER_MS = 10_000;
const HOUR_MS = 3_600_000 + 60_000;
const RealDate = Date;
const realNow = Date.now;
const realMonotonic = performance.now.bind(performance);
let offsetMs = 0;
setTimeout(() => {
  offsetMs = HOUR_MS;
}, AFTER_MS).unref();

const now = () => realNow() + offsetMs;
performance.now = () => realMonotonic() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
