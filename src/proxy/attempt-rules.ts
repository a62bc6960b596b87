/**
 * What each way in which an attempt can end means for its `Idempotency-Key`. The first row that applies decides.
 * `docs/SPEC.md` shows the same table.
 */
import type { UpstreamOutcome } from './upstream-outcome.js';

export interface EndedAttempt {
  /** False if the connection was never established, so that nothing was sent. */
  readonly sent: boolean;
  /** Null without a response head. */
  readonly status: number | null;
  /** `completed` only if the whole body was received. */
  readonly outcome: UpstreamOutcome;
}

interface AttemptRule {
  readonly ending: string;
  /** With an open key, a repeat is sent as the next attempt. With a final one it gets the stored outcome. */
  readonly key: 'open' | 'final';
  applies(attempt: EndedAttempt): boolean;
}

const REFUSALS: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Whether the upstream says with this status that it did not do the work and may be asked again. */
export function isRefusal(status: number): boolean {
  return REFUSALS.has(status) || inClass(status, 5);
}

function inClass(status: number | null, hundreds: number): boolean {
  return status !== null && Math.floor(status / 100) === hundreds;
}

export const ATTEMPT_RULES: readonly AttemptRule[] = [
  {
    ending: 'no connection: the name, the connection or the TLS handshake failed',
    key: 'open',
    applies: ({ sent }) => !sent,
  },
  {
    ending: 'no head: reset, timeout, abort, or a process that was lost',
    key: 'final',
    applies: ({ status }) => status === null,
  },
  {
    ending: '408, 409, 425, 429 or 5xx, and the whole body',
    key: 'open',
    applies: ({ status, outcome }) => isRefusal(status ?? 0) && outcome === 'completed',
  },
  {
    ending: '408, 409, 425, 429 or 5xx, and part of the body',
    key: 'final',
    applies: ({ status }) => isRefusal(status ?? 0),
  },
  { ending: '2xx, whatever follows', key: 'final', applies: ({ status }) => inClass(status, 2) },
  { ending: '3xx', key: 'final', applies: ({ status }) => inClass(status, 3) },
  { ending: 'any other status', key: 'final', applies: () => true },
];

export function leavesKeyOpen(attempt: EndedAttempt): boolean {
  return ATTEMPT_RULES.find((rule) => rule.applies(attempt))?.key === 'open';
}
