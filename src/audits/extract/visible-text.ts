/**
 * Gathers what a reader would see: the text of the whole body, and of its main part. Scripts, styles,
 * templates and hidden elements do not count; `<noscript>` counts apart.
 */
import type { ElementFacts, TextFacts } from '../facts/page-facts.js';
import { attribute, type HtmlElement, has } from './html-tree.js';
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

export class VisibleText {
  readonly #body: string[] = [];
  readonly #main: string[] = [];
  readonly #outer: string[] = [];
  readonly #noscript: string[] = [];
  #unseen = 0;
  #noscripts = 0;
  #mains = 0;
  #around = 0;

  enter(element: HtmlElement): void {
    this.#count(element, 1);
    if (!INLINE.has(element.tagName)) this.#part();
  }

  leave(element: HtmlElement): void {
    if (!INLINE.has(element.tagName)) this.#part();
    this.#count(element, -1);
  }

  add(text: string): void {
    if (this.#unseen > 0) return;
    if (this.#noscripts > 0) this.#noscript.push(text);
    else {
      this.#body.push(text);
      if (this.#mains > 0) this.#main.push(text);
      if (this.#around === 0) this.#outer.push(text);
    }
  }

  facts(emptyAppRoot: ElementFacts | null): TextFacts {
    const body = foldBlanks(this.#body.join(''));
    const inMain = foldBlanks(this.#main.join(''));
    const main = inMain === '' ? foldBlanks(this.#outer.join('')) : inMain;
    return {
      words: countWords(body),
      mainWords: countWords(main),
      chars: body.length,
      noscriptWords: countWords(this.#noscript.join('')),
      sha256: textSha256(body),
      simhash: simhash(main),
      emptyAppRoot,
    };
  }

  #part(): void {
    this.#body.push(' ');
    this.#noscript.push(' ');
    if (this.#mains > 0) this.#main.push(' ');
    if (this.#around === 0) this.#outer.push(' ');
  }

  #count(element: HtmlElement, by: 1 | -1): void {
    const { tagName } = element;
    if (UNSEEN.has(tagName) || isHidden(element)) this.#unseen += by;
    if (tagName === 'noscript') this.#noscripts += by;
    if (tagName === 'main' || attribute(element, 'role') === 'main') this.#mains += by;
    if (AROUND.has(tagName)) this.#around += by;
  }
}

function isHidden(element: HtmlElement): boolean {
  return has(element, 'hidden') || /display\s*:\s*none/i.test(attribute(element, 'style') ?? '');
}
