/** The ARIA role of an element: the explicit one, else the implicit one of HTML (HTML-AAM). */
import { attribute, type HtmlElement, has, tokens } from '../html-tree.js';
import { isRole, ROLES_OF_INPUTS, ROLES_OF_TAGS } from './aria-data.js';

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
      const role = ROLES_OF_INPUTS[inputType(element)];
      return role === 'textbox' && has(element, 'list') ? 'combobox' : role;
    }
    case 'select':
      return has(element, 'multiple') ? 'listbox' : 'combobox';
    default:
      return ROLES_OF_TAGS[element.tagName];
  }
}
