/**
 * Masks YAML values below the line of their key: a block scalar, a scalar on its own line, or a list of scalars. Only
 * lines with the indentation that YAML requires count. A nested mapping is judged by its own keys.
 */
import { startsLine } from './bare-value.js';
import { lineEnd, NEWLINE, RETURN, skipRun } from './char-classes.js';
import { isSecretKind } from './classify-key.js';
import { looksOpaque } from './harmless-values.js';
import { isOtherName } from './header-tuples.js';
import type { ValueSite } from './secret-value.js';

/** One word, or the beginning of a quotation or of a nested value. */
const SCALAR = /^(?:["'{[]|[^\s|>:=#-][^\s:]*(?::[^\s:]+)*(?:[ \t]+#.*|[ \t]*)$)/;
const QUOTED_NAME = /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')[ \t]*:/;
const ITEM = /^- +(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"':]+(?::[^\s:]+)*))[ \t]*$/;

/** Masks a block scalar: all following lines that are indented deeper than its key. */
export function maskBlock({ text, mask, key }: ValueSite, from: number): number {
  const indent = indentOf(text, key.start);
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
    at = nextLine(text, stop);
  }
  mask.add(first, end);
  return end;
}

/** Start of the value below the key at `keyStart`; `stop`, the end of the key's line, if there is none. */
export function scalarBelow(text: string, keyStart: number, stop: number): number {
  if (!startsLine(text, keyStart)) return stop;
  const { start, depth, content } = lineBelow(text, stop);
  const isDeeper = depth > indentOf(text, keyStart);
  return isDeeper && SCALAR.test(content) && !QUOTED_NAME.test(content) ? start : stop;
}

/** Masks the credentials of a list below its key. Items that look like names stay: `secrets:` often lists names. */
export function maskItems({ text, mask, key, separator }: ValueSite, stop: number): number {
  if (separator.sign !== ':' || !isSecretKind(key.kind) || !startsLine(text, key.start)) return stop;
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

/** The line after the one that ends at `stop`, without its indentation. */
function lineBelow(text: string, stop: number): Line {
  const from = nextLine(text, stop);
  const line = text.slice(from, lineEnd(text, from));
  const content = line.trimStart();
  const depth = line.length - content.length;
  return { start: from + depth, depth, content };
}

function nextLine(text: string, stop: number): number {
  const isPair = text.charCodeAt(stop) === RETURN && text.charCodeAt(stop + 1) === NEWLINE;
  return stop + (isPair ? 2 : 1);
}

function indentOf(text: string, keyStart: number): number {
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  return skipRun(text, lineStart, (code) => code === 32) - lineStart;
}
