/**
 * What is kept of a body: its size, its hash and redacted facts read from it, its visible text among them. Never the
 * body as it came. All lists are
 * bounded by `BODY_FACT_LIMITS` and say so when they were cut; all texts are redacted and short.
 */
export const BODY_FACT_LIMITS = {
  /** Decoded bytes that are read; the rest is not. */
  bodyBytes: 2_000_000,
  jsonEntries: 1000,
  /** Characters of all pointers and values together: an envelope has to fit where 1 MiB is all there is room for. */
  jsonChars: 120_000,
  /** Of one pointer and its value. */
  jsonEntryChars: 480,
  jsonDepth: 32,
  /** Elements of one array that are looked into; its `length` is always exact. */
  jsonItems: 20,
  valueChars: 80,
  textChars: 200,
  urlChars: 500,
  assets: 300,
  links: 300,
  origins: 100,
  headings: 100,
  forms: 30,
  fields: 50,
  metas: 60,
  markers: 30,
  /** Blocks of visible text, characters of one, and of all together. */
  textBlocks: 500,
  textBlockChars: 400,
  textTotalChars: 40_000,
} as const;

export type BodyKind = 'json' | 'html' | 'text' | 'binary' | 'empty';

export interface BodyFacts {
  /** Decoded bytes that were read. */
  readonly bytes: number;
  /** Over the decoded bytes; absent if the body was cut or broke. */
  readonly sha256?: string;
  /**
   * Over the text with the side's own origin and host, and what is volatile by its form (uuids, long hex and
   * base64 runs, timestamps, nonces), replaced; absent for binary bodies and like `sha256`.
   */
  readonly normalizedSha256?: string;
  /** Characters of that text. */
  readonly normalizedChars?: number;
  readonly truncated: boolean;
  /** Bytes of this response on the socket, where the runner can count them. */
  readonly wireBytes?: number;
  readonly kind: BodyKind;
  /** The head came but the body broke off, ran out of time or could not be decoded. */
  readonly error?: { readonly code: string; readonly message: string };
  /** kind `json`; absent if it does not parse. */
  readonly json?: JsonFacts;
  /** kind `html`. */
  readonly html?: HtmlFacts;
  /** kinds `html` and `text`. */
  readonly text?: TextFacts;
  /** Absolute http(s) and ws(s) origins written in the text, whatever its kind, each with its count; sorted. */
  readonly origins?: readonly OriginMention[];
  readonly markers?: readonly BodyMarker[];
}

/** Visible text, normalised like `normalizedSha256` and redacted. */
export interface TextFacts {
  /** Paragraphs, headings, list items and cells of a page, or lines of a text; in document order. */
  readonly blocks: readonly string[];
  /** There was more than the bounds allow. */
  readonly cut: boolean;
}

export interface OriginMention {
  readonly origin: string;
  readonly count: number;
}

/** Something that an expert would stop at, told by a fixed list of patterns; never the text itself. */
export interface BodyMarker {
  readonly type:
    | 'challenge'
    | 'login'
    | 'stack-trace'
    | 'debug-page'
    | 'framework-error'
    | 'directory-listing'
    | 'source-map'
    | 'not-found-text'
    | 'maintenance'
    | 'default-page';
  /** Which pattern: `cloudflare`, `python`, `nginx`, … */
  readonly name: string;
}

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

export interface JsonFacts {
  /** In document order, depth first, the root (pointer "") included. */
  readonly entries: readonly JsonEntry[];
  /** Entries, depth or a long array were cut. */
  readonly truncated: boolean;
}

export interface JsonEntry {
  /** RFC 6901. */
  readonly pointer: string;
  readonly type: JsonType;
  /** Scalars only: as JSON text, redacted, at most `valueChars`; a longer string is cut and ends in `…`. */
  readonly value?: string;
  /** Arrays: elements; objects: keys; strings: characters. */
  readonly length?: number;
}

export interface HtmlFacts {
  readonly title?: string;
  readonly lang?: string;
  readonly charset?: string;
  readonly canonical?: string;
  readonly base?: string;
  readonly description?: string;
  /** Content of every `<meta name=robots>` and `googlebot`, in order. */
  readonly robots: readonly string[];
  readonly viewport?: string;
  readonly generator?: string;
  /** Other named metas (`og:*`, `twitter:*`, `version`, …): name or property → content. */
  readonly metas: readonly HtmlMeta[];
  /** `<meta http-equiv>`: lower-case name and content. */
  readonly httpEquiv: readonly HtmlMeta[];
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[];
  readonly headings: readonly HtmlHeading[];
  /** How often each landmark occurs: `main`, `nav`, `header`, `footer`, `aside`, `search`, `form`. */
  readonly landmarks: Readonly<Record<string, number>>;
  readonly forms: readonly HtmlForm[];
  readonly assets: readonly HtmlAsset[];
  /** Targets of `<a href>`, resolved, without query values, each once, in document order. */
  readonly links: readonly string[];
  readonly inlineScripts: number;
  readonly inlineStyles: number;
  /** Types of JSON-LD blocks. */
  readonly structuredData: readonly string[];
  readonly elements: number;
  readonly textChars: number;
  readonly truncated: boolean;
}

export interface HtmlMeta {
  readonly name: string;
  readonly content: string;
}

export interface HtmlHeading {
  readonly level: number;
  readonly text: string;
}

export interface HtmlForm {
  readonly method: string;
  /** Resolved; absent where the form posts to its own page. */
  readonly action?: string;
  /** `type:name` of each field, in order. */
  readonly fields: readonly string[];
  readonly hasPassword: boolean;
}

export interface HtmlAsset {
  readonly kind: 'script' | 'style' | 'image' | 'frame' | 'media' | 'font' | 'object' | 'other';
  /** Resolved against the page's base. */
  readonly url: string;
  /** The integrity attribute, as it came. */
  readonly integrity?: string;
  readonly crossorigin?: string;
}
