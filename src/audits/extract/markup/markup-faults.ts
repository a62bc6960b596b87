/**
 * Finds faults for people who use assistive technology, as far as markup alone shows them. One walk over the parsed
 * tree lists its elements, so that every check knows the whole document. Elements hidden by markup are not judged, nor
 * is what only a browser knows: colours, sizes, focus, text hidden by styles.
 */
import { attribute, type HtmlElement, isElement } from '../html-tree.js';
import { isHiddenByMarkup } from './accessible-name.js';
import { checkAria } from './check-aria.js';
import { checkNames } from './check-names.js';
import { checkStructure } from './check-structure.js';
import { DocumentIndex } from './document-index.js';
import { isPlain, statedRole } from './element-role.js';
import type { MarkupFaultKind } from './markup-fault.js';

export interface FoundFault {
  readonly kind: MarkupFaultKind;
  readonly element: HtmlElement;
  readonly observed: string;
}

/** Faults of one kind kept per page. */
const FAULTS_PER_KIND = 500;
const SVG = 'http://www.w3.org/2000/svg';

export function markupFaults(root: HtmlElement): FoundFault[] {
  const { all, visible } = elementsOf(root);
  const finder = new FaultFinder(new DocumentIndex(all));
  for (const element of visible) finder.check(element);
  return finder.finish(root);
}

class FaultFinder {
  readonly #index: DocumentIndex;
  readonly #found: FoundFault[] = [];
  readonly #counts = new Map<MarkupFaultKind, number>();
  readonly #accesskeys = new Set<string>();
  readonly #mains: HtmlElement[] = [];

  constructor(index: DocumentIndex) {
    this.#index = index;
  }

  check(element: HtmlElement): void {
    const add = (kind: MarkupFaultKind, observed: string) => this.#add({ kind, element, observed });
    const isSvg = element.namespaceURI === SVG;
    checkNames(element, this.#index, add);
    if (!isSvg) checkStructure(element, this.#index, add);
    if (!isSvg && this.#index.duplicates.has(element)) add('duplicate-id', `id="${shownId(element)}"`);
    if (element.tagName === 'main' || statedRole(element) === 'main') this.#mains.push(element);
    if (isPlain(element)) return;
    checkAria(element, this.#index, add);
    if (element.tagName === 'body' && attribute(element, 'aria-hidden') === 'true')
      add('aria-hidden-body', 'aria-hidden="true" on <body>');
    const key = attribute(element, 'accesskey')?.trim().toLowerCase();
    if (!key) return;
    if (this.#accesskeys.has(key)) add('accesskey', `accesskey="${key.slice(0, 20)}" a second time`);
    this.#accesskeys.add(key);
  }

  finish(root: HtmlElement): FoundFault[] {
    const [first, second] = this.#mains;
    if (!first) this.#add({ kind: 'landmark', element: root, observed: 'no <main>' });
    if (second)
      this.#add({ kind: 'landmark', element: second, observed: `${this.#mains.length} <main> elements` });
    return this.#found;
  }

  #add(fault: FoundFault): void {
    const count = (this.#counts.get(fault.kind) ?? 0) + 1;
    this.#counts.set(fault.kind, count);
    if (count <= FAULTS_PER_KIND) this.#found.push(fault);
  }
}

/** In document order, without templates; `visible` excludes elements hidden by markup and everything inside them. */
function elementsOf(root: HtmlElement): { readonly all: HtmlElement[]; readonly visible: HtmlElement[] } {
  const [all, visible]: [HtmlElement[], HtmlElement[]] = [[], []];
  const stack: { readonly element: HtmlElement; readonly isHidden: boolean }[] = [
    { element: root, isHidden: false },
  ];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { element } = next;
    if (element.tagName === 'template' || element.tagName === 'noscript') continue;
    const isHidden =
      next.isHidden || (!isPlain(element) && element.tagName !== 'body' && isHiddenByMarkup(element));
    all.push(element);
    if (!isHidden) visible.push(element);
    for (let at = element.childNodes.length - 1; at >= 0; at -= 1) {
      const node = element.childNodes[at];
      if (node && isElement(node)) stack.push({ element: node, isHidden });
    }
  }
  return { all, visible };
}

function shownId(element: HtmlElement): string {
  return (attribute(element, 'id') ?? '').slice(0, 60);
}
