/** A certificate that expires soon, on any hop of a side. "Now" is when the envelope was captured. */
import { differencesOfSides } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const CRITICAL_DAYS = 7;
const WARN_DAYS = 30;
const DAY_MS = 86_400_000;

export const tlsCertExpiry: Rule = {
  code: 'TLS_CERT_EXPIRY',
  version: 2,
  title: 'A certificate expires soon',
  about:
    'A certificate on any hop of the candidate expires within 7 days of the probe (critical) or within 30 days (warning). Info for the reference, and if both sides expire equally soon, which is not drift.',
  recommendation: 'Renew the certificate, and find out why it was not renewed automatically.',
  inputs: ['certificate'],
  bySide: true,
  compare(left, right) {
    const soonest = { left: soonestOf(left), right: soonestOf(right) };
    const bands = { left: bandOf(soonest.left), right: bandOf(soonest.right) };
    return differencesOfSides((side) => {
      if (bands[side] === 'later') return undefined;
      const { days = 0 } = soonest[side] ?? {};
      const validTo = dateOf(soonest[side]);
      return {
        section: 'tls',
        key: side,
        left: dateOf(soonest.left),
        right: dateOf(soonest.right),
        severity: bands.left === bands.right ? 'info' : bands[side] === 'week' ? 'critical' : 'warn',
        direction: weakerSide(side),
        message:
          days < 0
            ? `A certificate of ${NAME[side]} expired on ${validTo}`
            : `A certificate of ${NAME[side]} expires in ${Math.floor(days)} days, on ${validTo}`,
        kind: bands[side],
      };
    });
  },
};

interface Soonest {
  readonly days: number;
  /** Milliseconds since the epoch. */
  readonly end: number;
}

function bandOf({ days = Number.POSITIVE_INFINITY }: Partial<Soonest> = {}): 'week' | 'month' | 'later' {
  return days <= CRITICAL_DAYS ? 'week' : days <= WARN_DAYS ? 'month' : 'later';
}

function soonestOf(view: SampleView): Soonest | undefined {
  const { hops = [], certificate, exchanges, capturedAt } = view.envelope;
  let end = Number.POSITIVE_INFINITY;
  for (const one of [certificate, exchanges?.tls?.certificate, ...hops.map((hop) => hop.certificate)]) {
    const until = one ? Date.parse(one.validTo) : Number.NaN;
    if (until < end) end = until;
  }
  if (end === Number.POSITIVE_INFINITY) return undefined;
  return { days: (end - Date.parse(capturedAt)) / DAY_MS, end };
}

function dateOf(soonest: Soonest | undefined): string | null {
  return soonest ? new Date(soonest.end).toISOString().slice(0, 10) : null;
}
