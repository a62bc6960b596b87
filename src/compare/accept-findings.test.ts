import { expect, test } from 'vitest';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { acceptFindings, withAccepted } from './accept-findings.js';
import { computeDiff } from './compute-diff.js';

const PAGE = 'https://www.example.com/page';
/** One finding that counts and one that is only information. */
const DIFF = computeDiff(
  [makeEnvelope('left', { status: 500, headers: { server: 'apache' } })],
  [makeEnvelope('right')],
);
const idsOf = (isInfo: boolean) =>
  DIFF.findings.filter(({ severity }) => (severity === 'info') === isInfo).map(({ id }) => id);
const [counting = ''] = idsOf(false);
const [information = ''] = idsOf(true);

test('accepts all findings that count by default, or the named ones', () => {
  const all = acceptFindings(DIFF, { url: PAGE, expires: '2026-12-31', reason: 'known' });
  expect(all).toHaveLength(idsOf(false).length);
  expect(all[0]).toMatchObject({ path: '/page', expires: '2026-12-31', reason: 'known' });
  const named = acceptFindings(DIFF, { url: PAGE, findings: [counting] });
  expect(named).toHaveLength(1);
  expect(named[0]).not.toHaveProperty('expires');
  expect(named[0]).not.toHaveProperty('reason');
});

test.each([
  ['a finding of another comparison', 'NOPE:1', 'is not a finding of this comparison'],
  ['a finding that is only information', information, 'does not count for the verdict'],
  ['a long id, shortened', 'x'.repeat(300), `"${'x'.repeat(200)}" is not a finding`],
])('refuses %s', (_what, id, reason) => {
  expect(() => acceptFindings(DIFF, { url: PAGE, findings: [counting, id] })).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(reason),
      details: { field: 'body.findings' },
    }),
  );
});

test('marks accepted findings as known, and leaves the diff alone if there are none', () => {
  const context = { today: '2026-03-03', url: PAGE };
  expect(withAccepted(DIFF, [], context)).toBe(DIFF);
  const accepted = acceptFindings(DIFF, { url: PAGE }).map((entry) => ({
    ...{ entry, comparisonId: 'pair:1', acceptedAt: 1 },
  }));
  const known = withAccepted(DIFF, accepted, context);
  expect([DIFF.verdict, known.verdict]).toEqual(['fail', 'pass']);
});
