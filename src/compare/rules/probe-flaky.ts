/** A side whose own samples do not agree on the outcome: nothing about it is certain. */
import { differencesOfSides } from '../differences.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const probeFlaky: Rule = {
  code: 'PROBE_FLAKY',
  version: 2,
  title: 'Responses vary from request to request',
  about:
    'Samples of one side have different outcomes: some fail, or their status classes differ. Warning; the verdict is inconclusive unless another finding already fails it.',
  recommendation:
    'Find out why the same request gets different responses: a bad instance behind a load balancer, a rate limit, or a deployment in progress.',
  inputs: ['outcome'],
  sampled: true,
  measured: true,
  bothSidesCount: true,
  compare(_left, _right, { samples }) {
    if (isSteady(samples.left) && isSteady(samples.right)) return [];
    const outcomes = { left: samples.left.map(outcomeOf), right: samples.right.map(outcomeOf) };
    return differencesOfSides((side) => {
      const [first] = outcomes[side];
      if (outcomes[side].every((outcome) => outcome === first)) return undefined;
      return {
        section: 'probe',
        key: side,
        ...outcomes,
        severity: 'warn',
        direction: weakerSide(side),
        message: `${NAME[side]} responds differently from sample to sample: ${outcomes[side].join(', ')}`,
      };
    });
  },
};

/** Whether every sample got the same status, which is nearly always the case. */
function isSteady(samples: readonly SampleView[]): boolean {
  const status = samples[0]?.response?.status;
  return status !== undefined && samples.every(({ response }) => response?.status === status);
}

function outcomeOf({ response, error }: SampleView): string {
  return response ? `${Math.floor(response.status / 100)}xx` : (error?.code ?? 'unknown_error');
}
