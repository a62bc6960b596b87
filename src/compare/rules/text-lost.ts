/** A section of the visible text that one side lacks. */
import type { Side } from '../../probe/index.js';
import { missingOf } from '../differences.js';
import { blocksText, type ChangedHunk, placeOf, type TextDiff, textDiff } from '../page-text.js';
import { type Difference, NAME, otherSide, type Rule, weakerSide } from '../rule.js';
import { wordExcerpt } from '../word-diff.js';

/** Losing fewer words, or a smaller share of them, can be an edit. */
const WORDS_MIN = 25;
const SHARE_MIN = 0.1;
const SHARE_WORDS_MIN = 6;
const CRITICAL_SHARE = 0.6;
/** A place is shown if it shrank by at least this many words. */
const PLACE_WORDS_MIN = 3;

export const textLost: Rule = {
  code: 'TEXT_LOST',
  version: 1,
  title: 'Part of the text is missing',
  about:
    'The visible text of the candidate lacks 25 words or more, or a tenth of the words, after origin mapping and without volatile values. Warning; critical if more than 60 % are missing. Text that moved does not count, and text that only the candidate has is info. The excerpt shows the words around the gap.',
  recommendation:
    'Open both pages; part of the page may have failed to render or its content may be missing.',
  inputs: ['body.content'],
  grouped: (_count, worst) => worst.message,
  compare(left, right) {
    const diff = textDiff(left, right);
    if (!diff) return [];
    return [...lossesOn('left', diff), ...lossesOn('right', diff)];
  },
};

function lossesOn(side: Side, diff: TextDiff): readonly Difference[] {
  const hunks = diff.hunks.filter((hunk) => lostWords(hunk, side) >= PLACE_WORDS_MIN);
  const lost = hunks.reduce((sum, hunk) => sum + lostWords(hunk, side), 0);
  const all = diff[otherSide(side)];
  const share = all === 0 ? 0 : lost / all;
  if (lost < WORDS_MIN && !(share >= SHARE_MIN && lost >= SHARE_WORDS_MIN)) return [];
  return hunks.map((hunk) => ({
    section: 'body',
    key: placeOf(hunk),
    left: blocksText(hunk.left),
    right: blocksText(hunk.right),
    severity: share > CRITICAL_SHARE ? 'critical' : 'warn',
    direction: weakerSide(side),
    message: `${missingOf(lost, all, 'words')} on ${NAME[side]}`,
    excerpt: [wordExcerpt(hunk)],
    kind: side,
  }));
}

function lostWords({ leftWords, rightWords }: ChangedHunk, side: Side): number {
  return side === 'left' ? rightWords - leftWords : leftWords - rightWords;
}
