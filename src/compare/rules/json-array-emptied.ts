/** A JSON array that has elements on one side and none on the other. */
import { lostMostOf, unequalLists } from '../json-lists.js';
import { NAME, otherSide, type Rule, weakerSide, worstAndMore } from '../rule.js';

export const jsonArrayEmptied: Rule = {
  code: 'JSON_ARRAY_EMPTIED',
  version: 1,
  title: 'A JSON array is empty',
  about:
    'An array that has elements on the reference is empty on the candidate. Warning; critical if the document lost more than 60 % of its size with it. Info if only the candidate has elements.',
  recommendation: 'Check the query, the filter and the data behind the list.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    return unequalLists(left, right)
      .filter((pair) => pair.left === 0 || pair.right === 0)
      .map((pair) => {
        const empty = pair.left === 0 ? 'left' : 'right';
        const full = otherSide(empty);
        return {
          section: 'body',
          key: pair.pointer || '/',
          left: pair.left,
          right: pair.right,
          severity: lostMostOf(empty, left, right) ? 'critical' : 'warn',
          direction: weakerSide(empty),
          message: `${pair.pointer || 'The array'} is empty on ${NAME[empty]} and has ${pair[full]} ${pair[full] === 1 ? 'element' : 'elements'} on ${NAME[full]}`,
          kind: empty,
        };
      });
  },
};
