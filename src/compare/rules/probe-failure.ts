/** A side that does not respond at all. Critical when the other side does, whatever its status. */
import { NAME, type Rule, weakerSide } from '../rule.js';
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
  sampled: true,
  measured: true,
  bothSidesCount: true,
  compare(left, right, { samples }) {
    if (left.response && right.response) return undefined;
    const dead = left.response ? right : right.response ? left : undefined;
    return {
      section: 'probe',
      key: dead?.side ?? 'both',
      left: outcomeText(left, samples.left.length),
      right: outcomeText(right, samples.right.length),
      severity: dead ? 'critical' : 'warn',
      direction: dead ? weakerSide(dead.side) : 'changed',
      message: dead
        ? `${NAME[dead.side]} cannot be reached: ${dead.error?.message ?? dead.error?.code ?? 'unknown'}`
        : 'Neither side responded',
      kind: `${left.error?.code ?? 'answered'} ${right.error?.code ?? 'answered'}`,
    };
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
