/**
 * Parses a page with parse5 and knows the source positions of its elements. The tree is what a crawler without scripts
 * sees: `<noscript>` is markup. A document nested deeper than `DEPTH_MAX` is rejected, because scope look-ups in the
 * parser are linear in the depth and a hostile page could make them quadratic.
 *
 * Positions come from the tokenizer at each start tag. The parser's own option for positions tracks every character and
 * triples the time of a parse (docs/decisions/audits.md, 0015). The parser's version is pinned, and a test compares both
 * ways.
 */
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  Parser,
  type Token,
} from 'parse5';
import { PlacingTokenizer } from './placing-tokenizer.js';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

/** Browsers flatten beyond 512 levels; real pages stay far below. */
export const DEPTH_MAX = 1024;

export class DocumentTooDeep extends Error {
  override readonly name = 'DocumentTooDeep';
}

/** A start tag in the source: from its `<` to after its `>`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Kept outside the parser, because additional fields on it slow it down (6 ms per page instead of 2.2). */
class ParseNotes {
  /** The element reuses the attribute list of its token, so the list links the two. */
  readonly places = new Map<object, Place>();
  headEnded = false;
  endingHead = false;
  depth = 0;

  onItemPush(): void {
    this.depth += 1;
    if (this.depth > DEPTH_MAX) throw new DocumentTooDeep(`nested deeper than ${DEPTH_MAX} elements`);
  }

  onItemPop(element: HtmlElement): void {
    this.depth -= 1;
    if (this.endingHead && element.tagName === 'head') this.headEnded = true;
  }
}

class PlacingParser extends Parser<DefaultTreeAdapterMap> {
  declare tokenizer: PlacingTokenizer;
  readonly notes: ParseNotes;

  constructor(notes: ParseNotes) {
    const treeAdapter = {
      ...defaultTreeAdapter,
      onItemPush: () => notes.onItemPush(),
      onItemPop: (element: HtmlElement) => notes.onItemPop(element),
    };
    super({ scriptingEnabled: false, treeAdapter });
    this.notes = notes;
    this.tokenizer = new PlacingTokenizer(this.options, this);
  }

  override onStartTag(token: Token.TagToken): void {
    const { tagStart, preprocessor } = this.tokenizer;
    this.notes.places.set(token.attrs, { start: tagStart, end: preprocessor.offset + 1 });
    super.onStartTag(token);
  }

  override onEndTag(token: Token.TagToken): void {
    this.notes.endingHead = token.tagName === 'head';
    super.onEndTag(token);
    this.notes.endingHead = false;
  }
}

export class HtmlTree {
  readonly document: HtmlDocument;
  /** `</head>` is in the source and closed the head. */
  readonly headEnded: boolean;
  readonly #html: string;
  readonly #places: ReadonlyMap<object, Place>;
  #breaks: number[] | undefined;

  constructor(html: string) {
    const notes = new ParseNotes();
    const parser = new PlacingParser(notes);
    parser.tokenizer.write(html, true);
    this.document = parser.document;
    this.headEnded = notes.headEnded;
    this.#places = notes.places;
    this.#html = html;
  }

  /** Whether the element is in the source; the parser inserts some itself. */
  isWritten(element: HtmlElement): boolean {
    return this.#places.has(element.attrs);
  }

  /** Counted from 1; 0 for an element that is not in the source. */
  lineOf(element: HtmlElement): number {
    const place = this.#places.get(element.attrs);
    return place ? this.#lineAt(place.start) : 0;
  }

  /** The line on which the element's content begins. */
  contentLineOf(element: HtmlElement): number {
    const place = this.#places.get(element.attrs);
    return place ? this.#lineAt(place.end) : 0;
  }

  /** The start tag as written. */
  sourceOf(element: HtmlElement): string {
    const place = this.#places.get(element.attrs);
    return place ? this.#html.slice(place.start, place.end) : `<${element.tagName}>`;
  }

  #lineAt(offset: number): number {
    this.#breaks ??= lineBreaks(this.#html);
    let [low, high] = [0, this.#breaks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }
}

/** Positions of every LF, CRLF and CR. A regular expression took longer than counting the words of the page. */
function lineBreaks(html: string): number[] {
  const breaks: number[] = [];
  if (!html.includes('\r')) {
    for (let at = html.indexOf('\n'); at >= 0; at = html.indexOf('\n', at + 1)) breaks.push(at);
    return breaks;
  }
  for (let at = 0; at < html.length; at += 1) {
    const unit = html.charCodeAt(at);
    if (unit !== 0x0a && unit !== 0x0d) continue;
    breaks.push(at);
    if (unit === 0x0d && html.charCodeAt(at + 1) === 0x0a) at += 1;
  }
  return breaks;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function isText(node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text';
}

export function attribute(element: HtmlElement, name: string): string | null {
  for (const attr of element.attrs) if (attr.name === name) return attr.value;
  return null;
}

export function has(element: HtmlElement, name: string): boolean {
  return attribute(element, name) !== null;
}

/** Lower-case tokens of a blank-separated attribute. */
export function tokens(element: HtmlElement, name: string): string[] {
  const value = attribute(element, name);
  if (value === null || value === '') return [];
  return value
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '');
}

/** Stops after `charsMax` characters: elements nest, and the text below each of them may be requested. */
export function textOf(element: HtmlElement, charsMax = Number.POSITIVE_INFINITY): string {
  let text = '';
  const stack: HtmlNode[] = [...element.childNodes].reverse();
  for (let node = stack.pop(); node && text.length < charsMax; node = stack.pop()) {
    if (isText(node)) text += node.value;
    else if (isElement(node)) {
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at] as HtmlNode);
    }
  }
  return text;
}
