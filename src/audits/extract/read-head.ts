/**
 * Detects a head that ended too early. A parser closes the head at the first element that is not allowed there; what
 * follows (canonical, robots, title) is then in the body, where it does not count.
 */
import type { HeadFacts } from '../facts/page-facts.js';
import type { DocumentNotes } from './document-notes.js';
import { attribute, type HtmlElement, type HtmlTree, isElement, tokens } from './html-tree.js';

/** Relations that count only in the head; a stylesheet or a preload is allowed in the body (HTML, "body-ok"). */
const HEAD_RELATIONS = new Set(['canonical', 'alternate', 'icon', 'next', 'prev', 'amphtml', 'manifest']);

export function readHead({ root, tree, notes }: HeadSource): HeadFacts {
  const misplaced = notes.misplaced.map((element) => notes.elementFacts(element));
  const body = child(root, 'body');
  // With `</head>` or `<body>` in the source, the author ended the head.
  const isIntended = tree.headEnded || (body !== undefined && tree.isWritten(body));
  const first = body?.childNodes.find((node) => isElement(node));
  if (isIntended || misplaced.length === 0 || !first || !isElement(first))
    return { closedBy: null, misplaced };
  return { closedBy: notes.elementFacts(first), misplaced };
}

interface HeadSource {
  readonly root: HtmlElement | undefined;
  readonly tree: HtmlTree;
  readonly notes: DocumentNotes;
}

function child(root: HtmlElement | undefined, tag: string): HtmlElement | undefined {
  return root?.childNodes.find((node): node is HtmlElement => isElement(node) && node.tagName === tag);
}

/** Whether the element belongs in the head: title, base, most metas, and links that describe the document. */
export function belongsInHead(element: HtmlElement): boolean {
  switch (element.tagName) {
    case 'title':
    case 'base':
      return true;
    case 'meta':
      // Microdata may use `<meta itemprop>` anywhere.
      return attribute(element, 'itemprop') === null;
    case 'link':
      return (
        attribute(element, 'itemprop') === null &&
        tokens(element, 'rel').some((rel) => HEAD_RELATIONS.has(rel))
      );
    default:
      return false;
  }
}
