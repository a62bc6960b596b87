/** Texts of elements: accessible names, and values cut to their limit. */
import { DOCUMENT_LIMITS } from './document-limits.js';
import { attribute, type HtmlElement, isElement, isText, textOf } from './html-tree.js';
import { foldBlanks } from './text-facts.js';

/** Characters read for a name; what is kept of it is shorter. */
const NAME_SOURCE_CHARS = 10_000;

/** An approximation of the accessible name. */
export function nameOf(element: HtmlElement): string {
  const label = attribute(element, 'aria-label')?.trim();
  if (label) return label;
  const text = foldBlanks(textOf(element, NAME_SOURCE_CHARS));
  if (text !== '') return text;
  const alts = descendants(element)
    .map((each) => attribute(each, 'alt') ?? (each.tagName === 'title' ? textOf(each) : ''))
    .filter((alt) => alt !== '');
  return (
    foldBlanks(alts.join(' ')) || (attribute(element, 'title') ?? attribute(element, 'alt') ?? '').trim()
  );
}

function descendants(element: HtmlElement): HtmlElement[] {
  const found: HtmlElement[] = [];
  const stack = [element];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const children = next.childNodes.filter((node) => isElement(node));
    found.push(...children);
    stack.push(...children);
  }
  return found;
}

export function isEmpty(element: HtmlElement): boolean {
  return element.childNodes.every((node) =>
    isElement(node)
      ? node.tagName === 'script' || node.tagName === 'noscript'
      : !isText(node) || node.value.trim() === '',
  );
}

export function lower(value: string | null): string | null {
  return value === null ? null : cut(value.trim().toLowerCase());
}

export function cutOrNull(value: string | null): string | null {
  return value === null ? null : cut(value);
}

export function cut(text: string): string {
  return text.length <= DOCUMENT_LIMITS.text ? text : `${text.slice(0, DOCUMENT_LIMITS.text - 1)}…`;
}
