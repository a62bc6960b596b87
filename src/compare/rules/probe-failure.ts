/** A side that does not respond at all. Critical when the other side does, whatever its status. */
import { type Difference, NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const probeFailure: Rule = {
  code: 'PROBE_FAILURE',
  version: 2,
  title: 'A side cannot be reached',
  about:
    'No sample of a side got an HTTP response: DNS, connection, TLS, a timeout or a blocked address. Critical if the other side responded with any status, because nothing else can be compared. A warning if neither responded; the verdict is then inconclusive.',
  recommendation:
    'From where the probe ran, check that the name resolves, the port is open and the certificate is valid.',
  inputs: ['outcome'],
  claims: [],
  sampled: true,
  measured: true,
  bothSidesCount: true,
  compare(left, right, { samples }) {
    if (left.response && right.response) return [];
    const common = {
      section: 'probe' as const,
      left: outcomeText(left, samples.left.length),
      right: outcomeText(right, samples.right.length),
    };
    if (!left.response && !right.response) {
      const message = 'Neither side responded';
      return [
        {
          ...common,
          key: 'both',
          severity: 'warn',
          direction: 'changed',
          message,
          kind: kindOf(left, right),
        },
      ];
    }
    const dead = left.response ? right : left;
    const difference: Difference = {
      ...common,
      key: dead.side,
      severity: 'critical',
      direction: dead.side === 'left' ? 'left_weaker' : 'right_weaker',
      message: `${NAME[dead.side]} cannot be reached: ${dead.error?.message ?? dead.error?.code ?? 'unknown'}`,
      kind: kindOf(left, right),
    };
    return [difference];
  },
};

function outcomeText({ response, error }: SampleView, attempts: number): string {
  if (response) return `HTTP ${response.status}`;
  const { code = 'unknown_error', details = {} } = error ?? {};
  const where = [details.phase, details.reason, details.rule, details.hop && `hop ${details.hop}`]
    .filter(Boolean)
    .join(', ');
  return `${code}${where === '' ? '' : ` (${where})`} in ${attempts} of ${attempts} samples`;
}

function kindOf(left: SampleView, right: SampleView): string {
  return `${left.error?.code ?? 'answered'} ${right.error?.code ?? 'answered'}`;
}
