/** The ARIA role of an element: the explicit one, else the implicit one of HTML (HTML-AAM). */
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

/** Elements without a role of their own, so only global attributes apply. */
const GENERIC = new Set(['div', 'span', 'p', 'b', 'i', 'u', 'em', 'strong', 'small', 'label', 'pre', 'code']);

/** `unknown`: the implicit role is not listed here, so the attributes of this element are not judged. */
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

/** Attributes that only checks of their own elements use. */
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

/**
 * Whether the element has neither role, ARIA, style nor anything else that affects assistive technology; most do not.
 */
export function isPlain(element: HtmlElement): boolean {
  for (const { name } of element.attrs) if (!PLAIN.has(name)) return false;
  return true;
}

/** Interactive roles, which cannot contain another control. */
const INTERACTIVE_ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'menuitem', 'tab']);

const INTERACTIVE_TAGS = new Set(['a', 'area', 'button', 'input', 'select', 'textarea']);

export function isInteractive(element: HtmlElement): boolean {
  if (!INTERACTIVE_TAGS.has(element.tagName) && !has(element, 'role')) return false;
  if (element.tagName === 'input') return inputType(element) !== 'hidden';
  if (element.tagName === 'select' || element.tagName === 'textarea') return true;
  const { role } = roleOf(element);
  return role !== undefined && INTERACTIVE_ROLES.has(role);
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
