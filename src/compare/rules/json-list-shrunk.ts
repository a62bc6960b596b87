/** A JSON array that lost most of its elements. */
import { lostMostOf, unequalLists } from '../json-lists.js';
import { bothValues, type Rule, weakerSide, worstAndMore } from '../rule.js';

const LOST_SHARE = 0.5;
const LOST_MIN = 2;

export const jsonListShrunk: Rule = {
  code: 'JSON_LIST_SHRUNK',
  version: 1,
  title: 'A JSON list lost most of its elements',
  about:
    'An array has less than half as many elements on the candidate as on the reference, and at least two fewer. Warning; critical if the document lost more than 60 % of its size with it. Info if the candidate has more.',
  recommendation: 'Check the query, the page size and the data behind the list.',
  inputs: ['body.content'],
  claims: [],
  grouped: worstAndMore,
  compare(left, right) {
    return unequalLists(left, right)
      .filter((pair) => {
        const [few, many] = pair.left < pair.right ? [pair.left, pair.right] : [pair.right, pair.left];
        return few > 0 && many - few >= LOST_MIN && few < many * LOST_SHARE;
      })
      .map((pair) => {
        const shorter = pair.left < pair.right ? 'left' : 'right';
        return {
          section: 'body',
          key: pair.pointer || '/',
          left: pair.left,
          right: pair.right,
          severity: lostMostOf(shorter, left, right) ? 'critical' : 'warn',
          direction: weakerSide(shorter),
          message: bothValues(`The length of ${pair.pointer || 'the array'}`, pair.left, pair.right),
          kind: shorter,
        };
      });
  },
};
