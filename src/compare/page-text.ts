/** Compares the visible text of two sides, once for all rules that read it. */
import { sameLines } from './compare-headers.js';
import { sameStatusClass } from './json-facts.js';
import type { SampleView } from './sample-view.js';
import { diffBlocks, type Hunk } from './word-diff.js';

export interface TextDiff {
  /** Without blocks that merely moved. */
  readonly hunks: readonly ChangedHunk[];
  /** Words of each side's whole text. */
  readonly left: number;
  readonly right: number;
}

export interface ChangedHunk extends Hunk {
  readonly leftWords: number;
  readonly rightWords: number;
}

/** undefined if a side has no text, the texts are the same, or they cannot be compared. */
export function textDiff(left: SampleView, right: SampleView): TextDiff | undefined {
  const a = left.envelope.body?.text?.blocks;
  const b = right.envelope.body?.text?.blocks;
  if (!a || !b || sameLines(a, b) || !sameStatusClass(left, right)) return undefined;
  const diff = left.parsedWith(right, 'text-diffs', () =>
    compareBlocks(
      a.map((block) => left.map(block)),
      b.map((block) => right.map(block)),
    ),
  );
  return diff.hunks.length === 0 ? undefined : diff;
}

/** Whether both sides show the same text, and it is complete and not empty. */
export function showsSameText(left: SampleView, right: SampleView): boolean {
  const [a, b] = [left.envelope.body?.text, right.envelope.body?.text];
  if (!a || !b || a.cut || b.cut || a.blocks.length === 0) return false;
  return sameLines(a.blocks, b.blocks) || (sameStatusClass(left, right) && !textDiff(left, right));
}

function compareBlocks(left: readonly string[], right: readonly string[]): TextDiff {
  const raw = diffBlocks(left, right);
  const gone = new Set(raw.flatMap((hunk) => hunk.left));
  const moved = new Set(raw.flatMap((hunk) => hunk.right).filter((block) => gone.has(block)));
  const hunks = raw
    .map(({ after, left: a, right: b }) => {
      const own = {
        left: a.filter((block) => !moved.has(block)),
        right: b.filter((block) => !moved.has(block)),
      };
      return { after, ...own, leftWords: count(own.left), rightWords: count(own.right) };
    })
    .filter((hunk) => hunk.left.length > 0 || hunk.right.length > 0);
  return { hunks, left: count(left), right: count(right) };
}

/** Runs of letters or of digits, so that text without spaces counts too; scripts without spaces count by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+|\p{N}+/gu;

function count(blocks: readonly string[]): number {
  return blocks.reduce((sum, block) => sum + (block.match(WORD)?.length ?? 0), 0);
}

const ANCHOR_CHARS = 40;

/** Describes the place of a hunk, for people and to recognize the same place in another sample. */
export function placeOf({ after }: Hunk): string {
  if (after === '') return 'at the start';
  return `after "${after.length > ANCHOR_CHARS ? `${after.slice(0, ANCHOR_CHARS - 1)}…` : after}"`;
}

const SHOWN_CHARS = 200;

/** Blocks as the value of a finding; null if there are none. */
export function blocksText(blocks: readonly string[]): string | null {
  const text = blocks.join(' / ');
  if (text === '') return null;
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS - 1)}…` : text;
}
