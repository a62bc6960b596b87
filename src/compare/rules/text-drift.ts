/** Visible text that is worded differently. */
import { blocksText, placeOf, textDiff } from '../page-text.js';
import { NAME, type Rule } from '../rule.js';
import { wordExcerpt } from '../word-diff.js';

export const textDrift: Rule = {
  code: 'TEXT_DRIFT',
  version: 1,
  title: 'Visible text differs',
  about:
    'The visible text differs in some places, after origin mapping and without volatile values. Info, with the changed words and a few around them.',
  recommendation: 'Read the changed words; if they are intended, accept them in a baseline.',
  inputs: ['body.content'],
  grouped: (count) => `The text differs in ${count} places`,
  compare(left, right) {
    return (textDiff(left, right)?.hunks ?? []).map((hunk) => ({
      section: 'body',
      key: placeOf(hunk),
      left: blocksText(hunk.left),
      right: blocksText(hunk.right),
      severity: 'info',
      direction: 'changed',
      message:
        hunk.left.length === 0 || hunk.right.length === 0
          ? `Only ${NAME[hunk.left.length === 0 ? 'right' : 'left']} has the text ${placeOf(hunk)}`
          : `The text differs ${placeOf(hunk)}`,
      excerpt: [wordExcerpt(hunk)],
    }));
  },
};
