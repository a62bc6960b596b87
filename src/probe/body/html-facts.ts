/**
 * Extracts the facts of a page from its tokens in one pass, without building a tree. The tokenizer follows the HTML
 * standard (parse5). It needs the tree only to know which elements contain raw text, so that is a table here. Texts
 * are redacted and shortened, URLs are resolved, lists are bounded, and truncation is marked.
 */
import { html, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';
import { BODY_FACT_LIMITS, type HtmlFacts, type TextFacts } from '../body-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import { type Attributes, assetsOf, attributesOf, styleAssets } from './html-assets.js';
import { PageNotes } from './page-notes.js';
import { PageText } from './page-text.js';

const { TAG_NAMES } = html;

const RAW_MODES: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  [TAG_NAMES.TITLE]: TokenizerMode.RCDATA,
  [TAG_NAMES.TEXTAREA]: TokenizerMode.RCDATA,
  [TAG_NAMES.STYLE]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.XMP]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.IFRAME]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.NOEMBED]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.NOFRAMES]: TokenizerMode.RAWTEXT,
  [TAG_NAMES.SCRIPT]: TokenizerMode.SCRIPT_DATA,
  [TAG_NAMES.PLAINTEXT]: TokenizerMode.PLAINTEXT,
};

const LANDMARKS = new Set(['main', 'nav', 'header', 'footer', 'aside', 'search']);
const ROLE_LANDMARKS: Readonly<Record<string, string>> = {
  main: 'main',
  navigation: 'nav',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  search: 'search',
};
const INVISIBLE = new Set(['script', 'style', 'noscript', 'template', 'title']);
const FIELDS = new Set(['input', 'select', 'textarea', 'button']);

export interface PageReading {
  readonly url: string;
  /** The side's own hosts. */
  readonly hosts: readonly string[];
  readonly redactor: ProbeRedactor;
}

export interface PageFacts {
  readonly html: HtmlFacts;
  readonly text: TextFacts;
}

/** Characters read in one step. */
const STEP_CHARS = 4_096;

/** Yields after each step. */
export function* readHtmlFacts(text: string, reading: PageReading): Generator<void, PageFacts> {
  const scan = new PageScan(reading);
  const tokenizer = new Tokenizer({}, scan);
  scan.tokenizer = tokenizer;
  for (let at = 0; at === 0 || at < text.length; at += STEP_CHARS) {
    tokenizer.write(text.slice(at, at + STEP_CHARS), at + STEP_CHARS >= text.length);
    yield;
  }
  return { html: scan.notes.facts(), text: scan.text.facts(reading) };
}

class PageScan implements TokenHandler {
  tokenizer: Tokenizer | undefined;
  readonly notes: PageNotes;
  readonly text = new PageText();
  /** The element whose text is being collected: a heading, the title, a style, a JSON-LD block. */
  #collecting: { readonly tag: string; readonly level?: number; text: string } | undefined;
  #invisibleDepth = 0;

  constructor(reading: PageReading) {
    this.notes = new PageNotes(reading);
  }

  onStartTag(token: Token.TagToken): void {
    const { tagName } = token;
    const mode = RAW_MODES[tagName];
    if (mode !== undefined && this.tokenizer) {
      this.tokenizer.state = mode;
      this.tokenizer.lastStartTagName = tagName;
    }
    const attributes = attributesOf(token.attrs);
    this.notes.elements += 1;
    if (INVISIBLE.has(tagName)) this.#invisibleDepth += 1;
    this.text.tag(tagName);
    this.#collect(tagName, attributes);
    this.#structure(tagName, attributes);
    for (const asset of assetsOf(tagName, attributes)) this.notes.addAsset(asset);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (INVISIBLE.has(tagName) && this.#invisibleDepth > 0) this.#invisibleDepth -= 1;
    this.text.tag(tagName);
    if (tagName === 'form') this.notes.endForm();
    const collected = this.#collecting;
    if (collected?.tag !== tagName) return;
    this.#collecting = undefined;
    if (tagName === 'title') this.notes.setTitle(collected.text);
    else if (collected.level !== undefined) this.notes.addHeading(collected.level, collected.text);
    else if (tagName === 'script') this.notes.addStructuredData(collected.text);
    else if (tagName === 'style') for (const asset of styleAssets(collected.text)) this.notes.addAsset(asset);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.#invisibleDepth === 0) {
      this.notes.textChars += chars.length;
      this.text.add(chars);
    }
    if (this.#collecting && this.#collecting.text.length < COLLECTED_CHARS) this.#collecting.text += chars;
  }

  onWhitespaceCharacter({ chars }: Token.CharacterToken): void {
    if (this.#invisibleDepth === 0) this.text.add(' ');
    if (this.#collecting && this.#collecting.text.length < COLLECTED_CHARS) this.#collecting.text += chars;
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  #collect(tag: string, attributes: Attributes): void {
    if (/^h[1-6]$/.test(tag)) this.#collecting = { tag, level: Number(tag[1]), text: '' };
    else if (tag === 'style' || (tag === 'title' && !this.notes.hasTitle))
      this.#collecting = { tag, text: '' };
    else if (tag === 'script' && attributes.get('type')?.toLowerCase() === 'application/ld+json') {
      this.#collecting = { tag, text: '' };
    }
  }

  #structure(tag: string, attributes: Attributes): void {
    const { notes } = this;
    if (tag === 'html') notes.setLang(attributes.get('lang'));
    else if (tag === 'base') notes.setBase(attributes.get('href'));
    else if (tag === 'meta') notes.addMeta(attributes);
    else if (tag === 'link') notes.addLinkElement(attributes);
    else if (tag === 'a') notes.addLink(attributes.get('href'));
    else if (tag === 'form') notes.startForm(attributes);
    else if (tag === 'style') notes.inlineStyles += 1;
    else if (tag === 'script' && isInlineCode(attributes)) notes.inlineScripts += 1;
    else if (FIELDS.has(tag)) notes.addField(tag, attributes);
    const role = ROLE_LANDMARKS[attributes.get('role')?.toLowerCase() ?? ''];
    if (role !== undefined) notes.addLandmark(role);
    else if (LANDMARKS.has(tag)) notes.addLandmark(tag);
  }
}

const COLLECTED_CHARS = BODY_FACT_LIMITS.textChars * 20;

function isInlineCode(attributes: Attributes): boolean {
  const type = attributes.get('type')?.toLowerCase() ?? '';
  return !attributes.has('src') && /^(?:|module|text\/javascript|application\/javascript)$/.test(type);
}
