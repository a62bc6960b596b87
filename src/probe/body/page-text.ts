/**
 * The visible text of a page as blocks in document order: paragraphs, headings, list items and cells. The side's own
 * hosts and values with a volatile form are replaced first, so that two blocks differ only if a reader would notice.
 * Redacted and bounded; `cut` means that there was more.
 */
import { BODY_FACT_LIMITS, type TextFacts } from '../body-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import { normalizeText } from './normalize-text.js';

const { textBlocks, textBlockChars, textTotalChars } = BODY_FACT_LIMITS;
/** More is read than kept, because redaction and normalization shorten the text. */
const READ_CHARS = 2 * textTotalChars;

/** Inline elements; every other element ends a block. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

export class PageText {
  readonly #blocks: string[] = [];
  #open = '';
  #chars = 0;

  add(text: string): void {
    if (this.#chars < READ_CHARS && this.#open.length < 4 * textBlockChars) this.#open += text;
  }

  tag(name: string): void {
    if (!INLINE.has(name)) this.#close();
  }

  facts(reading: TextReading): TextFacts {
    this.#close();
    return textFacts(this.#blocks, reading);
  }

  #close(): void {
    const block = this.#open.replace(/\s+/g, ' ').trim();
    this.#open = '';
    if (block === '' || this.#chars >= READ_CHARS) return;
    this.#chars += block.length;
    this.#blocks.push(block);
  }
}

export interface TextReading {
  readonly hosts: readonly string[];
  readonly redactor: ProbeRedactor;
}

/** The facts of a text that is not a page: its lines. */
export function lineFacts(text: string, reading: TextReading): TextFacts {
  const lines = text
    .slice(0, READ_CHARS)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  const facts = textFacts(lines, reading);
  return text.length > READ_CHARS ? { ...facts, cut: true } : facts;
}

function textFacts(lines: readonly string[], { hosts, redactor }: TextReading): TextFacts {
  const safe = redactor.text(normalizeText(lines.slice(0, 2 * textBlocks).join('\n'), hosts)).split('\n');
  const blocks: string[] = [];
  let left: number = textTotalChars;
  let cut = lines.length > 2 * textBlocks;
  for (const line of safe) {
    const block = line.length > textBlockChars ? `${line.slice(0, textBlockChars - 1)}…` : line;
    if (blocks.length >= textBlocks || block.length > left) {
      cut = true;
      break;
    }
    left -= block.length;
    blocks.push(block);
  }
  return { blocks, cut };
}
