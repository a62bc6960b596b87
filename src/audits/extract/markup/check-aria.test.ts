/** Which ARIA is right by WAI-ARIA 1.2, and what is said of the rest. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../../test/support/audit-facts.js';

const saidOf = (body: string) => {
  const html = `<!doctype html><html lang="en"><body><main>${body}</main></body></html>`;
  return (page('/', { html }).document?.markup ?? [])
    .filter(({ kind }) => kind.startsWith('aria-'))
    .map(({ kind, observed }) => `${kind}: ${observed}`);
};

describe('an attribute with fixed values', () => {
  const BOOLEAN = 'true false';
  const CASES: readonly [attribute: string, values: string, element: string][] = [
    ['aria-atomic', BOOLEAN, 'p'],
    ['aria-busy', BOOLEAN, 'p'],
    ['aria-current', 'page step location date time true false', 'p'],
    ['aria-grabbed', 'true false undefined', 'p'],
    ['aria-haspopup', 'true false menu listbox tree grid dialog', 'p'],
    ['aria-invalid', 'true false spelling grammar', 'p'],
    ['aria-live', 'off polite assertive', 'p'],
    ['aria-autocomplete', 'inline list both none', 'div role="textbox"'],
    ['aria-checked', 'true false mixed undefined', 'div role="checkbox"'],
    ['aria-expanded', 'true false undefined', 'button'],
    ['aria-modal', BOOLEAN, 'div role="dialog"'],
    ['aria-multiline', BOOLEAN, 'div role="textbox"'],
    ['aria-orientation', 'horizontal vertical undefined', 'div role="toolbar"'],
    ['aria-pressed', 'true false mixed undefined', 'button'],
    ['aria-selected', 'true false undefined', 'td role="columnheader"'],
    ['aria-sort', 'ascending descending none other', 'th'],
  ];

  it.each(CASES)('%s takes %s', (attribute, values, element) => {
    const put = (value: string) => {
      const cell = `<${element} ${attribute}="${value}">x`;
      return /^t[dh]/.test(element) ? `<table><tr role="row">${cell}</table>` : cell;
    };
    for (const value of values.split(' ')) expect(saidOf(put(value))).toEqual([]);
    for (const value of [' TRUE ', ' ']) {
      if (values.includes('true')) expect(saidOf(put(value))).toEqual([]);
    }
    expect(saidOf(put('maybe'))).toEqual([`aria-value: ${attribute}="maybe"`]);
  });
});

it.each([
  ['<div role="heading" aria-level="2">x</div>', []],
  ['<div role="heading" aria-level="-2">x</div>', []],
  ['<div role="heading" aria-level="2.5">x</div>', ['aria-value: aria-level="2.5"']],
  ['<div role="heading" aria-level="x2">x</div>', ['aria-value: aria-level="x2"']],
  [
    `<div role="heading" aria-level="${'1'.repeat(16)}">x</div>`,
    [`aria-value: aria-level="${'1'.repeat(16)}"`],
  ],
  ['<div role="meter" aria-label="x" aria-valuenow="1.5"></div>', []],
  ['<div role="meter" aria-label="x" aria-valuenow="half"></div>', ['aria-value: aria-valuenow="half"']],
  ['<div role="listbox" aria-label="x" aria-activedescendant="a"></div>', []],
  [
    '<div role="listbox" aria-label="x" aria-activedescendant="a b"></div>',
    ['aria-value: aria-activedescendant="a b"'],
  ],
  ['<p id="a">x</p><button aria-labelledby="none a">x</button>', []],
  [
    '<button aria-labelledby="none gone">x</button>',
    ['aria-value: aria-labelledby names the missing id none gone'],
  ],
  ['<button aria-describedby="none">x</button>', []],
  ['<button aria-labelledby=" ">x</button>', []],
  ['<button aria-roledescription="any text">x</button>', []],
  ['<p aria-lable="x">x</p>', ['aria-attribute: aria-lable does not exist']],
  [`<p aria-${'x'.repeat(55)}="1">x</p>`, [`aria-attribute: aria-${'x'.repeat(55)} does not exist`]],
  [`<p aria-${'x'.repeat(56)}="1">x</p>`, [`aria-attribute: aria-${'x'.repeat(54)}… does not exist`]],
])('%s', (html, said) => {
  expect(saidOf(html)).toEqual(said);
});

describe('a role', () => {
  it.each([
    ['<div role="buton">x</div>', ['aria-role: the role buton does not exist']],
    ['<div role="one two">x</div>', ['aria-role: the role one two does not exist']],
    ['<div role="buton note">x</div>', []],
    ['<div role="doc-chapter">x</div>', []],
    ['<div role="graphics-document" aria-checked="true">x</div>', []],
    ['<div role="doc-chapter" aria-checked="true">x</div>', []],
    ['<div role="DIRECTORY">x</div>', ['aria-role: the role directory is deprecated; use list']],
    ['<div role="">x</div>', []],
  ])('%s', (html, said) => {
    expect(saidOf(html)).toEqual(said);
  });

  it.each([
    ['<div aria-checked="true">x</div>', 'aria-checked does not apply to <div> without a role'],
    ['<a href="/x" aria-checked="true">x</a>', 'aria-checked does not apply to the role link'],
    ['<div role="note" aria-checked="true">x</div>', 'aria-checked does not apply to the role note'],
  ])('decides which attributes apply: %s', (html, said) => {
    expect(saidOf(html)).toEqual([`aria-allowed: ${said}`]);
  });

  it('that is not known says nothing about attributes', () => {
    expect(
      saidOf('<custom-box aria-checked="true">x</custom-box><video aria-pressed="true"></video>'),
    ).toEqual([]);
  });

  it.each([
    ['checkbox', 'aria-checked'],
    ['combobox', 'aria-expanded'],
    ['heading', 'aria-level'],
    ['meter', 'aria-valuenow'],
    ['scrollbar', 'aria-controls and aria-valuenow'],
    ['slider', 'aria-valuenow'],
    ['switch', 'aria-checked'],
    ['radio', 'aria-checked'],
  ])('%s needs %s', (role, needed) => {
    expect(saidOf(`<div role="${role}" aria-label="x">x</div>`)).toEqual([
      `aria-required: the role ${role} needs ${needed}`,
    ]);
    const given = needed.replace(/aria-\w+/g, '$&="1"').replace(' and ', ' ');
    expect(
      saidOf(`<div role="${role}" ${given}>x</div>`).filter((said) => said.startsWith('aria-required')),
    ).toEqual([]);
  });

  it('names only what is missing', () => {
    expect(saidOf('<div role="scrollbar" aria-controls="a">x</div>')).toEqual([
      'aria-required: the role scrollbar needs aria-valuenow',
    ]);
  });

  it.each([
    '<input type="checkbox" role="switch">',
    '<select role="combobox"></select>',
    '<h3 role="heading">x</h3>',
  ])('gets what it needs from %s', (html) => {
    expect(saidOf(html)).toEqual([]);
  });

  const PARENTS: readonly [role: string, parents: string][] = [
    ['cell', 'row'],
    ['columnheader', 'row'],
    ['gridcell', 'row'],
    ['listitem', 'list, directory'],
    ['menuitem', 'group, menu, menubar'],
    ['menuitemcheckbox', 'group, menu, menubar'],
    ['menuitemradio', 'group, menu, menubar'],
    ['option', 'group, listbox'],
    ['row', 'grid, rowgroup, table, treegrid'],
    ['rowgroup', 'grid, table, treegrid'],
    ['rowheader', 'row'],
    ['tab', 'tablist'],
    ['treeitem', 'group, tree'],
  ];
  it.each(PARENTS)('%s is inside %s', (role, parents) => {
    const misplaced = (html: string) =>
      saidOf(html).filter((said) => said.startsWith(`aria-parent: the role ${role} `));
    const child = `<b role="${role}" aria-checked="true">x</b>`;
    expect(misplaced(child)).toEqual([`aria-parent: the role ${role} is outside ${parents}`]);
    for (const parent of parents.split(', ')) {
      expect(misplaced(`<div role="${parent}"><i>${child}</i></div>`)).toEqual([]);
    }
    expect(misplaced(`<div aria-owns="x"></div>${child}`)).toEqual([]);
  });
});

describe('a label', () => {
  it.each([
    ['<div aria-label="x"></div>', 'aria-label has no effect on <div> without a role'],
    ['<span aria-label="x"> <i></i></span>', 'aria-label has no effect on <span> without a role'],
    [
      '<p id="a">x</p><span aria-labelledby="a"></span>',
      'aria-labelledby has no effect on <span> without a role',
    ],
    ['<div role="presentation" aria-label="x">x</div>', 'aria-label has no effect on the role presentation'],
    ['<div role="paragraph" aria-label="x">x</div>', 'aria-label has no effect on the role paragraph'],
  ])('has no effect: %s', (html, said) => {
    expect(saidOf(html)).toEqual([`aria-allowed: ${said}`]);
  });

  it.each([
    '<div aria-label="x">text</div>',
    '<div aria-label="x" tabindex="0"></div>',
    '<div aria-label="x" contenteditable></div>',
    '<p aria-label="x"></p>',
    '<div aria-description="x"></div>',
    '<div role="note" aria-label="x"></div>',
  ])('has an effect or does no harm: %s', (html) => {
    expect(saidOf(html)).toEqual([]);
  });
});
