/** WAI-ARIA 1.2 as data: attributes with their valid values, roles with the attributes they support and require. */

/** Valid values: one of these tokens, or a kind of value. */
type AttributeValues = 'text' | 'integer' | 'number' | 'id' | 'ids' | readonly string[];

const BOOLEAN = ['true', 'false'];
const OPTIONAL_BOOLEAN = ['true', 'false', 'undefined'];
const TRISTATE = ['true', 'false', 'mixed', 'undefined'];

/** Attributes that every role supports. Four of them are deprecated as global attributes but still widely used. */
const GLOBAL: Readonly<Record<string, AttributeValues>> = {
  'aria-atomic': BOOLEAN,
  'aria-braillelabel': 'text',
  'aria-brailleroledescription': 'text',
  'aria-busy': BOOLEAN,
  'aria-controls': 'ids',
  'aria-current': ['page', 'step', 'location', 'date', 'time', 'true', 'false'],
  'aria-describedby': 'ids',
  'aria-description': 'text',
  'aria-details': 'ids',
  'aria-disabled': BOOLEAN,
  'aria-dropeffect': 'text',
  'aria-errormessage': 'ids',
  'aria-flowto': 'ids',
  'aria-grabbed': OPTIONAL_BOOLEAN,
  'aria-haspopup': ['true', 'false', 'menu', 'listbox', 'tree', 'grid', 'dialog'],
  'aria-hidden': OPTIONAL_BOOLEAN,
  'aria-invalid': ['true', 'false', 'spelling', 'grammar'],
  'aria-keyshortcuts': 'text',
  'aria-label': 'text',
  'aria-labelledby': 'ids',
  'aria-live': ['off', 'polite', 'assertive'],
  'aria-owns': 'ids',
  'aria-relevant': 'text',
  'aria-roledescription': 'text',
};

const CELLS = 'cell columnheader gridcell rowheader';
const RANGES = 'meter progressbar scrollbar separator slider spinbutton';
const ITEMS =
  'article comment listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem';

/** Attributes that only some roles support, with those roles. */
const BY_ROLE: Readonly<Record<string, readonly [values: AttributeValues, roles: string]>> = {
  'aria-activedescendant': [
    'id',
    'application combobox grid group listbox menu menubar radiogroup row searchbox spinbutton tablist textbox toolbar tree treegrid',
  ],
  'aria-autocomplete': [['inline', 'list', 'both', 'none'], 'combobox searchbox textbox'],
  'aria-checked': [TRISTATE, 'checkbox menuitemcheckbox menuitemradio option radio switch treeitem'],
  'aria-colcount': ['integer', 'grid table treegrid'],
  'aria-colindex': ['integer', `${CELLS} row`],
  'aria-colindextext': ['text', `${CELLS} row`],
  'aria-colspan': ['integer', CELLS],
  'aria-expanded': [
    OPTIONAL_BOOLEAN,
    'application button checkbox columnheader combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem',
  ],
  'aria-level': ['integer', 'comment heading listitem row tablist treeitem'],
  'aria-modal': [BOOLEAN, 'alertdialog dialog'],
  'aria-multiline': [BOOLEAN, 'searchbox textbox'],
  'aria-multiselectable': [BOOLEAN, 'grid listbox tablist tree treegrid'],
  'aria-orientation': [
    ['horizontal', 'vertical', 'undefined'],
    'combobox listbox menu menubar radiogroup scrollbar separator slider tablist toolbar tree treegrid',
  ],
  'aria-placeholder': ['text', 'combobox searchbox textbox'],
  'aria-posinset': ['integer', ITEMS],
  'aria-pressed': [TRISTATE, 'button'],
  'aria-readonly': [
    BOOLEAN,
    'checkbox columnheader combobox grid gridcell listbox menuitemcheckbox menuitemradio radiogroup rowheader searchbox slider spinbutton switch textbox treegrid',
  ],
  'aria-required': [
    BOOLEAN,
    'checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree treegrid',
  ],
  'aria-rowcount': ['integer', 'grid table treegrid'],
  'aria-rowindex': ['integer', `${CELLS} row`],
  'aria-rowindextext': ['text', `${CELLS} row`],
  'aria-rowspan': ['integer', CELLS],
  'aria-selected': [OPTIONAL_BOOLEAN, 'columnheader gridcell option row rowheader tab treeitem'],
  'aria-setsize': ['integer', ITEMS],
  'aria-sort': [['ascending', 'descending', 'none', 'other'], 'columnheader rowheader'],
  'aria-valuemax': ['number', RANGES],
  'aria-valuemin': ['number', RANGES],
  'aria-valuenow': ['number', RANGES],
  'aria-valuetext': ['text', RANGES],
};

const ROLES = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic ' +
    'grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript suggestion superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip ' +
    'tree treegrid treeitem'
  ).split(' '),
);

/** Roles that must not be named: their `aria-label` has no effect. */
export const NAMELESS_ROLES = new Set(
  'caption code deletion emphasis generic insertion none paragraph presentation strong subscript superscript'.split(
    ' ',
  ),
);

/** The same value for each of several words. */
export function rolesBy<T>(words: string, value: T): Record<string, T> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]));
}

/** Implicit roles of HTML elements, by tag (HTML-AAM). */
export const ROLES_OF_TAGS: Readonly<Record<string, string>> = {
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

/** Implicit roles of `<input>`, by type. */
export const ROLES_OF_INPUTS: Readonly<Record<string, string>> = {
  ...rolesBy('button image reset submit', 'button'),
  ...rolesBy('email tel text url', 'textbox'),
  checkbox: 'checkbox',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  search: 'searchbox',
};

/** Attributes that a role requires. */
export const REQUIRED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  ...rolesBy('checkbox menuitemcheckbox menuitemradio radio switch', ['aria-checked']),
  ...rolesBy('meter slider', ['aria-valuenow']),
  combobox: ['aria-expanded'],
  heading: ['aria-level'],
  scrollbar: ['aria-controls', 'aria-valuenow'],
};

/** Roles that are only valid inside others. */
export const REQUIRED_PARENTS: Readonly<Record<string, readonly string[]>> = {
  ...rolesBy(CELLS, ['row']),
  ...rolesBy('menuitem menuitemcheckbox menuitemradio', ['group', 'menu', 'menubar']),
  listitem: ['list', 'directory'],
  option: ['group', 'listbox'],
  row: ['grid', 'rowgroup', 'table', 'treegrid'],
  rowgroup: ['grid', 'table', 'treegrid'],
  tab: ['tablist'],
  treeitem: ['group', 'tree'],
};

const SUPPORTED = new Map(
  Object.entries(BY_ROLE).map(([name, [, roles]]) => [name, new Set(roles.split(' '))] as const),
);

export function isRole(role: string): boolean {
  return ROLES.has(role) || role.startsWith('doc-') || role.startsWith('graphics-');
}

export function valuesOf(attribute: string): AttributeValues | undefined {
  return GLOBAL[attribute] ?? BY_ROLE[attribute]?.[0];
}

/** Whether a role supports an attribute; undefined stands for an element without a role. */
export function supports(role: string | undefined, attribute: string): boolean {
  if (Object.hasOwn(GLOBAL, attribute)) return true;
  if (role?.startsWith('doc-') || role?.startsWith('graphics-')) return true;
  return role !== undefined && (SUPPORTED.get(attribute)?.has(role) ?? false);
}
