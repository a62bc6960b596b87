/** Headings that the page of one side lacks. */
import type { HtmlFacts, Side } from '../../probe/index.js';
import { byKey, missingOf, newOnes } from '../differences.js';
import { sameStatusClass } from '../json-facts.js';
import { type Difference, NAME, otherSide, type Rule, valueOn, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

/** Fewer missing headings than this can be a reworded heading. */
const COUNT_MIN = 2;
const SHARE_MIN = 0.2;

export const headingsLost: Rule = {
  code: 'HEADINGS_LOST',
  version: 1,
  title: 'Headings are missing',
  about:
    "The candidate's page has fewer headings: a warning if the first heading is missing, or at least two, or a fifth of them; info for a single one. A reworded heading is not missing. Headings that only the candidate has are info.",
  recommendation: 'Open both pages; a section may have failed to render or its content may be missing.',
  inputs: ['body.content'],
  grouped: (_count, worst) => worst.message,
  compare(left, right) {
    const a = left.envelope.body?.html;
    const b = right.envelope.body?.html;
    if (!a || !b || !sameStatusClass(left, right)) return [];
    const headings = { left: headingsOf(a, left), right: headingsOf(b, right) };
    return byKey([...lossesOn('left', headings), ...lossesOn('right', headings)]);
  },
};

type Headings = Readonly<Record<Side, readonly string[]>>;

function headingsOf({ headings }: HtmlFacts, view: SampleView): readonly string[] {
  return headings.map(({ level, text }) => `h${level} ${view.map(text)}`);
}

function lossesOn(side: Side, headings: Headings): readonly Difference[] {
  const [own, others] = [headings[side], headings[otherSide(side)]];
  const lost = withoutEach(others, own);
  const net = others.length - own.length;
  const noFirst = others.some(isFirst) && !own.some(isFirst);
  if (net <= 0 && !noFirst) return [];
  const many = net >= COUNT_MIN || net / others.length >= SHARE_MIN;
  const message = noFirst
    ? `${NAME[side]} has no first heading`
    : `${missingOf(lost.length, others.length, 'headings')} on ${NAME[side]}: ${namesOf(lost)}${newOnes(lost.length - net)}`;
  return lost.map((heading) => ({
    section: 'body',
    key: heading,
    ...valueOn(otherSide(side), heading),
    severity: noFirst || many ? 'warn' : 'info',
    direction: weakerSide(side),
    message,
    kind: side,
  }));
}

function isFirst(heading: string): boolean {
  return heading.startsWith('h1 ');
}

const NAMES_MAX = 3;

function namesOf(lost: readonly string[]): string {
  const names = lost.slice(0, NAMES_MAX).map((heading) => `"${heading.slice(3)}"`);
  const more = lost.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

/** What `a` has more often than `b`, in the order of `a`. */
function withoutEach(a: readonly string[], b: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const item of b) left.set(item, (left.get(item) ?? 0) + 1);
  return a.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}
