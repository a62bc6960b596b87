/** Collects the facts of one page while its tokens are read. Enforces every limit and redacts every text. */
import type { Mutable } from '../../mutable.js';
import { tryUrl } from '../../try-url.js';
import {
  BODY_FACT_LIMITS,
  type HtmlAsset,
  type HtmlFacts,
  type HtmlForm,
  type HtmlMeta,
} from '../body-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import type { Attributes } from './html-assets.js';

const L = BODY_FACT_LIMITS;
/** A policy in a meta element is longer than other texts, and rules parse it. */
const CONTENT_CHARS = 1000;
const INTEGRITY_CHARS = 400;

type Draft = Partial<
  Mutable<
    Pick<
      HtmlFacts,
      'title' | 'lang' | 'charset' | 'canonical' | 'base' | 'description' | 'viewport' | 'generator'
    >
  >
>;

export class PageNotes {
  elements = 0;
  textChars = 0;
  inlineScripts = 0;
  inlineStyles = 0;
  readonly #url: string;
  readonly #redactor: ProbeRedactor;
  readonly #draft: Draft = {};
  readonly #robots: string[] = [];
  readonly #metas: HtmlMeta[] = [];
  readonly #httpEquiv: HtmlMeta[] = [];
  readonly #alternates: { hreflang: string; href: string }[] = [];
  readonly #headings: { level: number; text: string }[] = [];
  readonly #landmarks = new Map<string, number>();
  readonly #forms: (HtmlForm & { fields: string[]; hasPassword: boolean })[] = [];
  readonly #assets: HtmlAsset[] = [];
  readonly #links = new Set<string>();
  readonly #structuredData: string[] = [];
  #inForm = false;
  #baseHref: string;
  #truncated = false;

  constructor({ url, redactor }: { readonly url: string; readonly redactor: ProbeRedactor }) {
    this.#url = url;
    this.#baseHref = url;
    this.#redactor = redactor;
  }

  get hasTitle(): boolean {
    return this.#draft.title !== undefined;
  }

  setTitle(text: string): void {
    this.#draft.title ??= this.#text(text);
  }

  setLang(lang: string | undefined): void {
    if (lang) this.#draft.lang ??= this.#text(lang);
  }

