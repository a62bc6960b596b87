import { expect, test } from 'vitest';
import { asSondeError, ERROR_CODES, SondeError } from './errors.js';

test('every code has a status that matches its fault', () => {
  for (const [code, { status, fault }] of Object.entries(ERROR_CODES)) {
    expect([code, fault === 'caller' ? status < 500 : status >= 500]).toEqual([code, true]);
  }
});

test('exactly the codes with status 429, 503 or 507 have a Retry-After, and the one of a store that is full or gone', () => {
  for (const [code, facts] of Object.entries(ERROR_CODES)) {
    const hasRetryAfter = [429, 503, 507].includes(facts.status) || code === 'STORAGE_ERROR';
    expect([code, 'retryAfter' in facts && Number(facts.retryAfter) > 0]).toEqual([code, hasRetryAfter]);
  }
});

test('a foreign error keeps itself as the cause', () => {
  const cause = new TypeError('boom');
  expect(asSondeError(cause)).toMatchObject({ code: 'INTERNAL', message: 'boom', cause });
  const own = new SondeError('timeout', 'late');
  expect(asSondeError(own)).toBe(own);
  expect(own.facts).toEqual({ status: 504, retryable: true, fault: 'target' });
});
