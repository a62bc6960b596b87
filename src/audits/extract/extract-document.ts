/**
 * Extracts the facts of one HTML document in one parse and one walk. Pure: bytes in, JSON out, the same on every
 * engine; runs in a worker thread on Node. The walk has its own stack, so that depth uses no call stack.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DocumentFacts } from '../facts/page-facts.js';
import { decodeHtml } from './decode-html.js';
import { DOCUMENT_LIMITS } from './document-limits.js';
import { DocumentNotes } from './document-notes.js';
import { attribute, type HtmlElement, type HtmlNode, HtmlTree, isElement, isText } from './html-tree.js';
import { markupFaults } from './markup/markup-faults.js';
import { readHead } from './read-head.js';
import { VisibleText } from './visible-text.js';

export interface DocumentSource {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string | null;
  /** `siteDomain` of the audited site, to recognize internal links. */
  readonly domain: string;
  /** The tenant, whose documents take turns with those of others. */
  readonly owner?: string;
}

/**
 * `redact` removes credentials from the URLs in a document; `hash` returns the SHA-256 of a text in hex, for runtimes
 * with a faster implementation.
 */
export function extractDocument(
  source: DocumentSource,
  redact: (text: string) => string,
  hash: (text: string) => string = portableSha256,
): DocumentFacts {
  const bytes = source.bytes.subarray(0, DOCUMENT_LIMITS.parsedBytes);
  const { text: html, charset } = decodeHtml(bytes, source.contentType);
  const tree = new HtmlTree(html);
  const root = tree.document.childNodes.find(
    (node): node is HtmlElement => isElement(node) && node.tagName === 'html',
  );
  const notes = new DocumentNotes({ tree, url: source.url, domain: source.domain, redact });
  const text = new VisibleText();
  if (root) walk(root, notes, text);
  const doctype = tree.document.childNodes.find((node) => node.nodeName === '#documentType');
  const lang = (root && attribute(root, 'lang')?.slice(0, DOCUMENT_LIMITS.text)) ?? null;
  return {
    parsedBytes: bytes.length,
    parseCut: bytes.length < source.bytes.length,
    doctype: doctype && 'name' in doctype ? doctype.name : null,
    charset,
    lang,
    langLine: root && lang !== null ? tree.lineOf(root) : null,
    head: readHead({ root, tree, notes }),
    ...notes.facts(),
    markup: (root ? markupFaults(root) : []).map(({ kind, element, observed }) => ({
      ...notes.elementFacts(element),
      ...{ kind, observed },
    })),
    elements: notes.elements,
    text: text.facts(notes.emptyAppRoot, hash),
  };
}

function portableSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

interface Frame {
  readonly element: HtmlElement;
  next: number;
}

/** Walks the tree in document order; every element is entered and left once. */
function walk(root: HtmlElement, notes: DocumentNotes, text: VisibleText): void {
  const stack: Frame[] = [{ element: root, next: 0 }];
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const child: HtmlNode | undefined = frame.element.childNodes[frame.next];
    if (child === undefined) {
      leave(frame.element, notes, text);
      stack.pop();
      continue;
    }
    frame.next += 1;
    if (isText(child)) text.add(child.value);
    else if (isElement(child)) {
      notes.enter(child);
      text.enter(child);
      stack.push({ element: child, next: 0 });
    }
  }
}

function leave(element: HtmlElement, notes: DocumentNotes, text: VisibleText): void {
  notes.leave(element);
  text.leave(element);
}
