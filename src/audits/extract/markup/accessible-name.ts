/**
 * Tells whether an element has an accessible name, as far as markup alone shows (accname 1.2, without styles and
 * scripts). The name itself is not needed, so the search ends at the first text.
 */
import { attribute, type HtmlElement, type HtmlNode, isElement, isText } from '../html-tree.js';
import type { DocumentIndex } from './document-index.js';
import { inputType } from './element-role.js';

/** Controls have a few nodes; a larger one is assumed to have a name. */
const NODES_MAX = 500;
const IDS_CHARS_MAX = 1_000;

/** A name given directly: by ARIA or a title. */
export function hasStatedName(element: HtmlElement, index: DocumentIndex): boolean {
  return isFilled(element, 'aria-label') || hasLabelledBy(element, index) || isFilled(element, 'title');
}

/** A name given directly or by content: text, images with an alternative, nested labels. */
export function hasContentName(element: HtmlElement, index: DocumentIndex): boolean {
  return hasStatedName(element, index) || hasContent(element, index);
}

/** A name of a form field: by a label, ARIA, title or placeholder. */
export function hasFieldName(element: HtmlElement, index: DocumentIndex): boolean {
  if (hasStatedName(element, index) || isFilled(element, 'placeholder')) return true;
  const id = attribute(element, 'id');
  const { label } = index.around(element);
  const aroundLabel = label ? [label] : [];
  const labels = [...(id === null ? [] : (index.labelsFor.get(id) ?? [])), ...aroundLabel];
  return labels.some((label) => hasContent(label, index) || isFilled(label, 'aria-label'));
}

export function hasContent(element: HtmlElement, index: DocumentIndex): boolean {
  const known = index.content.get(element) ?? searchContent(element, index);
  index.content.set(element, known);
  return known;
}

function searchContent(element: HtmlElement, index: DocumentIndex): boolean {
  // Preliminary: a label that contains its own field does not count as its own content.
  index.content.set(element, false);
  const stack: HtmlNode[] = [...element.childNodes].reverse();
  for (let seen = 0; seen < NODES_MAX; seen += 1) {
    const node = stack.pop();
    if (!node) return false;
    if (isText(node) && node.value.trim() !== '') return true;
    if (!isElement(node) || isHiddenByMarkup(node)) continue;
    if (isNamedInside(node, index)) return true;
    for (let at = node.childNodes.length - 1; at >= 0; at -= 1) stack.push(node.childNodes[at] as HtmlNode);
  }
  return true;
}

export function isFilled(element: HtmlElement, name: string): boolean {
  return (attribute(element, name)?.trim() ?? '') !== '';
}

/** Elements that are hidden from everyone, as far as markup shows. */
export function isHiddenByMarkup(element: HtmlElement): boolean {
  if (element.attrs.length === 0) return false;
  return (
    attribute(element, 'hidden') !== null ||
    attribute(element, 'inert') !== null ||
    attribute(element, 'aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test((attribute(element, 'style') ?? '').slice(0, 1000))
  );
}

function isNamedInside(element: HtmlElement, index: DocumentIndex): boolean {
  if (element.attrs.length === 0) return false;
  const isImageInput = element.tagName === 'input' && inputType(element) === 'image';
  const isGraphic = element.tagName === 'img' || element.tagName === 'area' || isImageInput;
  return (isGraphic && isFilled(element, 'alt')) || hasStatedName(element, index);
}

function hasLabelledBy(element: HtmlElement, index: DocumentIndex): boolean {
  const ids = attribute(element, 'aria-labelledby');
  if (ids === null) return false;
  return ids
    .slice(0, IDS_CHARS_MAX)
    .split(/\s/)
    .some((id) => {
      const label = index.byId.get(id);
      return (
        label !== undefined &&
        (hasContent(label, index) || isFilled(label, 'aria-label') || isFilled(label, 'alt'))
      );
    });
}
