/**
 * Finds where two texts differ: aligns blocks first, then words within a changed block. Both tables are quadratic, so
 * both lists are bounded: body facts have at most 500 blocks, and an excerpt aligns the first words alone.
 */
import type { Side } from '../probe/index.js';
import type { ExcerptLine, ExcerptPart } from './finding.js';

/** A change between two blocks that both sides have. */
export interface Hunk {
  /** The common block before the change; empty at the start. */
  readonly after: string;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

export function diffBlocks(left: readonly string[], right: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...commonPairs(left, right), [left.length, right.length] as const]) {
    if (nextA > a || nextB > b) {
      hunks.push({ after: left[a - 1] ?? '', left: left.slice(a, nextA), right: right.slice(b, nextB) });
    }
    [a, b] = [nextA + 1, nextB + 1];
  }
  return hunks;
}

/** Indices of a longest common subsequence, in order. */
function commonPairs(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let tail = 0;
  const rest = Math.min(left.length, right.length) - start;
  while (tail < rest && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const a = left.slice(start, left.length - tail);
  const b = right.slice(start, right.length - tail);
  const pairs: (readonly [number, number])[] = Array.from({ length: start }, (_, at) => [at, at] as const);
  for (const [x, y] of middlePairs(a, b)) pairs.push([x + start, y + start]);
  for (let at = tail; at > 0; at--) pairs.push([left.length - at, right.length - at]);
  return pairs;
}

function middlePairs(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (x: number, y: number) => lengths[x * width + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      lengths[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let x = 0, y = 0; x < a.length && y < b.length; ) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (at(x + 1, y) >= at(x, y + 1)) x++;
    else y++;
  }
  return pairs;
}

const LINE_CHARS_MAX = 240;
/** Many more than an excerpt shows. Two pages of one-letter words would need a table of 800 MB. */
const ALIGNED_WORDS_MAX = 500;
const CONTEXT_WORDS = 5;

/** One line of words for a hunk: common words around the change, and each side's own words. */
export function wordExcerpt({ after, left, right }: Hunk): ExcerptLine {
  const [a, b] = [firstWords(left), firstWords(right)];
  const parts: ExcerptPart[] = [];
  const lead = wordsOf(after).slice(-CONTEXT_WORDS).join(' ');
  if (lead !== '') parts.push({ text: `… ${lead}` });
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...commonPairs(a, b), [a.length, b.length] as const]) {
    const [leftOnly, rightOnly] = [a.slice(x, nextX), b.slice(y, nextY)];
    if (leftOnly.length > 0) parts.push({ side: 'left', text: leftOnly.join(' ') });
    if (rightOnly.length > 0) parts.push({ side: 'right', text: rightOnly.join(' ') });
    const same = a[nextX];
    if (same !== undefined) pushSame(parts, same);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return bounded(parts);
}

function firstWords(blocks: readonly string[]): readonly string[] {
  return wordsOf(blocks.join(' ')).slice(0, ALIGNED_WORDS_MAX);
}

export function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function pushSame(parts: ExcerptPart[], word: string): void {
  const last = parts.at(-1);
  if (last && last.side === undefined) parts[parts.length - 1] = { text: `${last.text} ${word}` };
  else parts.push({ text: word });
}

/** Long common runs keep their ends; long changes keep their beginning. */
function bounded(parts: readonly ExcerptPart[]): ExcerptLine {
  const line: ExcerptPart[] = [];
  let remaining = LINE_CHARS_MAX;
  for (const [index, part] of parts.entries()) {
    if (remaining <= 0) break;
    const text = part.side === undefined ? shortSame(part.text, index === parts.length - 1) : part.text;
    const cut = text.length > remaining ? `${text.slice(0, Math.max(1, remaining - 1))}…` : text;
    line.push(part.side === undefined ? { text: cut } : { side: part.side, text: cut });
    remaining -= cut.length;
  }
  return line;
}

function shortSame(text: string, isLast: boolean): string {
  const words = wordsOf(text);
  if (words.length <= 2 * CONTEXT_WORDS + 1) return text;
  const head = words.slice(0, CONTEXT_WORDS).join(' ');
  return isLast ? `${head} …` : `${head} … ${words.slice(-CONTEXT_WORDS).join(' ')}`;
}

/** `[-old-]{+new+}`, the candidate's words being the new ones. */
export function excerptText(line: ExcerptLine, candidate: Side): string {
  return line
    .map(({ side, text }) => {
      if (side === undefined) return text;
      return side === candidate ? `{+${text}+}` : `[-${text}-]`;
    })
    .join(' ');
}
