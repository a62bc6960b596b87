/** The cost of ignore rules: steps between which other work runs, and work that does not multiply. */
import { expect, test } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { diffInSteps } from './compute-diff.js';
import { ignoreDecision, readIgnoreRules } from './ignore-rules.js';

const KEY = 'a'.repeat(300);
const jsonRules = (count: number) =>
  readIgnoreRules(Array.from({ length: count }, (_, n) => `JSON_*:*${'a'.repeat(240)}b${n}`));
const decisionOf = (count: number) => ignoreDecision(jsonRules(count), { route: '/', path: '/' });

test('a rule applies to the codes and keys that it names, on its path', () => {
  const ignored = ignoreDecision(
    readIgnoreRules(['JSON_*:/a*', 'CACHE_TTL_DRIFT', 'VARY_DRIFT:*@/other', 'CSP_DRIFT:x@/p*']),
    { route: '/p/{id}', path: '/p/1' },
  );
  expect([
    ignored('JSON_VALUE_DRIFT', { key: '/ab' }),
    ignored('JSON_VALUE_DRIFT', { key: '/b' }),
    ignored('CACHE_TTL_DRIFT', { key: 'any' }),
    ignored('VARY_DRIFT', { key: 'vary' }),
    ignored('CSP_DRIFT', { key: 'x' }),
    ignored('STATUS_MISMATCH', { key: '/ab' }),
  ]).toEqual([true, false, true, false, true, false]);
});

test('rules for other codes cost nothing per key', () => {
  const foreign = ignoreDecision(readIgnoreRules(Array(200).fill(`CACHE_*:*${'a'.repeat(240)}b`)), {
    route: '/',
    path: '/',
  });
  const many = cpuMs(() => {
    for (let n = 0; n < 100_000; n++) foreign('JSON_VALUE_DRIFT', { key: KEY });
  });
  const matching = decisionOf(200);
  const some = cpuMs(() => {
    for (let n = 0; n < 1_000; n++) matching('JSON_VALUE_DRIFT', { key: KEY });
  });
  // A hundred times the keys, and still less work.
  expect(many).toBeLessThan(Math.max(some, 50));
});

test('a comparison lets other work run between some keys, however many rules there are', () => {
  const side = (name: 'left' | 'right') =>
    makeEnvelope(name, {
      json: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`${KEY}${n}`, `${name} value`])),
    });
  const stepsWith = (rules: number) => {
    let steps = 0;
    for (const _ of diffInSteps([side('left')], [side('right')], { ignore: jsonRules(rules) })) steps++;
    return steps;
  };
  expect(stepsWith(100)).toBeGreaterThan(900 / 16);
});
