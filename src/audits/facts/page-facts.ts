/**
 * The facts of one page, extracted once, as JSON; every page rule is a pure function of them.
 *
 * One crawled URL is one page. A URL that redirects is a page without a document; if the redirect ends within the site,
 * the final URL is a page of its own with the document. Lines count from 1. Every list is bounded (`DOCUMENT_LIMITS`);
 * `cut` names the lists that were longer.
 */
import type { MarkupFaultKind } from '../extract/markup/markup-fault.js';
import type { FetchFacts } from './fetch-facts.js';

export interface PageFacts {
  /** The spelling of the crawl: no fragment, no default port, host in lower case; the trailing slash stays. */
  readonly url: string;
  /** Clicks from the home page along links; null if no crawled link leads here. */
  readonly depth: number | null;
  readonly foundBy: 'start' | 'link' | 'redirect' | 'sitemap';
  /** The page that linked to it first, or the URL of the sitemap; null for the start. */
  readonly foundOn: string | null;
  /** The robots.txt verdict for our own agent; a disallowed URL is not fetched. */
  readonly robots: RobotsDecision;
  /** Null if robots.txt disallowed the fetch. */
  readonly fetch: FetchFacts | null;
  /** Null unless this URL itself responded with HTML (with any status), without a redirect. */
  readonly document: DocumentFacts | null;
  /** Why an HTML response has no document: nested too deep, or not parsed in time. */
  readonly documentFault: 'too-deep' | 'too-slow' | null;
  /** Results of repeated requests, on a sample of the pages only; null on the others. */
  readonly samples: PageSamples | null;
}

export interface RobotsDecision {
  readonly allowed: boolean;
  /** Line of the deciding rule in robots.txt; null if no rule matched. */
  readonly line: number | null;
  /** The deciding line as written, for example `Disallow: /private`. */
  readonly rule: string | null;
}

export interface PageSamples {
  /** Times to first byte of all requests for this page, including the first one. */
  readonly ttfbMs: readonly number[];
  /** Status of a conditional request with the validators of the page; null if it has none. */
  readonly revalidationStatus: number | null;
}

export interface DocumentFacts {
  /** Bytes that were parsed; at most 2 MB (2,097,152). */
  readonly parsedBytes: number;
  /** The document was longer than what was parsed. */
  readonly parseCut: boolean;
  readonly doctype: string | null;
  /** Encoding used to decode the bytes, and where it was declared. */
  readonly charset: { readonly name: string; readonly from: 'header' | 'bom' | 'meta' | 'default' };
  readonly lang: string | null;
  readonly langLine: number | null;
  readonly baseHref: string | null;
  readonly titles: readonly TextElement[];
  readonly metas: readonly MetaFacts[];
  /** All `<link>` elements. */
  readonly links: readonly LinkElementFacts[];
  readonly head: HeadFacts;
  readonly headings: readonly HeadingFacts[];
  /** `<a>` and `<area>`. */
  readonly anchors: readonly AnchorFacts[];
  /** Elements other than links that act as one: a click handler or `role=link` without an href. */
  readonly clickables: readonly ElementFacts[];
  /** `<img>` outside `<noscript>`. */
  readonly images: readonly ImageFacts[];
  /** `<script>` elements, including inline ones but not JSON-LD. */
  readonly scripts: readonly ScriptFacts[];
  /** Everything else that a browser loads: frames, media, objects, image inputs, srcset, posters, inline styles. */
  readonly embeds: readonly EmbedFacts[];
  /** `<form>` with an action, for mixed content. */
  readonly forms: readonly EmbedFacts[];
  readonly jsonLd: readonly JsonLdFacts[];
  /** Fragment targets: ids, and names of anchors. */
  readonly ids: readonly string[];
  /** Faults of single elements that markup alone shows, mostly about accessibility. */
  readonly markup: readonly MarkupFaultFacts[];
  /** Number of elements in the document. */
  readonly elements: number;
  readonly text: TextFacts;
  /** Names of the lists that exceeded their limit. */
  readonly cut: readonly string[];
}

export interface MarkupFaultFacts extends ElementFacts {
  readonly kind: MarkupFaultKind;
  readonly observed: string;
}

export interface ElementFacts {
  readonly tag: string;
  readonly line: number;
  /** The start tag as written, cut. */
  readonly html: string;
}

export interface TextElement {
  readonly text: string;
  readonly line: number;
  readonly inHead: boolean;
}

