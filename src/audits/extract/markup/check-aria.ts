/** Checks ARIA: attributes and roles that do not exist, do not apply, have an invalid value or lack what they need. */
import { type HtmlElement, has, tokens } from '../html-tree.js';
import { hasContent } from './accessible-name.js';
import {
  isRole,
  NAMELESS_ROLES,
  REQUIRED_ATTRIBUTES,
  REQUIRED_PARENTS,
  supports,
  valuesOf,
} from './aria-data.js';
import type { DocumentIndex } from './document-index.js';
import { roleOf, statedRole } from './element-role.js';
import type { AddFault, MarkupFaultKind } from './markup-fault.js';

const SHOWN_CHARS = 60;

export function checkAria(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  const isConcerned = element.attrs.some(({ name }) => name === 'role' || name.startsWith('aria-'));
  if (!isConcerned) return;
  const aria = element.attrs.filter(({ name }) => name.startsWith('aria-'));
  const stated = tokens(element, 'role');
  if (stated.length > 0 && !stated.some(isRole))
    add('aria-role', `the role ${shorten(stated.join(' '))} does not exist`);
  if (stated.includes('directory')) add('aria-role', 'the role directory is deprecated; use list');
  for (const { name, value } of aria) {
    const fault = attributeFault(name, value, index) ?? roleFault(element, name, index);
    if (fault) add(fault.kind, fault.observed);
  }
  checkNeeds(element, index, add);
}

interface AriaFault {
  readonly kind: MarkupFaultKind;
  readonly observed: string;
}

/** A valid attribute on an element that does not support it. */
function roleFault(element: HtmlElement, name: string, index: DocumentIndex): AriaFault | undefined {
  const { role, unknown } = roleOf(element);
  const where = role === undefined ? `<${element.tagName}> without a role` : `the role ${role}`;
  if (!unknown && !supports(role, name))
    return { kind: 'aria-allowed', observed: `${name} does not apply to ${where}` };
  const isNaming = name === 'aria-label' || name === 'aria-labelledby';
  return isNaming && isNameless(element, role, index)
    ? { kind: 'aria-allowed', observed: `${name} has no effect on ${where}` }
    : undefined;
}

function attributeFault(name: string, value: string, index: DocumentIndex): AriaFault | undefined {
  const values = valuesOf(name);
  if (values === undefined) return { kind: 'aria-attribute', observed: `${shorten(name)} does not exist` };
  const text = value.trim();
  // An empty value means that the attribute is not set.
  if (text === '') return undefined;
  const wrong: AriaFault = { kind: 'aria-value', observed: `${name}="${shorten(value)}"` };
  if (typeof values !== 'string') return values.includes(text.toLowerCase()) ? undefined : wrong;
  switch (values) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? undefined : wrong;
    case 'number':
      return Number.isNaN(Number(text)) ? wrong : undefined;
    case 'ids':
      return name === 'aria-labelledby' && !text.split(/\s+/).some((id) => index.byId.has(id))
        ? { ...wrong, observed: `${name} names the missing id ${shorten(text)}` }
        : undefined;
    case 'id':
      return /\s/.test(text) ? wrong : undefined;
    default:
      return undefined;
  }
}

/** Only for an empty `<div>` or `<span>`: one with text is read by its text, so its label is useless but harmless. */
function isNameless(element: HtmlElement, role: string | undefined, index: DocumentIndex): boolean {
  if (role !== undefined) return NAMELESS_ROLES.has(role) && statedRole(element) !== undefined;
  const isBox = element.tagName === 'div' || element.tagName === 'span';
  return (
    isBox && !has(element, 'tabindex') && !has(element, 'contenteditable') && !hasContent(element, index)
  );
}

/** Checks attributes and parents that a role requires; native elements already have the attributes. */
function checkNeeds(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  const role = statedRole(element);
  if (role === undefined) return;
  const isNative =
    element.tagName === 'input' || element.tagName === 'select' || /^h[1-6]$/.test(element.tagName);
  const missing = (REQUIRED_ATTRIBUTES[role] ?? []).filter((name) => !has(element, name));
  if (missing.length > 0 && !isNative)
    add('aria-required', `the role ${role} needs ${missing.join(' and ')}`);
  const parents = REQUIRED_PARENTS[role];
  if (parents && !index.hasOwned && !parents.some((each) => index.around(element).roles.has(each)))
    add('aria-parent', `the role ${role} is outside ${parents.join(', ')}`);
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS - 1)}…`;
}
