/** Whether a cache can revalidate: ETag, Last-Modified, and whether a conditional request gets a 304. */
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
    const a = validatorsOf(left);
    const b = validatorsOf(right);
    const found: Difference[] = [];
    if (a !== b) {
      const weaker = a === 'none' ? 'left' : b === 'none' ? 'right' : undefined;
      found.push({
        section: 'headers',
        key: 'validators',
        left: a,
        right: b,
        severity: weaker ? 'warn' : 'info',
        direction: weaker ? weakerSide(weaker) : 'changed',
        message: `Validators: ${a} on ${NAME.left} and ${b} on ${NAME.right}`,
        kind: `${a} ${b}`,
      });
    }
    const honoured = [honours(left), honours(right)] as const;
    if (honoured[0] !== undefined && honoured[1] !== undefined && honoured[0] !== honoured[1]) {
      const weaker = honoured[0] ? 'right' : 'left';
      found.push({
        section: 'exchanges',
        key: 'conditional',
        left: left.envelope.exchanges?.conditional?.status ?? null,
        right: right.envelope.exchanges?.conditional?.status ?? null,
        severity: 'warn',
        direction: weakerSide(weaker),
        message: `${NAME[weaker]} does not return 304 for a conditional request`,
      });
    }
    return found;
  },
};

function validatorsOf(view: SampleView): string {
  const etag = view.lines('etag')?.[0];
  const tag = etag === undefined ? '' : etag.startsWith('W/') ? 'weak etag' : 'etag';
  if (!view.lines('last-modified')) return tag || 'none';
  return tag === '' ? 'last-modified' : `${tag} and last-modified`;
}

function honours(view: SampleView): boolean | undefined {
  const status = view.covers('exchanges.conditional')
    ? view.envelope.exchanges?.conditional?.status
    : undefined;
  return status === undefined ? undefined : status === 304;
}
