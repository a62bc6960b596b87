/** A JSON array that lost elements. */
import { lostMostOf, unequalLists } from '../json-lists.js';
import { bothValues, type Rule, weakerSide, worstAndMore } from '../rule.js';

const LOST_SHARE = 0.5;

export const jsonListShrunk: Rule = {
  code: 'JSON_LIST_SHRUNK',
  version: 2,
  title: 'A JSON list lost elements',
  about:
    'An array of the candidate has fewer elements than that of the reference. A warning if it has less than half of them; critical if the document lost more than 60 % of its size with it; otherwise info. Info if the candidate has more.',
  recommendation: 'Check the query, the page size and the data behind the list.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    return unequalLists(left, right)
      .filter((pair) => pair.left > 0 && pair.right > 0)
      .map((pair) => {
        const shorter = pair.left < pair.right ? 'left' : 'right';
        const [few, many] = shorter === 'left' ? [pair.left, pair.right] : [pair.right, pair.left];
        const most = few < many * LOST_SHARE;
        return {
          section: 'body',
          key: pair.pointer || '/',
          left: pair.left,
          right: pair.right,
          severity: !most ? 'info' : lostMostOf(shorter, left, right) ? 'critical' : 'warn',
          direction: weakerSide(shorter),
          message: bothValues(`The length of ${pair.pointer || 'the array'}`, pair.left, pair.right),
          kind: shorter,
        };
      });
  },
};
