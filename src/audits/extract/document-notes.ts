/** Records every element that a rule needs while the walk enters and leaves elements. */

import { srcsetUrls } from '../../srcset-urls.js';
import type {
  DocumentFacts,
  ElementFacts,
  EmbedFacts,
  HeadingFacts,
  ImageFacts,
  LinkElementFacts,
  MetaFacts,
  TextElement,
} from '../facts/page-facts.js';
import { CSS_LIMITS, cssReferences } from './css-references.js';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { cut, cutOrNull, isEmpty, lower, nameOf } from './element-text.js';
import { attribute, type HtmlElement, type HtmlTree, has, textOf, tokens } from './html-tree.js';
import { type LinkTarget, LinkTargets } from './link-targets.js';
import { belongsInHead } from './read-head.js';
import { readJsonLd } from './read-json-ld.js';
import { foldBlanks } from './text-facts.js';

/** The facts that are lists with a limit of their own. */
type Listed = Exclude<keyof DocumentFacts & keyof typeof DOCUMENT_LIMITS, 'parsedBytes' | 'text'>;
type Lists = { [K in Listed]: DocumentFacts[K][number][] };

const APP_ROOT = /^(?:root|app|__next|__nuxt|___gatsby|svelte|ember-app|app-root|react-root|main-app)$/i;
const IMAGE = { attribute: 'src', kind: 'image' } as const;
const EMBEDS: ReadonlyMap<string, string> = new Map([
  ['iframe', 'src'],
  ['frame', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
  ['source', 'src'],
  ['track', 'src'],
  ['embed', 'src'],
  ['object', 'data'],
]);
const HEADINGS: ReadonlyMap<string, HeadingFacts['level']> = new Map([
  ['h1', 1],
  ['h2', 2],
  ['h3', 3],
  ['h4', 4],
  ['h5', 5],
  ['h6', 6],
]);

export class DocumentNotes {
  readonly misplaced: HtmlElement[] = [];
  emptyAppRoot: ElementFacts | null = null;
  elements = 0;
  readonly #tree: HtmlTree;
  readonly #domain: string;
  readonly #redact: (text: string) => string;
  readonly #cut = new Set<string>();
  readonly #targets: LinkTargets;
  readonly #lists: Lists = {
    titles: [],
    metas: [],
    links: [],
    headings: [],
    anchors: [],
    clickables: [],
    images: [],
    scripts: [],
    embeds: [],
    forms: [],
    jsonLd: [],
    ids: [],
  };
  readonly #hrefs = new Set<string>();
  #baseHref: string | null = null;
  #heads = 0;
  #bodies = 0;
  #noscripts = 0;
  #templates = 0;

  constructor(source: { tree: HtmlTree; url: string; domain: string; redact: (text: string) => string }) {
    this.#tree = source.tree;
    this.#domain = source.domain;
    this.#redact = source.redact;
    this.#targets = new LinkTargets(source.url, source.redact);
  }

  facts(): Lists & { baseHref: string | null; cut: string[] } {
    return { ...this.#lists, baseHref: this.#baseHref, cut: [...this.#cut] };
  }

  enter(element: HtmlElement): void {
    this.elements += 1;
    this.#surround(element, 1);
    if (this.#templates > 0) return;
    if (this.#bodies > 0 && belongsInHead(element) && this.misplaced.length < DOCUMENT_LIMITS.misplaced) {
      this.misplaced.push(element);
    }
    // Most elements have no attributes, so nothing below applies to them.
    if (element.attrs.length === 0) return this.#note(element);
    const id = attribute(element, 'id');
    if (id) this.#add('ids', cut(id));
    this.#note(element);
    const style = attribute(element, 'style');
    if (style?.includes('url(')) this.#styled(element, style);
    if (has(element, 'onclick') || attribute(element, 'role') === 'link') this.#clickable(element);
    if (id && APP_ROOT.test(id) && this.emptyAppRoot === null && isEmpty(element)) {
      this.emptyAppRoot = this.elementFacts(element);
    }
  }

  leave(element: HtmlElement): void {
    this.#surround(element, -1);
  }

  elementFacts(element: HtmlElement): ElementFacts {
    const html = cut(foldBlanks(this.#tree.sourceOf(element)));
    return { tag: element.tagName, line: this.#tree.lineOf(element), html };
  }

  #surround({ tagName }: HtmlElement, by: 1 | -1): void {
    if (tagName === 'head') this.#heads += by;
    else if (tagName === 'body') this.#bodies += by;
    else if (tagName === 'noscript') this.#noscripts += by;
    else if (tagName === 'template') this.#templates += by;
  }

  #note(element: HtmlElement): void {
    switch (element.tagName) {
      case 'title':
        // The title of an SVG is not the title of the page.
        if (element.namespaceURI === 'http://www.w3.org/1999/xhtml')
          this.#add('titles', this.#title(element));
        return;
      case 'meta':
        return this.#add('metas', this.#meta(element));
      case 'link':
        return this.#add('links', this.#link(element));
      case 'base':
        return this.#setBase(element);
      case 'a':
      case 'area':
        return this.#anchor(element);
      case 'img':
        if (this.#noscripts > 0) return;
        this.#add('images', this.#image(element));
        return this.#srcset(element);
      case 'script':
        return this.#script(element);
      case 'form':
        return this.#embed(element, { attribute: 'action', kind: 'embed' }, 'forms');
      case 'input':
        if (attribute(element, 'type')?.toLowerCase() === 'image') this.#embed(element, IMAGE);
        return;
      case 'style':
        return this.#styled(element, textOf(element, CSS_LIMITS.chars));
      default:
        this.#other(element);
    }
  }

  #other(element: HtmlElement): void {
    const level = HEADINGS.get(element.tagName);
    if (level !== undefined)
      this.#add('headings', { level, text: cut(nameOf(element)), line: this.#tree.lineOf(element) });
    const source = EMBEDS.get(element.tagName);
    if (source === undefined) return;
    this.#embed(element, { attribute: source, kind: 'embed' });
    if (element.tagName === 'source') this.#srcset(element);
    if (element.tagName === 'video') this.#embed(element, { attribute: 'poster', kind: 'image' });
  }

  #add<K extends Listed>(list: K, item: Lists[K][number]): void {
    if (this.#lists[list].length < DOCUMENT_LIMITS[list])
      (this.#lists[list] as Lists[K][number][]).push(item);
    else this.#cut.add(list);
  }

  #title(element: HtmlElement): TextElement {
    return {
      text: cut(foldBlanks(textOf(element))),
      line: this.#tree.lineOf(element),
      inHead: this.#heads > 0,
    };
  }

  #meta(element: HtmlElement): MetaFacts {
    return {
      name: lower(attribute(element, 'name')),
      property: lower(attribute(element, 'property')),
      httpEquiv: lower(attribute(element, 'http-equiv')),
      charset: lower(attribute(element, 'charset')),
      content: cutOrNull(attribute(element, 'content')),
      line: this.#tree.lineOf(element),
      inHead: this.#heads > 0,
    };
  }

  #link(element: HtmlElement): LinkElementFacts {
    const href = attribute(element, 'href');
    return {
      rel: tokens(element, 'rel'),
      href: this.#written(href),
      url: this.#resolve(href)?.href ?? null,
      hreflang: cutOrNull(attribute(element, 'hreflang')),
      media: cutOrNull(attribute(element, 'media')),
      type: lower(attribute(element, 'type')),
      as: lower(attribute(element, 'as')),
      disabled: has(element, 'disabled'),
      line: this.#tree.lineOf(element),
      inHead: this.#heads > 0,
    };
  }

  #anchor(element: HtmlElement): void {
    const href = attribute(element, 'href');
    const name = attribute(element, 'name');
    if (name) this.#add('ids', cut(name));
    if (this.#isRepeated(href)) return;
    const target = this.#resolve(href);
    this.#add('anchors', {
      href: this.#written(href),
      url: target?.crawlUrl ?? null,
      fragment: target?.fragment ?? null,
      internal: target?.site === this.#domain,
      text: cut(nameOf(element)),
      rel: tokens(element, 'rel'),
      onclick: has(element, 'onclick'),
      targetOnly: href === null && !has(element, 'onclick') && (name !== null || has(element, 'id')),
      line: this.#tree.lineOf(element),
    });
  }

  /** Long indexes link to the same pages many times. */
  #isRepeated(href: string | null): boolean {
    const known = this.#hrefs.has(href ?? '');
    this.#hrefs.add(href ?? '');
    return known && this.#lists.anchors.length >= DOCUMENT_LIMITS.repeatedAnchors;
  }

  #clickable(element: HtmlElement): void {
    if (element.tagName === 'a' || element.tagName === 'area') return;
    const handler = attribute(element, 'onclick') ?? '';
    const navigates = /\blocation\b|\bwindow\.open\b|\bnavigate\b|\brouter\b/.test(handler);
    if (navigates || attribute(element, 'role') === 'link')
      this.#add('clickables', this.elementFacts(element));
  }

  #image(element: HtmlElement): ImageFacts {
    const src = attribute(element, 'src');
    const role = attribute(element, 'role');
    const style = attribute(element, 'style') ?? '';
    return {
      src: this.#written(src),
      url: this.#resolve(src)?.href ?? null,
      alt: cutOrNull(attribute(element, 'alt')),
      labelledOtherwise:
        role === 'presentation' ||
        role === 'none' ||
        attribute(element, 'aria-hidden') === 'true' ||
        has(element, 'aria-label') ||
        has(element, 'aria-labelledby'),
      width: attribute(element, 'width'),
      height: attribute(element, 'height'),
      sizedByStyle: /(?:^|[;\s])(?:width|height|aspect-ratio)\s*:/i.test(style),
      loading: lower(attribute(element, 'loading')),
      fetchPriority: lower(attribute(element, 'fetchpriority')),
      line: this.#tree.lineOf(element),
    };
  }

  #script(element: HtmlElement): void {
    const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
    if (type.split(';', 1)[0] === 'application/ld+json')
      return this.#add('jsonLd', readJsonLd(textOf(element), this.#tree.contentLineOf(element)));
    const src = attribute(element, 'src');
    this.#add('scripts', {
      src: this.#written(src),
      url: this.#resolve(src)?.href ?? null,
      type,
      async: has(element, 'async'),
      defer: has(element, 'defer'),
      inHead: this.#heads > 0,
      integrity: has(element, 'integrity'),
      inlineBytes: src === null ? textOf(element).length : 0,
      line: this.#tree.lineOf(element),
    });
  }

  #embed(
    element: HtmlElement,
    source: { readonly attribute: string; readonly kind: EmbedFacts['kind'] },
    list: 'embeds' | 'forms' = 'embeds',
  ): void {
    const src = attribute(element, source.attribute);
    if (src) this.#load(element, { src, kind: source.kind }, list);
  }

  #srcset(element: HtmlElement): void {
    const srcset = attribute(element, 'srcset');
    for (const src of srcset ? srcsetUrls(srcset) : []) this.#load(element, { src, kind: 'image' });
  }

  #styled(element: HtmlElement, css: string): void {
    for (const { href, kind } of cssReferences(css)) this.#load(element, { src: href, kind });
  }

  #load(
    element: HtmlElement,
    { src, kind }: { readonly src: string; readonly kind: EmbedFacts['kind'] },
    list: 'embeds' | 'forms' = 'embeds',
  ): void {
    this.#add(list, {
      tag: element.tagName,
      kind,
      src: this.#written(src) ?? '',
      url: this.#resolve(src)?.href ?? null,
      line: this.#tree.lineOf(element),
    });
  }

  /** HTML §4.2.3: the first `<base href>` counts. */
  #setBase(element: HtmlElement): void {
    const href = attribute(element, 'href');
    if (href === null || this.#baseHref !== null) return;
    this.#baseHref = cut(href);
    const base = this.#resolve(href);
    if (base) this.#targets.setBase(base.href);
  }

  #resolve(href: string | null): LinkTarget | null {
    return href === null ? null : this.#targets.of(href);
  }

  #written(value: string | null): string | null {
    return value === null ? null : cut(/[?@]/.test(value) ? this.#redact(value) : value);
  }
}
