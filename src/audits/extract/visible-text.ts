/**
 * Gathers what a reader would see: the text of the whole body, and which of it is its main part. Scripts,
 * styles, templates and hidden elements do not count; `<noscript>` counts apart.
 */
import type { ElementFacts, TextFacts } from '../facts/page-facts.js';
import { attribute, type HtmlElement } from './html-tree.js';
import { countWords, foldBlanks, simhash, textSha256 } from './text-facts.js';

const UNSEEN = new Set([
  'script',
  'style',
  'template',
  'head',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'datalist',
]);
const AROUND = new Set(['nav', 'header', 'footer', 'aside']);
/** Elements that do not part words. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Stretches of the body's text, as pairs of positions. */
class Stretches {
  readonly #ends: number[] = [];

  open(at: number): void {
    if (this.#ends.at(-1) === at) this.#ends.pop();
    else this.#ends.push(at);
  }

  close(at: number): void {
    this.#ends.push(at);
  }

  of(text: string): string {
    let joined = '';
    for (let at = 0; at < this.#ends.length; at += 2) {
      joined += `${text.slice(this.#ends[at], this.#ends[at + 1] ?? text.length)} `;
    }
    return joined;
  }
}

export class VisibleText {
  #body = '';
  #noscript = '';
  readonly #main = new Stretches();
  readonly #outer = new Stretches();
  #unseen = 0;
  #noscripts = 0;
  #mains = 0;
  #around = 0;

  constructor() {
    this.#outer.open(0);
  }

  enter(element: HtmlElement): void {
    if (!INLINE.has(element.tagName)) this.#body += ' ';
    this.#count(element, 1);
  }

  leave(element: HtmlElement): void {
    this.#count(element, -1);
    if (!INLINE.has(element.tagName)) this.#body += ' ';
  }

  add(text: string): void {
    if (this.#unseen > 0) return;
    if (this.#noscripts > 0) this.#noscript += `${text} `;
    else this.#body += text;
  }

  facts(emptyAppRoot: ElementFacts | null): TextFacts {
    const body = foldBlanks(this.#body);
    const inMain = foldBlanks(this.#main.of(this.#body));
    const main = inMain === '' ? foldBlanks(this.#outer.of(this.#body)) : inMain;
    return {
      words: countWords(body),
      mainWords: countWords(main),
      chars: body.length,
      noscriptWords: countWords(this.#noscript),
      sha256: textSha256(body),
      simhash: simhash(main),
      emptyAppRoot,
    };
  }

  #count(element: HtmlElement, by: 1 | -1): void {
    const { tagName } = element;
    if (UNSEEN.has(tagName) || isHidden(element)) this.#unseen += by;
    if (tagName === 'noscript') this.#noscripts += by;
    if (tagName === 'main' || attribute(element, 'role') === 'main') {
      this.#mains = this.#turn(this.#main, this.#mains, by);
    }
    // Outside all of nav, header, footer and aside: the other way round.
    if (AROUND.has(tagName)) {
      const before = this.#around;
      this.#around += by;
      if (before === 0) this.#outer.close(this.#body.length);
      else if (this.#around === 0) this.#outer.open(this.#body.length);
    }
  }

  /** Opens a stretch at the first of nested elements and closes it at the last. */
  #turn(stretches: Stretches, depth: number, by: 1 | -1): number {
    if (by === 1 && depth === 0) stretches.open(this.#body.length);
    if (by === -1 && depth === 1) stretches.close(this.#body.length);
    return depth + by;
  }
}

function isHidden(element: HtmlElement): boolean {
  for (const { name, value } of element.attrs) {
    if (name === 'hidden' || (name === 'style' && /display\s*:\s*none/i.test(value))) return true;
  }
  return false;
}
