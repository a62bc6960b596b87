/** Extracts a document, or returns the reason why it cannot. */
import type { ReadDocument } from '../crawl/audit-ports.js';
import { type DocumentSource, extractDocument } from './extract-document.js';
import { DocumentTooDeep } from './html-tree.js';

export function readDocument(
  source: DocumentSource,
  redact: (text: string) => string,
  hash?: (text: string) => string,
): ReadDocument {
  try {
    return { document: extractDocument(source, redact, hash), fault: null };
  } catch (thrown) {
    if (thrown instanceof DocumentTooDeep) return { document: null, fault: 'too-deep' };
    throw thrown;
  }
}
