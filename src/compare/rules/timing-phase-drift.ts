/** Where the time goes: the test of TIMING_DRIFT for each phase, as information only. */
import type { Phases } from '../../probe/index.js';
import { differencesOf } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { judgeTiming } from '../timing-shift.js';

const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'download'] as const satisfies readonly (keyof Phases)[];

export const timingPhaseDrift: Rule = {
  code: 'TIMING_PHASE_DRIFT',
  version: 2,
  title: 'A phase of the request is slower',
  about:
    'The test of TIMING_DRIFT applied to each phase: name lookup, connection, TLS, time to first byte, download. Info that shows where the time goes.',
  recommendation:
    'dns and connect point to the network, tls to the certificate chain, ttfb to the application, download to size and compression.',
  inputs: ['phases'],
  sampled: true,
  measured: true,
  compare(_left, _right, { samples }) {
    return differencesOf(PHASES, (phase) => {
      const judged = judgeTiming(timesOf(samples.left, phase), timesOf(samples.right, phase));
      if (!judged) return undefined;
      const { slower, ...values } = judged;
      return {
        section: 'timing',
        key: phase,
        ...values,
        severity: 'info',
        direction: weakerSide(slower),
        message: `The phase ${phase} is slower on ${NAME[slower]}: ${values.left} ms on ${NAME.left} and ${values.right} ms on ${NAME.right}`,
      };
    });
  },
};

function timesOf(samples: readonly SampleView[], phase: keyof Phases): readonly number[] {
  return samples.map(({ envelope }) => envelope.phases?.[phase]).filter((time) => time !== undefined);
}
