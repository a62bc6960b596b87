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
      return {
        section: 'timing',
        key: phase,
        left: judged.left,
        right: judged.right,
        severity: 'info',
        direction: weakerSide(judged.slower),
        message: `The phase ${phase} is slower on ${NAME[judged.slower]}: ${judged.left} ms on ${NAME.left} and ${judged.right} ms on ${NAME.right}`,
        note: judged.note,
      };
    });
  },
};

function timesOf(samples: readonly SampleView[], phase: keyof Phases): readonly number[] {
  const times: number[] = [];
  for (const { envelope } of samples) {
    const time = envelope.phases?.[phase];
    if (time !== undefined) times.push(time);
  }
  return times;
}
