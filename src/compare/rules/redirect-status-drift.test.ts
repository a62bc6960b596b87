import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';

const redirected = (side: 'left' | 'right', status: number) => {
  const fromUrl = `https://${side === 'left' ? 'staging' : 'www'}.example.com/page`;
  return [makeEnvelope(side, { redirects: [{ fromUrl, toUrl: `${fromUrl}/new`, status }] })];
};

function severityOf(left: number, right: number): string | undefined {
  const { findings } = computeDiff(redirected('left', left), redirected('right', right));
  return findings.find(({ code }) => code === 'REDIRECT_STATUS_DRIFT')?.severity;
}

/** Whether a redirect is permanent, and whether it preserves the method. */
const KINDS: Readonly<Record<number, string>> = {
  301: 'permanent',
  302: 'temporary',
  303: 'temporary',
  307: 'temporary, same method',
  308: 'permanent, same method',
};
const STATUSES = Object.keys(KINDS).map(Number);

test.each(STATUSES.flatMap((left) => STATUSES.map((right) => [left, right] as const)))(
  'a %i that is a %i on the other side matters if it is of another kind',
  (left, right) => {
    const different = KINDS[left] === KINDS[right] ? 'info' : 'warn';
    expect(severityOf(left, right)).toBe(left === right ? undefined : different);
  },
);
