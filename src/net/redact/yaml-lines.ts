/**
 * Masks YAML values below the line of their key: a block scalar, a scalar on its own line, or a list of scalars. Tags,
 * anchors, comments and empty lines may come in between. Only lines with the indentation that YAML requires count. A
 * nested mapping is judged by its own keys.
 */
import { startsLine } from './bare-value.js';
import { isBlank, isLineEnd, lineEnd, skipRun } from './char-classes.js';
import { isSecretKind } from './classify-key.js';
import { looksOpaque } from './harmless-values.js';
import { isOtherName } from './header-tuples.js';
import type { ValueSite } from './secret-value.js';

/** One word, or the beginning of a quotation or of a nested value. */
const SCALAR = /^(?:["'{[]|[^\s|>:=#-][^\s:]*(?::[^\s:]+)*(?:[ \t]+#.*|[ \t]*)$)/;
/** Tags, anchors and the indicator of a block scalar: `!!str`, `&name`, `|2-`. */
const HEAD = /(?:[!&][^\s,[\]{}]{0,128}[ \t]{0,8}){0,2}([|>][+-]?\d?[+-]?)?[ \t]{0,8}/y;
const QUOTED_NAME = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')[ \t]*:/;
const ITEM = /^- +(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"':]+(?::[^\s:]+)*))(?:[ \t]+#.*|[ \t]*)$/;

/** The end of a key's line if it has no value, only tags, an anchor or a comment, and whether a block scalar follows. */
export function lineWithoutValue(
  { text, key, separator }: ValueSite,
  start: number,
): { readonly end: number; readonly isBlock: boolean } | undefined {
  if (separator.sign !== ':' || !startsLine(text, key.start - (key.quote?.literal.length ?? 0)))
    return undefined;
  HEAD.lastIndex = start;
  const isBlock = HEAD.exec(text)?.[1] !== undefined;
  const at = HEAD.lastIndex;
  const isComment = text.charAt(at) === '#' && isBlank(text.charCodeAt(at - 1));
  const end = isComment ? lineEnd(text, at) : at;
  return isLineEnd(text.charCodeAt(end)) ? { end, isBlock } : undefined;
}

/** Masks a block scalar: all following lines that are indented deeper than its key. */
export function maskBlock({ text, mask, key }: ValueSite, stop: number): number {
  const indent = indentOf(text, key.start);
  // Between a carriage return and a line feed is an empty line, which is skipped.
  const from = stop + 1;
  let end = from;
  let first = from;
  for (let at = from; at < text.length; ) {
    const stop = lineEnd(text, at);
    const word = skipRun(text, at, (code) => code === 32);
    if (word < stop) {
      if (word - at <= indent) break;
      if (end === from) first = word;
      end = stop;
    }
    at = stop + 1;
  }
  mask.add(first, end);
  return end;
}

/** Start of the value below the key at `keyStart`; `stop`, the end of the key's line, if there is none. */
export function scalarBelow(text: string, keyStart: number, stop: number): number {
  const { start, depth, content } = lineBelow(text, stop);
  const isDeeper = depth > indentOf(text, keyStart);
  return isDeeper && SCALAR.test(content) && !QUOTED_NAME.test(content) ? start : stop;
}

/** Masks the credentials of a list below its key. Items that look like names stay: `secrets:` often lists names. */
export function maskItems({ text, mask, key }: ValueSite, stop: number): number {
  if (!isSecretKind(key.kind)) return stop;
  const indent = indentOf(text, key.start);
  let below = lineBelow(text, stop);
  while (below.depth >= indent && ITEM.test(below.content)) {
    const value = below.content.replace(ITEM, '$1$2$3');
    const from = below.start + below.content.indexOf(value);
    if ((/\d/.test(value) || looksOpaque(value)) && !isOtherName(value)) mask.add(from, from + value.length);
    below = lineBelow(text, below.start + below.content.length);
  }
  // The scan continues before the items, because one may contain a pair.
  return stop;
}

interface Line {
  readonly start: number;
  readonly depth: number;
  readonly content: string;
}

/** The next line after `stop` that is neither empty nor a comment, without its indentation. */
function lineBelow(text: string, stop: number): Line {
  let end = stop;
  for (;;) {
    const from = end + 1;
    end = lineEnd(text, from);
    const line = text.slice(from, end);
    const content = line.trimStart();
    const depth = line.length - content.length;
    const isSkipped = content === '' || content.startsWith('#');
    if (!isSkipped || end >= text.length) return { start: from + depth, depth, content };
  }
}

function indentOf(text: string, keyStart: number): number {
  const lineStart = text.lastIndexOf('\n', keyStart) + 1;
  return skipRun(text, lineStart, (code) => code === 32) - lineStart;
}
