/**
 * One parse5 tree of a page and what reading it needs. The parser is asked for places in the source, and for
 * the tree a crawler without scripts sees: `<noscript>` is markup. A document nested deeper than `DEPTH_MAX`
 * is refused, because scope look-ups in the parser are linear in the depth and a hostile page could make
 * them quadratic.
 */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlDocument = DefaultTreeAdapterTypes.Document;

/** Browsers stop nesting at 512 by flattening; real pages stay far below. */
export const DEPTH_MAX = 1024;

export class DocumentTooDeep extends Error {
  override readonly name = 'DocumentTooDeep';
}

export function parseTree(html: string): HtmlDocument {
  let depth = 0;
  return parse(html, {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      // Places are kept of elements only, and their ends not at all but for the head's: the parser's own way
      // copies every place once more at its end tag, an eighth of all time.
      setNodeSourceCodeLocation(node, place) {
        if ('tagName' in node) node.sourceCodeLocation = place;
      },
      updateNodeSourceCodeLocation(node, end) {
        if (
          'tagName' in node &&
          node.tagName === 'head' &&
          node.sourceCodeLocation &&
          'endTag' in end &&
          end.endTag
        ) {
          node.sourceCodeLocation = { ...node.sourceCodeLocation, endTag: end.endTag };
        }
      },
      onItemPush() {
        depth += 1;
        if (depth > DEPTH_MAX) throw new DocumentTooDeep(`nested deeper than ${DEPTH_MAX} elements`);
      },
      onItemPop() {
        depth -= 1;
      },
    },
  });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function attribute(element: HtmlElement, name: string): string | null {
  for (const attr of element.attrs) if (attr.name === name) return attr.value;
  return null;
}

export function has(element: HtmlElement, name: string): boolean {
  return element.attrs.some((attr) => attr.name === name);
}

/** Lower-case tokens of a blank-separated attribute. */
export function tokens(element: HtmlElement, name: string): string[] {
  return (attribute(element, name) ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => token !== '');
}

/** 0 for an element that the parser put in by itself. */
export function lineOf(element: HtmlElement): number {
  return element.sourceCodeLocation?.startLine ?? 0;
}

export function textOf(element: HtmlElement): string {
  let text = '';
  const stack: HtmlNode[] = [...element.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('value' in node) text += node.value;
    else if (isElement(node))
      for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at] as HtmlNode);
  }
  return text;
}