export interface MetaFacts {
  /** In lower case. */
  readonly name: string | null;
  readonly property: string | null;
  readonly httpEquiv: string | null;
  readonly charset: string | null;
  readonly content: string | null;
  readonly line: number;
  readonly inHead: boolean;
}

export interface LinkElementFacts {
  /** In lower case. */
  readonly rel: readonly string[];
  /** As written. */
  readonly href: string | null;
  /** Resolved against the base, with its fragment; null if it is not an http(s) URL. */
  readonly url: string | null;
  readonly hreflang: string | null;
  readonly media: string | null;
  readonly type: string | null;
  readonly as: string | null;
  readonly disabled: boolean;
  readonly line: number;
  readonly inHead: boolean;
}

export interface HeadFacts {
  /** The element that ended the head before `</head>` or `<body>`. */
  readonly closedBy: ElementFacts | null;
  /** Elements that belong in the head but come after its end. */
  readonly misplaced: readonly ElementFacts[];
}

export interface HeadingFacts {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
  readonly line: number;
}

export interface AnchorFacts {
  /** As written; null if the attribute is missing. */
  readonly href: string | null;
  /** Resolved, without its fragment; null if it is not an http(s) URL. */
  readonly url: string | null;
  /** Without `#`; null if there is none. */
  readonly fragment: string | null;
  /** Whether it has the registrable domain of the audited site; false if `url` is null. */
  readonly internal: boolean;
  /** An approximation of the accessible name: aria-label, else text, else alt texts inside, else title. */
  readonly text: string;
  /** In lower case. */
  readonly rel: readonly string[];
  /** Whether it has a click handler in the markup. */
  readonly onclick: boolean;
  /** Only a fragment target (`name` or `id` without href), not a link. */
  readonly targetOnly: boolean;
  readonly line: number;
}

export interface ImageFacts {
  /** As written; null if the attribute is missing. */
  readonly src: string | null;
  readonly url: string | null;
  /** Null if the attribute is missing; `alt=""` is the empty string. */
  readonly alt: string | null;
  /** `role=presentation|none`, `aria-hidden=true` or an ARIA label, so that no alt is needed. */
  readonly labelledOtherwise: boolean;
  readonly width: string | null;
  readonly height: string | null;
  /** Whether its style attribute sets width, height or aspect ratio. */
  readonly sizedByStyle: boolean;
  readonly loading: string | null;
  readonly fetchPriority: string | null;
  readonly line: number;
}

export interface ScriptFacts {
  /** As written; null for an inline script. */
  readonly src: string | null;
  readonly url: string | null;
  /** In lower case; empty for classic scripts without a type. */
  readonly type: string;
  readonly async: boolean;
  readonly defer: boolean;
  readonly inHead: boolean;
  readonly integrity: boolean;
  /** Bytes of an inline script. */
  readonly inlineBytes: number;
  readonly line: number;
}

export interface EmbedFacts {
  readonly tag: string;
  readonly kind: 'image' | 'font' | 'style' | 'embed';
  /** As written. */
  readonly src: string;
  readonly url: string | null;
  readonly line: number;
}

export interface JsonLdFacts {
  readonly line: number;
  /** The parsed value; undefined if it does not parse or exceeds the limit. */
  readonly value?: unknown;
  /** Line in the document and column in the line, both counted from 1. */
  readonly error: { readonly message: string; readonly line: number; readonly column: number } | null;
  /** Longer than the limit, so neither parsed nor judged. */
  readonly cut: boolean;
}

export interface TextFacts {
  /** Words of the visible text of the whole body; a CJK letter counts as half a word. */
  readonly words: number;
  /** Words of `<main>` (or `role=main`, or else of the body without nav, header, footer and aside). */
  readonly mainWords: number;
  /** Characters of the visible text. */
  readonly chars: number;
  /** Visible words inside `<noscript>`, which `words` leaves out. */
  readonly noscriptWords: number;
  /** SHA-256 of the visible text with collapsed white space, in hex. */
  readonly sha256: string;
  /** 64-bit simhash over three-word shingles of the main text, 16 hex digits; distance by `simhashDistance`. */
  readonly simhash: string;
  /** For a main text that is too short for a simhash: what `overlap` compares instead. */
  readonly pairs: readonly number[] | null;
  /** An empty element that a script would fill (`id=root|app|__next|__nuxt|svelte|…`). */
  readonly emptyAppRoot: ElementFacts | null;
}
