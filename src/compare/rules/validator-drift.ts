/** Whether a cache can revalidate: ETag, Last-Modified, and whether a conditional request gets a 304. */
import { present } from '../differences.js';
import { type Difference, NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const validatorDrift: Rule = {
  code: 'VALIDATOR_DRIFT',
  version: 2,
  title: 'Responses cannot be revalidated',
  about:
    'The candidate sends neither ETag nor Last-Modified while the reference does, or does not return 304 for a conditional request: a warning. One of the two missing, or a weak ETag instead of a strong one: info.',
  recommendation:
    'Make sure the web server keeps validators, even with compression, and honours If-None-Match.',
  inputs: ['headers.extended'],
  claims: ['etag', 'last-modified'],
  compare(left, right) {
    return present(tagDifference(left, right), conditionalDifference(left, right));
  },
};

function tagDifference(left: SampleView, right: SampleView): Difference | undefined {
  const [a, b] = [validatorsOf(left), validatorsOf(right)];
  if (a === b) return undefined;
  const weaker = a === 'none' ? 'left' : b === 'none' ? 'right' : undefined;
  return {
    section: 'headers',
    key: 'validators',
    left: a,
    right: b,
    severity: weaker ? 'warn' : 'info',
    direction: weaker ? weakerSide(weaker) : 'changed',
    message: `Validators: ${a} on ${NAME.left} and ${b} on ${NAME.right}`,
    kind: `${a} ${b}`,
  };
}

function conditionalDifference(left: SampleView, right: SampleView): Difference | undefined {
  const [a, b] = [conditionalStatus(left), conditionalStatus(right)];
  if (a === undefined || b === undefined || (a === 304) === (b === 304)) return undefined;
  const weaker = a === 304 ? 'right' : 'left';
  return {
    section: 'exchanges',
    key: 'conditional',
    left: a,
    right: b,
    severity: 'warn',
    direction: weakerSide(weaker),
    message: `${NAME[weaker]} does not return 304 for a conditional request`,
  };
}

function validatorsOf(view: SampleView): string {
  const etag = view.lines('etag')?.[0];
  const tag = etag === undefined ? '' : etag.startsWith('W/') ? 'weak etag' : 'etag';
  if (!view.lines('last-modified')) return tag || 'none';
  return tag === '' ? 'last-modified' : `${tag} and last-modified`;
}

function conditionalStatus(view: SampleView): number | undefined {
  return view.covers('exchanges.conditional') ? view.envelope.exchanges?.conditional?.status : undefined;
}
