/** Limits on what is kept of one document; a list that was longer is named in `DocumentFacts.cut`. */
export const DOCUMENT_LIMITS = {
  /** Search engines read 2 MB of a page. */
  parsedBytes: 2_097_152,
  titles: 20,
  metas: 200,
  links: 500,
  headings: 500,
  anchors: 10_000,
  /** Beyond this many anchors, repeated URLs are skipped. */
  repeatedAnchors: 2_000,
  clickables: 100,
  images: 1_000,
  scripts: 500,
  embeds: 500,
  forms: 100,
  jsonLd: 50,
  ids: 10_000,
  misplaced: 50,
  /** Characters of one text, attribute or piece of markup. */
  text: 300,
  /** Characters of one URL; a longer one is treated as missing. */
  url: 2_048,
  /** Characters of one JSON-LD block. */
  jsonLdChars: 100_000,
} as const;
