/** Parses one JSON-LD block: its value, or the place of the error in the document. */

import { jsonFault } from '../../json-fault.js';
import type { JsonLdFacts } from '../facts/page-facts.js';
import { DOCUMENT_LIMITS } from './document-limits.js';

/** `line` is the line on which the text of the block begins. */
export function readJsonLd(text: string, line: number): JsonLdFacts {
  if (text.length > DOCUMENT_LIMITS.jsonLdChars) return { line, error: null, cut: true };
  const fault = jsonFault(text);
  if (!fault) return { line, value: JSON.parse(text) as unknown, error: null, cut: false };
  const before = text.slice(0, fault.at).split('\n');
  const error = {
    message: fault.message,
    line: line + before.length - 1,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
  return { line, error, cut: false };
}
