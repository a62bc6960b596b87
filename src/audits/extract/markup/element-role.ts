/** The ARIA role of an element: the one that it states, else the one that HTML gives it (HTML-AAM). */
import { attribute, type HtmlElement, has, tokens } from '../html-tree.js';
import { isRole } from './aria-data.js';

const BY_TAG: Readonly<Record<string, string>> = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  datalist: 'listbox',
  dialog: 'dialog',
  fieldset: 'group',
  figure: 'figure',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  hr: 'separator',
  li: 'listitem',
  main: 'main',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  progress: 'progressbar',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  tfoot: 'rowgroup',
  th: 'columnheader',
  thead: 'rowgroup',
  tr: 'row',
  ul: 'list',
};

const BY_INPUT: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  email: 'textbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  tel: 'textbox',
  text: 'textbox',
  url: 'textbox',
};

/** Elements that have no role of their own, so that only global attributes apply. */
const GENERIC = new Set(['div', 'span', 'p', 'b', 'i', 'u', 'em', 'strong', 'small', 'label', 'pre', 'code']);

/** `unknown`: HTML gives this element a role, or none, that is not needed here; its attributes are not judged. */
export function roleOf(element: HtmlElement): {
  readonly role: string | undefined;
  readonly unknown: boolean;
} {
  const stated = statedRole(element);
  if (stated !== undefined) return { role: stated, unknown: false };
  const role = implicitRole(element);
  return { role, unknown: role === undefined && !GENERIC.has(element.tagName) };
}

/** The first token that is a role; the others are fallbacks. */
export function statedRole(element: HtmlElement): string | undefined {
  return has(element, 'role') ? tokens(element, 'role').find(isRole) : undefined;
}

export function inputType(element: HtmlElement): string {
  return (attribute(element, 'type') ?? 'text').trim().toLowerCase();
}

/** Attributes that no check but those of their own elements asks about. */
const PLAIN = new Set([
  'class',
  'id',
  'href',
  'src',
  'rel',
  'name',
  'type',
  'width',
  'height',
  'target',
  'title',
]);

/** Most elements are: neither role, ARIA, style nor anything else that changes how they are perceived. */
export function isPlain(element: HtmlElement): boolean {
  for (const { name } of element.attrs) if (!PLAIN.has(name)) return false;
  return true;
}

/** Roles that act when they are used, and so cannot hold another control. */
const ACTING = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'menuitem', 'tab']);

const ACTING_TAGS = new Set(['a', 'area', 'button', 'input', 'select', 'textarea']);

export function isActing(element: HtmlElement): boolean {
  if (!ACTING_TAGS.has(element.tagName) && !has(element, 'role')) return false;
  if (element.tagName === 'input') return inputType(element) !== 'hidden';
  if (element.tagName === 'select' || element.tagName === 'textarea') return true;
  const { role } = roleOf(element);
  return role !== undefined && ACTING.has(role);
}

function implicitRole(element: HtmlElement): string | undefined {
  switch (element.tagName) {
    case 'a':
    case 'area':
      return has(element, 'href') ? 'link' : undefined;
    case 'input': {
      const role = BY_INPUT[inputType(element)];
      return role === 'textbox' && has(element, 'list') ? 'combobox' : role;
    }
    case 'select':
      return has(element, 'multiple') ? 'listbox' : 'combobox';
    default:
      return BY_TAG[element.tagName];
  }
}
