import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import type { SignalEnvelope } from '../../probe/index.js';
import { computeDiff } from '../compute-diff.js';

const DAY_MS = 86_400_000;

const certificate = (validTo: string): NonNullable<SignalEnvelope['certificate']> => ({
  subject: 'CN=example.com',
  issuer: 'CN=E5',
  altNames: ['DNS:example.com'],
  validFrom: '2026-01-01T00:00:00Z',
  validTo,
  serialNumber: '1',
  sha256: 'a'.repeat(64),
});

/** The severity if the candidate's certificate expires `ms` after the probe. */
function severityAfter(ms: number): string | undefined {
  const left = makeEnvelope('left', { more: { certificate: certificate('2027-01-01T00:00:00Z') } });
  const validTo = new Date(Date.parse(left.capturedAt) + ms).toISOString();
  const right = makeEnvelope('right', { more: { certificate: certificate(validTo) } });
  return computeDiff([left], [right], { candidate: 'right' }).findings.find(
    ({ code }) => code === 'TLS_CERT_EXPIRY',
  )?.severity;
}

test.each([
  [30 * DAY_MS + 1, undefined],
  [30 * DAY_MS, 'warn'],
  [7 * DAY_MS + 1, 'warn'],
  [7 * DAY_MS, 'critical'],
  [0, 'critical'],
  [-DAY_MS, 'critical'],
])('a certificate that expires %i ms after the probe: %s', (ms, severity) => {
  expect(severityAfter(ms)).toBe(severity);
});
