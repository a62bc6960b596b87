/** What happens to a response without readers: it continues, or its upstream is stopped after a while. */
import { SondeError } from '../errors.js';

/** Null means keep. */
export type OrphanPolicy = { readonly cancelAfterMs: number } | null;

const FORM = /^cancel-after=(\d{1,6})(ms|s|m|h)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const CANCEL_AFTER_MS_MAX = 24 * 3_600_000;

export function readOrphanPolicy(text: string): OrphanPolicy {
  if (text === 'keep') return null;
  const [, amount, unit = ''] = FORM.exec(text) ?? [];
  const cancelAfterMs = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  if (cancelAfterMs > 0 && cancelAfterMs <= CANCEL_AFTER_MS_MAX) return { cancelAfterMs };
  throw new SondeError(
    'INVALID_ORPHAN_POLICY',
    'Orphan-Policy must be keep, or cancel-after= followed by a time from 1ms to 24h, such as cancel-after=30s.',
  );
}
