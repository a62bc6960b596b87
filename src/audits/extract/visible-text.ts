/**
 * Collects what a reader would see: the text of the whole body, and its main part. Scripts, styles, templates and
 * hidden elements do not count; `<noscript>` is counted separately.
 */
import type { ElementFacts, TextFacts } from '../facts/page-facts.js';
import { attribute, type HtmlElement } from './html-tree.js';
import { countWords, figuresOf, foldBlanks } from './text-facts.js';

const UNSEEN = new Set('script style template head svg math iframe object select datalist'.split(' '));
const AROUND = new Set(['nav', 'header', 'footer', 'aside']);
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Ranges of the body's text, as pairs of positions. */
class TextRanges {
  readonly #ends: number[] = [];

  open(at: number): void {
    if (this.#ends.at(-1) === at) this.#ends.pop();
    else this.#ends.push(at);
  }

  close(at: number): void {
    this.#ends.push(at);
  }

  /** The text inside the ranges, and the text outside. */
  split(text: string): { inside: string; outside: string } {
    let [inside, outside, after] = ['', '', 0];
    for (let at = 0; at < this.#ends.length; at += 2) {
      const [from = 0, to = text.length] = [this.#ends[at], this.#ends[at + 1]];
      outside += `${text.slice(after, from)} `;
      inside += `${text.slice(from, to)} `;
      after = to;
    }
    return { inside, outside: outside + text.slice(after) };
  }
}

export class VisibleText {
  #body = '';
  #noscript = '';
  readonly #main = new TextRanges();
  readonly #outer = new TextRanges();
  /** The text ends in a blank, so another one adds nothing. */
  #blank = false;
  #unseen = 0;
  #noscripts = 0;
  #mains = 0;
  #around = 0;

  constructor() {
    this.#outer.open(0);
  }

  enter(element: HtmlElement): void {
    if (!INLINE.has(element.tagName)) this.#separate();
    this.#count(element, 1);
  }

  leave(element: HtmlElement): void {
    this.#count(element, -1);
    if (!INLINE.has(element.tagName)) this.#separate();
  }

  add(text: string): void {
    if (this.#unseen > 0) return;
    if (this.#noscripts > 0) this.#noscript += `${text} `;
    else if (!/\S/.test(text)) this.#separate();
    else {
      this.#body += text;
      this.#blank = text.endsWith(' ');
    }
  }

  facts(emptyAppRoot: ElementFacts | null, sha256: (text: string) => string): TextFacts {
    const body = foldBlanks(this.#body);
    // Every part is read once, and blanks do not affect words.
    const inMain = this.#main.split(this.#body);
    const { inside, outside } = /\S/.test(inMain.inside) ? inMain : this.#outer.split(this.#body);
    const main = figuresOf(inside);
    return {
      words: main.words + countWords(outside),
      mainWords: main.words,
      chars: body.length,
      noscriptWords: countWords(this.#noscript),
      sha256: sha256(body),
      simhash: main.simhash,
      pairs: main.pairs,
      emptyAppRoot,
    };
  }

  #separate(): void {
    if (this.#blank) return;
    this.#body += ' ';
    this.#blank = true;
  }

  #count(element: HtmlElement, by: 1 | -1): void {
    const { tagName } = element;
    if (UNSEEN.has(tagName) || isHidden(element)) this.#unseen += by;
    if (tagName === 'noscript') this.#noscripts += by;
    if (tagName === 'main' || (element.attrs.length > 0 && attribute(element, 'role') === 'main')) {
      // A range opens at the outermost of nested elements and closes at its end.
      if (by === 1 && this.#mains === 0) this.#main.open(this.#body.length);
      if (by === -1 && this.#mains === 1) this.#main.close(this.#body.length);
      this.#mains += by;
    }
    // The outer text is everything outside nav, header, footer and aside, so entering one closes the range.
    if (AROUND.has(tagName)) {
      const before = this.#around;
      this.#around += by;
      if (before === 0) this.#outer.close(this.#body.length);
      else if (this.#around === 0) this.#outer.open(this.#body.length);
    }
  }
}

function isHidden(element: HtmlElement): boolean {
  for (const { name, value } of element.attrs) {
    if (name === 'hidden' || (name === 'style' && /display\s*:\s*none/i.test(value))) return true;
  }
  return false;
}
