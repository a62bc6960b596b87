/** Checks names: controls, links, graphics and frames without a name for assistive technology. */
import { attribute, type HtmlElement, has } from '../html-tree.js';
import { hasContentName, hasFieldName, hasStatedName, isFilled } from './accessible-name.js';
import { rolesBy } from './aria-data.js';
import type { DocumentIndex } from './document-index.js';
import { inputType, statedRole } from './element-role.js';
import type { AddFault, MarkupFaultKind } from './markup-fault.js';

/** Roles that need a name, the fault if they have none, and where the name may come from. */
const NAMED_ROLES: Readonly<
  Record<string, readonly [kind: MarkupFaultKind, by: 'label' | 'content' | 'title']>
> = {
  ...rolesBy('combobox listbox searchbox slider spinbutton textbox', ['label', 'label']),
  ...rolesBy('checkbox radio switch', ['label', 'content']),
  ...rolesBy('button menuitem tab', ['button-name', 'content']),
  ...rolesBy('link', ['link-name', 'content']),
  ...rolesBy('image img', ['graphic-name', 'title']),
  ...rolesBy('alertdialog dialog meter progressbar', ['widget-name', 'label']),
  ...rolesBy('tooltip treeitem', ['widget-name', 'content']),
};

/** The browser names these itself. */
const NAMED_INPUTS = new Set(['hidden', 'submit', 'reset']);

export function checkNames(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  const role = statedRole(element);
  if (role === 'presentation' || role === 'none') return;
  switch (element.tagName) {
    case 'input':
      return checkInput(element, index, add);
    case 'select':
    case 'textarea':
      if (!hasFieldName(element, index)) add('label', `<${element.tagName}> has no label`);
      return;
    case 'button':
    case 'summary':
      if (!hasContentName(element, index)) add('button-name', `<${element.tagName}> has no name`);
      return;
    case 'a':
      if (has(element, 'href') && role === undefined && !hasContentName(element, index))
        add('link-name', 'the link has neither text nor another name');
      break;
    case 'area':
      if (has(element, 'href') && !isFilled(element, 'alt') && !hasStatedName(element, index))
        add('graphic-name', '<area> has no alternative text');
      return;
    case 'object':
      if (has(element, 'data') && !hasContentName(element, index))
        add('graphic-name', '<object> has no alternative text');
      return;
    case 'iframe':
    case 'frame':
      return checkFrame(element, index, add);
    default:
  }
  if (role !== undefined) checkRole(element, { role, index }, add);
}

function checkInput(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  const type = inputType(element);
  if (NAMED_INPUTS.has(type)) return;
  if (type === 'image') {
    if (!isFilled(element, 'alt') && !hasStatedName(element, index))
      add('graphic-name', '<input type="image"> has no alternative text');
  } else if (type === 'button') {
    if (!isFilled(element, 'value') && !hasFieldName(element, index))
      add('button-name', '<input type="button"> has no value');
  } else if (!hasFieldName(element, index)) add('label', `<input type="${type.slice(0, 20)}"> has no label`);
}

/** A frame that can be neither reached nor perceived needs no title. */
function checkFrame(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  if (attribute(element, 'tabindex') === '-1' || hasStatedName(element, index)) return;
  add('frame-title', `<${element.tagName}> has no title`);
}

function checkRole(
  element: HtmlElement,
  { role, index }: { readonly role: string; readonly index: DocumentIndex },
  add: AddFault,
): void {
  const need = NAMED_ROLES[role];
  if (!need) return;
  const [kind, by] = need;
  const isNamed = {
    label: hasFieldName,
    content: hasContentName,
    title: (each: HtmlElement) => isFilled(each, 'alt') || hasStatedName(each, index) || hasTitleInside(each),
  }[by](element, index);
  if (!isNamed) add(kind, `the element with the role ${role} has no name`);
}

function hasTitleInside(element: HtmlElement): boolean {
  return element.childNodes.some((node) => 'tagName' in node && node.tagName === 'title');
}
