/** The ARIA role of an element: the explicit one, else the implicit one of HTML (HTML-AAM). */
import { attribute, type HtmlElement, has, tokens } from '../html-tree.js';
import { isRole } from './aria-data.js';

/** The same value for each of several words. */
export function rolesBy<T>(words: string, value: T): Record<string, T> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]));
}

const BY_TAG: Readonly<Record<string, string>> = {
  ...rolesBy('h1 h2 h3 h4 h5 h6', 'heading'),
  ...rolesBy('menu ol ul', 'list'),
  ...rolesBy('tbody tfoot thead', 'rowgroup'),
  ...rolesBy('fieldset optgroup', 'group'),
  article: 'article',
  aside: 'complementary',
  button: 'button',
  datalist: 'listbox',
  dialog: 'dialog',
  figure: 'figure',
  hr: 'separator',
  li: 'listitem',
  main: 'main',
  meter: 'meter',
  nav: 'navigation',
  option: 'option',
  output: 'status',
  progress: 'progressbar',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
};

const BY_INPUT: Readonly<Record<string, string>> = {
  ...rolesBy('button image reset submit', 'button'),
  ...rolesBy('email tel text url', 'textbox'),
  checkbox: 'checkbox',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  search: 'searchbox',
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
const PLAIN = new Set('class id href src rel name type width height target title'.split(' '));

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