  setBase(href: string | undefined): void {
    if (!href || this.#draft.base !== undefined) return;
    const url = tryUrl(href, this.#url);
    if (!url) return;
    this.#baseHref = url.href;
    this.#draft.base = this.#shownUrl(this.#baseHref);
  }

  addMeta(attributes: Attributes): void {
    const charset = attributes.get('charset');
    if (charset) this.#draft.charset ??= this.#text(charset).toLowerCase();
    const content = attributes.get('content');
    if (content === undefined) return;
    const equiv = attributes.get('http-equiv')?.trim().toLowerCase();
    if (equiv) {
      this.#push(
        this.#httpEquiv,
        { name: this.#text(equiv), content: this.#text(content, CONTENT_CHARS) },
        L.metas,
      );
      const declared = equiv === 'content-type' ? /charset=([^\s;]+)/i.exec(content)?.[1] : undefined;
      if (declared) this.#draft.charset ??= this.#text(declared).toLowerCase();
      return;
    }
    const name = (attributes.get('name') ?? attributes.get('property') ?? '').trim().toLowerCase();
    if (name !== '') this.#addNamed(name, content);
  }

  #addNamed(name: string, content: string): void {
    if (name === 'robots' || name === 'googlebot') this.#push(this.#robots, this.#text(content), L.metas);
    else if (name === 'description') this.#draft.description ??= this.#text(content);
    else if (name === 'viewport') this.#draft.viewport ??= this.#text(content);
    else if (name === 'generator') this.#draft.generator ??= this.#text(content);
    else {
      // The name tells whether the content is a credential, as with a member of an object.
      const shown = this.#redactor.value({ [name]: content });
      const value = Object.values(shown as object)[0];
      this.#push(this.#metas, { name: this.#text(name), content: this.#text(String(value)) }, L.metas);
    }
  }

  addLinkElement(attributes: Attributes): void {
    const href = attributes.get('href');
    if (!href) return;
    const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (rels.includes('canonical')) this.#draft.canonical ??= this.#resolved(href);
    const hreflang = attributes.get('hreflang');
    if (rels.includes('alternate') && hreflang) {
      this.#push(this.#alternates, { hreflang: this.#text(hreflang), href: this.#resolved(href) }, L.metas);
    }
  }

  /** Query values are dropped: they are often specific to one visitor and rarely change where a link leads. */
  addLink(href: string | undefined): void {
    const text = href?.trim();
    if (!text || text.startsWith('#')) return;
    const url = tryUrl(text, this.#baseHref);
    if (!url) return;
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return;
    const names = [...new Set(url.searchParams.keys())].join('&');
    const link = this.#shownUrl(`${url.origin}${url.pathname}${names === '' ? '' : `?${names}`}`);
    if (this.#links.size < L.links) this.#links.add(link);
    else this.#truncated ||= !this.#links.has(link);
  }

  addHeading(level: number, text: string): void {
    this.#push(this.#headings, { level, text: this.#text(text) }, L.headings);
  }

  addLandmark(name: string): void {
    this.#landmarks.set(name, (this.#landmarks.get(name) ?? 0) + 1);
  }

  startForm(attributes: Attributes): void {
    const action = attributes.get('action')?.trim();
    this.addLandmark('form');
    this.#inForm = this.#push(
      this.#forms,
      {
        method: this.#text(attributes.get('method') ?? 'get').toLowerCase(),
        ...(action && { action: this.#resolved(action) }),
        fields: [],
        hasPassword: false,
      },
      L.forms,
    );
  }

  endForm(): void {
    this.#inForm = false;
  }

  addField(tag: string, attributes: Attributes): void {
    const form = this.#inForm ? this.#forms.at(-1) : undefined;
    const name = attributes.get('name');
    const type = tag === 'input' ? (attributes.get('type') ?? 'text').toLowerCase() : tag;
    if (!form) return;
    if (type === 'password') form.hasPassword = true;
    if (name) this.#push(form.fields, `${this.#text(type)}:${this.#text(name)}`, L.fields);
  }

  addAsset(asset: HtmlAsset): void {
    const { integrity } = asset;
    this.#push(
      this.#assets,
      {
        ...asset,
        url: this.#resolved(asset.url),
        ...(integrity !== undefined && { integrity: integrity.slice(0, INTEGRITY_CHARS) }),
      },
      L.assets,
    );
  }

  addStructuredData(text: string): void {
    for (const [, type = ''] of text.matchAll(/"@type"\s*:\s*"([^"]{1,80})"/g)) {
      this.#push(this.#structuredData, this.#text(type), L.metas);
    }
  }

  facts(): HtmlFacts {
    return {
      ...this.#draft,
      robots: this.#robots,
      metas: this.#metas,
      httpEquiv: this.#httpEquiv,
      alternates: this.#alternates,
      headings: this.#headings,
      landmarks: Object.fromEntries([...this.#landmarks].sort(([a], [b]) => (a < b ? -1 : 1))),
      forms: this.#forms,
      assets: this.#assets,
      links: [...this.#links],
      inlineScripts: this.inlineScripts,
      inlineStyles: this.inlineStyles,
      structuredData: this.#structuredData,
      elements: this.elements,
      textChars: this.textChars,
      truncated: this.#truncated,
    };
  }

  #push<T>(list: T[], item: T, max: number): boolean {
    if (list.length < max) list.push(item);
    else this.#truncated = true;
    return list.length <= max && list.at(-1) === item;
  }

  #text(text: string, max: number = L.textChars): string {
    return this.#redactor.short(text.replace(/\s+/g, ' ').trim(), max);
  }

  #resolved(href: string): string {
    const text = href.trim();
    return this.#shownUrl(tryUrl(text, this.#baseHref)?.href ?? text);
  }

  #shownUrl(url: string): string {
    return this.#redactor.short(url, L.urlChars);
  }
}
