/** A side that shows the probe a challenge instead of the site, so the site itself is not compared. */
import { differencesOfSides } from '../differences.js';
import { sameStatusClass } from '../json-facts.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const probeBlocked: Rule = {
  code: 'PROBE_BLOCKED',
  version: 2,
  title: 'A side blocks the probe',
  about:
    'A bot challenge, a web application firewall or a rate limit responded instead of the site (`cf-mitigated`, a challenge page, 429). Warning, and the verdict is inconclusive.',
  recommendation:
    'Let the probe through (allow its address or user agent, or send a header with --header-left or --header-right), then compare again.',
  inputs: ['status'],
  claims: ['cf-mitigated'],
  sampled: true,
  bothSidesCount: true,
  compare(left, right, { samples }) {
    const marks = { left: blockMarkOf(left, samples.left), right: blockMarkOf(right, samples.right) };
    return differencesOfSides((side) => {
      const mark = marks[side];
      if (mark === null) return undefined;
      return {
        section: 'probe',
        key: side,
        ...marks,
        severity: 'warn',
        direction: weakerSide(side),
        message: `${NAME[side]} blocks the probe: ${mark}`,
      };
    });
  },
};

/** A challenge that some samples got replaced the site in them. A 429 among other statuses is a side that is flaky. */
function blockMarkOf(view: SampleView, samples: readonly SampleView[]): string | null {
  const mark = blockMark(view);
  if (mark !== null) return mark;
  return (
    samples
      .filter((one) => sameStatusClass(one, view))
      .map(blockMark)
      .find((one) => one !== null) ?? null
  );
}

export function blockMark(view: SampleView): string | null {
  const status = view.response?.status;
  if (status === 429) return 'HTTP 429';
  const mitigated = view.text('cf-mitigated');
  if (mitigated !== null) return `cf-mitigated: ${mitigated}`;
  const challenge = view.envelope.body?.markers?.find(({ type }) => type === 'challenge');
  return challenge ? `HTTP ${status} with a ${challenge.name} challenge` : null;
}
