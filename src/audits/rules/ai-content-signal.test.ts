import { expect, it } from 'vitest';
import { outcomeOf, robotsFile } from '../../../test/support/audit-facts.js';
import { aiContentSignal } from './ai-content-signal.js';

const saying = (value: string) => ({
  robots: [robotsFile(`User-agent: *\nContent-Signal: ${value}\nDisallow:\n`)],
});

it('fires for a malformed signal, with its line', () => {
  expect(outcomeOf(aiContentSignal, [], saying('ai-train=maybe'))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2 }],
  });
  expect(outcomeOf(aiContentSignal, [], saying('search=yes, training=no')).status).toBe('fail');
});

it('stays silent for valid signals and for none', () => {
  expect(outcomeOf(aiContentSignal, [], saying('search=yes, ai-input=yes, ai-train=no')).status).toBe('pass');
  expect(outcomeOf(aiContentSignal, []).status).toBe('not-applicable');
});
