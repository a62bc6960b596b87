/** Checks structure: tables without headers, invalid lists, controls inside controls, and misleading attributes. */
import { isLanguageTag } from '../../language-tag.js';
import { attribute, type HtmlElement, has, isElement } from '../html-tree.js';
import { isFilled } from './accessible-name.js';
import type { DocumentIndex } from './document-index.js';
import { isInteractive, isPlain, roleOf, statedRole } from './element-role.js';
import type { AddFault } from './markup-fault.js';

const LIST_CHILDREN = new Set(['li', 'script', 'template']);
const DEFINITION_CHILDREN = new Set(['dt', 'dd', 'div', 'script', 'template']);
const OBSOLETE = new Set(['marquee', 'blink', 'applet', 'bgsound']);
/** Smaller grids may be layout. */
const DATA_ROWS_MIN = 3;
const DATA_COLUMNS_MIN = 3;
const ROWS_READ_MAX = 200;

export function checkStructure(element: HtmlElement, index: DocumentIndex, add: AddFault): void {
  switch (element.tagName) {
    case 'table':
      checkTable(element, add);
      break;
    case 'ul':
    case 'ol':
      checkChildren(element, LIST_CHILDREN, add);
      break;
    case 'dl':
      checkChildren(element, DEFINITION_CHILDREN, add);
      break;
    case 'li':
      checkParent(element, ['ul', 'ol', 'menu', 'dir'], add);
      break;
    case 'dt':
    case 'dd':
      checkParent(element, ['dl', 'div'], add);
      break;
    case 'video':
    case 'audio':
      checkMedia(element, add);
      break;
    default:
      if (OBSOLETE.has(element.tagName)) add('obsolete', `<${element.tagName}> is obsolete`);
  }
  if (isInteractive(element) && index.around(element).inControl)
    add('nested-interactive', `<${element.tagName}> inside another control`);
  if (!isPlain(element)) checkAttributes(element, add);
}

function checkAttributes(element: HtmlElement, add: AddFault): void {
  const tabindex = attribute(element, 'tabindex');
  if (tabindex !== null && /^\s*\+?[1-9]/.test(tabindex))
    add('tabindex', `tabindex="${tabindex.slice(0, 20)}"`);
  const lang = attribute(element, 'lang');
  if (
    lang !== null &&
    lang.trim() !== '' &&
    element.tagName !== 'html' &&
    !isLanguageTag(lang.trim().slice(0, 100))
  )
    add('lang', `lang="${lang.slice(0, 40)}"`);
  if (element.tagName === 'input' || element.tagName === 'select' || element.tagName === 'textarea')
    checkAutocomplete(element, add);
  if (has(element, 'ismap')) add('obsolete', 'a server-side image map');
}

function checkTable(table: HtmlElement, add: AddFault): void {
  const role = statedRole(table);
  if (role !== undefined && role !== 'table' && role !== 'grid' && role !== 'treegrid') return;
  const rows = rowsOf(table);
  const cells = rows.map((row) =>
    row.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  );
  const headers = cells.flat().filter(({ tagName }) => tagName === 'th');
  for (const header of headers) {
    const scope = attribute(header, 'scope')?.trim().toLowerCase();
    if (scope && !/^(?:row|col|rowgroup|colgroup)$/.test(scope))
      add('table-headers', `scope="${scope.slice(0, 20)}" is not row, col, rowgroup or colgroup`);
  }
  const columns = Math.max(0, ...cells.map(({ length }) => length));
  const isData = rows.length >= DATA_ROWS_MIN && columns >= DATA_COLUMNS_MIN;
  const named = cells
    .flat()
    .some((cell) => has(cell, 'headers') || has(cell, 'scope') || /header/.test(statedRole(cell) ?? ''));
  if (isData && headers.length === 0 && !named)
    add('table-headers', `${rows.length} rows of up to ${columns} cells and no <th>`);
  if (isData && headers.length > 0 && !hasCaption(table))
    add('table-caption', 'neither <caption> nor another name');
}

function rowsOf(table: HtmlElement): HtmlElement[] {
  const sections = table.childNodes.filter(isElement);
  return sections
    .flatMap((section) => (section.tagName === 'tr' ? [section] : section.childNodes.filter(isElement)))
    .filter(({ tagName }) => tagName === 'tr')
    .slice(0, ROWS_READ_MAX);
}

function hasCaption(table: HtmlElement): boolean {
  const named = ['aria-label', 'aria-labelledby', 'title', 'summary'].some((name) => isFilled(table, name));
  const parent = table.parentNode;
  return (
    named ||
    table.childNodes.some((node) => isElement(node) && node.tagName === 'caption') ||
    (parent !== null && 'tagName' in parent && parent.tagName === 'figure')
  );
}

function checkChildren(list: HtmlElement, allowed: ReadonlySet<string>, add: AddFault): void {
  if (statedRole(list) !== undefined) return;
  const stray = list.childNodes
    .filter(isElement)
    .find((child) => !allowed.has(child.tagName) && statedRole(child) !== 'listitem');
  if (stray) add('list-structure', `<${list.tagName}> holds <${stray.tagName}>`);
}

function checkParent(item: HtmlElement, parents: readonly string[], add: AddFault): void {
  const { parentNode: parent } = item;
  if (statedRole(item) !== undefined || !parent || !('tagName' in parent)) return;
  if (parents.includes(parent.tagName) || roleOf(parent).role === 'list') return;
  add('list-structure', `<${item.tagName}> is inside <${parent.tagName}>`);
}

function checkMedia(media: HtmlElement, add: AddFault): void {
  const isSilent = has(media, 'muted');
  const tracks = media.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'track');
  const captioned = tracks.some((track) => /^captions$/i.test(attribute(track, 'kind') ?? ''));
  if (media.tagName === 'video' && !isSilent && !captioned) add('captions', '<video> has no captions');
  if (has(media, 'autoplay') && !isSilent && !has(media, 'controls'))
    add('autoplay', `<${media.tagName}> plays sound automatically and cannot be stopped`);
}

const AUTOCOMPLETE = new Set(
  (
    'on off name honorific-prefix given-name additional-name family-name honorific-suffix nickname username ' +
    'new-password current-password one-time-code organization-title organization street-address address-line1 ' +
    'address-line2 address-line3 address-level4 address-level3 address-level2 address-level1 country country-name ' +
    'postal-code cc-name cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year ' +
    'cc-csc cc-type transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo ' +
    'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email ' +
    'impp webauthn'
  ).split(' '),
);
const AUTOCOMPLETE_PREFIX = /^(?:section-.*|shipping|billing|home|work|mobile|fax|pager)$/;

function checkAutocomplete(field: HtmlElement, add: AddFault): void {
  const value = attribute(field, 'autocomplete')?.trim().toLowerCase().slice(0, 100);
  if (!value) return;
  const wrong = value
    .split(/\s+/)
    .find((token) => !AUTOCOMPLETE.has(token) && !AUTOCOMPLETE_PREFIX.test(token));
  if (wrong !== undefined) add('autocomplete', `autocomplete="${value}"`);
}
