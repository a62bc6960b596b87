/**
 * The facts recorded about a body: its size, its hash and redacted facts extracted from it, including its visible
 * text. The raw body is never kept. All lists are bounded by `BODY_FACT_LIMITS` and marked if truncated; all texts are
 * redacted and short.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { count, fault, line, opt, short, texts } from './field-schemas.js';

export const BODY_FACT_LIMITS = {
  /** Decoded bytes to read; the rest is discarded. */
  bodyBytes: 2_000_000,
  jsonEntries: 1000,
  /** Characters of all pointers and values together: an envelope must fit into a row of 1 MiB. */
  jsonChars: 120_000,
  /** Characters of one pointer and its value. */
  jsonEntryChars: 480,
  jsonDepth: 32,
  /** Elements visited per array; its `length` is always exact. */
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
  /** Blocks of visible text, characters per block, and characters in total. */
  textBlocks: 500,
  textBlockChars: 400,
  textTotalChars: 40_000,
} as const;

const jsonEntry = z.object({
  pointer: line.describe('A JSON Pointer (RFC 6901).'),
  type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
  value: opt(line.describe('Scalars only: JSON text, redacted. A truncated string ends in `…`.')),
  length: opt(count.describe('Elements of an array, keys of an object or characters of a string.')),
});
const json = z.object({
  entries: z
    .array(jsonEntry)
    .max(BODY_FACT_LIMITS.jsonEntries)
    .describe('In document order, depth first, starting with the root (pointer "").'),
  truncated: z.boolean().describe('The entries, the depth or a long array were truncated.'),
});

const meta = z.object({ name: short, content: line });
const heading = z.object({ level: z.int().min(1).max(6), text: line });
const form = z.object({
  method: short,
  action: opt(line.describe('Resolved. Absent if the form posts to its own page.')),
  fields: texts.describe('`type:name` of each field, in order.'),
  hasPassword: z.boolean(),
});
const asset = z.object({
  kind: z.enum(['script', 'style', 'image', 'frame', 'media', 'font', 'object', 'other']),
  url: line.describe("Resolved against the page's base."),
  integrity: opt(line),
  crossorigin: opt(short),
});
const html = z.object({
  title: opt(line),
  lang: opt(short),
  charset: opt(short),
  canonical: opt(line),
  base: opt(line),
  description: opt(line),
  robots: texts.describe('Content of each `<meta name=robots>` and `googlebot`, in order.'),
  viewport: opt(line),
  generator: opt(line),
  metas: z.array(meta).max(1000).describe('Other named metas: name or property, and content.'),
  httpEquiv: z.array(meta).max(1000),
  alternates: z.array(z.object({ hreflang: short, href: line })).max(1000),
  headings: z.array(heading).max(1000),
  landmarks: z.record(short, count).describe('How often each landmark (`main`, `nav`, …) occurs.'),
  forms: z.array(form).max(1000),
  assets: z.array(asset).max(2000),
  links: texts.describe('Targets of `<a href>`: resolved, without query values, each once.'),
  inlineScripts: count,
  inlineStyles: count,
  structuredData: texts.describe('Types of JSON-LD blocks.'),
  elements: count,
  textChars: count,
  truncated: z.boolean(),
});

const text = z
  .object({
    blocks: texts.describe(
      'Paragraphs, headings, list items and cells, or lines of a text, in document order.',
    ),
    cut: z.boolean().describe('The list was truncated at the limit.'),
  })
  .describe('Visible text, normalized like `normalizedSha256` and redacted.');
const originMention = z.object({ origin: line, count });
const MARKER_TYPES = [
  'challenge',
  'login',
  'stack-trace',
  'debug-page',
  'framework-error',
  'directory-listing',
  'source-map',
  'not-found-text',
  'maintenance',
  'default-page',
] as const;
const marker = z
  .object({ type: z.enum(MARKER_TYPES), name: short.describe('Which pattern, such as `nginx`.') })
  .describe('A suspicious text, found by a fixed list of patterns. Never the text itself.');

export const body = z.object({
  bytes: count.describe('Decoded bytes that were read.'),
  sha256: opt(short.describe('Hash of the decoded bytes. Absent if the body was truncated or incomplete.')),
  normalizedSha256: opt(
    short.describe(
      "Hash of the text, with the side's own origin and volatile parts (UUIDs, times, nonces) replaced. " +
        'Absent for binary bodies.',
    ),
  ),
  normalizedChars: opt(count.describe('Characters of that text.')),
  truncated: z.boolean(),
  wireBytes: opt(count.describe('Bytes on the socket, if the runner can count them.')),
  kind: z.enum(['json', 'html', 'text', 'binary', 'empty']),
  error: opt(fault.describe('The body ended early, timed out or could not be decoded.')),
  json: opt(json.describe('With kind `json`. Absent if it does not parse.')),
  html: opt(html),
  text: opt(text.describe('Kinds `html` and `text`.')),
  origins: opt(
    z.array(originMention).max(1000).describe('Origins that occur in the text, with their counts; sorted.'),
  ),
  markers: opt(z.array(marker).max(1000)),
});

export type BodyFacts = DeepReadonly<z.infer<typeof body>>;
export type BodyKind = BodyFacts['kind'];
export type TextFacts = DeepReadonly<z.infer<typeof text>>;
export type OriginMention = DeepReadonly<z.infer<typeof originMention>>;
export type BodyMarker = DeepReadonly<z.infer<typeof marker>>;
export type JsonFacts = DeepReadonly<z.infer<typeof json>>;
export type JsonEntry = DeepReadonly<z.infer<typeof jsonEntry>>;
export type JsonType = JsonEntry['type'];
export type HtmlFacts = DeepReadonly<z.infer<typeof html>>;
export type HtmlMeta = DeepReadonly<z.infer<typeof meta>>;
export type HtmlForm = DeepReadonly<z.infer<typeof form>>;
export type HtmlAsset = DeepReadonly<z.infer<typeof asset>>;
