import { expect, test } from 'vitest';
import { ERROR_CODES, SondeError } from '../errors.js';
import { endingOf, UPSTREAM_FAULTS, UPSTREAM_OUTCOMES } from './upstream-outcome.js';

test.each([
  ['timeout', {}, { outcome: 'timeout', error: 'UPSTREAM_BODY_TIMEOUT' }],
  ['response_too_large', {}, { outcome: 'failed', error: 'RESPONSE_TOO_LARGE' }],
  ['canceled', {}, { outcome: 'aborted' }],
  ['fetch_error', { ending: 'reset' }, { outcome: 'failed', error: 'UPSTREAM_RESET' }],
  ['fetch_error', { ending: 'truncated' }, { outcome: 'failed', error: 'UPSTREAM_TRUNCATED' }],
  ['fetch_error', { ending: 'malformed' }, { outcome: 'failed', error: 'UPSTREAM_TRUNCATED' }],
  ['decode_error', {}, { outcome: 'failed', error: 'UPSTREAM_TRUNCATED' }],
] as const)('maps a body that broke with %s %j', (code, details, expected) => {
  expect(endingOf(new SondeError(code, 'it broke', { details }))).toEqual(expected);
});

test('every error code maps to a known ending', () => {
  for (const code of Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]) {
    const { outcome, error } = endingOf(new SondeError(code, 'it broke'));
    expect(UPSTREAM_OUTCOMES).toContain(outcome);
    expect([undefined, ...UPSTREAM_FAULTS]).toContain(error);
    expect(error === undefined).toBe(outcome === 'completed' || outcome === 'aborted');
  }
});

test('the outcomes and faults that a client may get', () => {
  expect(UPSTREAM_OUTCOMES).toEqual(['completed', 'aborted', 'timeout', 'failed']);
  expect(UPSTREAM_FAULTS).toEqual([
    'UPSTREAM_BODY_TIMEOUT',
    'UPSTREAM_RESET',
    'UPSTREAM_TRUNCATED',
    'RESPONSE_TOO_LARGE',
    'STORAGE_ERROR',
    'SERVER_STOPPED',
    'PUMP_LOST',
    'UPSTREAM_ERROR',
    'UPSTREAM_TIMEOUT',
    'REDIRECT_NOT_ALLOWED',
  ]);
});
