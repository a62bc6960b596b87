/** What has a name for assistive technology, where it may come from, and what is said where there is none. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../../test/support/audit-facts.js';

const KINDS = new Set(['label', 'button-name', 'link-name', 'graphic-name', 'widget-name', 'frame-title']);
const saidOf = (body: string) => {
  const html = `<!doctype html><html lang="en"><body><main>${body}</main></body></html>`;
  return (page('/', { html }).document?.markup ?? [])
    .filter(({ kind }) => KINDS.has(kind))
    .map(({ kind, observed }) => `${kind}: ${observed}`);
};

describe('an element without a name', () => {
  const byRole = (kind: string, roles: string): [string, string][] =>
    roles
      .split(' ')
      .map((role) => [
        `<div role="${role}"></div>`,
        `${kind}: the element with the role ${role} has no name`,
      ]);

  it.each<[string, string]>([
    ['<input>', 'label: <input type="text"> has no label'],
    ['<input type=" Email ">', 'label: <input type="email"> has no label'],
    [`<input type="${'x'.repeat(21)}">`, `label: <input type="${'x'.repeat(20)}"> has no label`],
    ['<input type="image">', 'graphic-name: <input type="image"> has no alternative text'],
    ['<input type="button">', 'button-name: <input type="button"> has no value'],
    ['<select></select>', 'label: <select> has no label'],
    ['<textarea></textarea>', 'label: <textarea> has no label'],
    ['<button> </button>', 'button-name: <button> has no name'],
    ['<details><summary></summary></details>', 'button-name: <summary> has no name'],
    ['<a href="/x"></a>', 'link-name: the link has neither text nor another name'],
    ['<map><area href="/x"></map>', 'graphic-name: <area> has no alternative text'],
    ['<object data="/x"></object>', 'graphic-name: <object> has no alternative text'],
    ['<iframe src="/x"></iframe>', 'frame-title: <iframe> has no title'],
    ['<iframe src="/x" tabindex="0"></iframe>', 'frame-title: <iframe> has no title'],
    ...byRole('label', 'combobox listbox searchbox slider spinbutton textbox checkbox radio switch'),
    ...byRole('button-name', 'button menuitem tab'),
    ...byRole('link-name', 'link'),
    ...byRole('graphic-name', 'image img'),
    ...byRole('widget-name', 'alertdialog dialog meter progressbar tooltip treeitem'),
    ['<a role="button" href="/x"></a>', 'button-name: the element with the role button has no name'],
    ['<div role="textbox">text is no label</div>', 'label: the element with the role textbox has no name'],
    ['<div role="img">text is no name</div>', 'graphic-name: the element with the role img has no name'],
    [
      '<svg role="img"><g><title>deep</title></g></svg>',
      'graphic-name: the element with the role img has no name',
    ],
  ])('%s', (html, said) => {
    expect(saidOf(html)).toEqual([said]);
  });
});

describe('no name is needed for', () => {
  it.each([
    '<input type="hidden"><input type="submit"><input type="reset">',
    '<button role="presentation"></button><button role="none"></button>',
    '<a></a><a name="x"></a>',
    '<map><area></map>',
    '<object></object>',
    '<iframe tabindex="-1"></iframe>',
    '<div role="note"></div>',
    '<div hidden><input></div><div inert><input></div><div aria-hidden="true"><input></div>',
    '<div style="display : none"><input></div><div style="VISIBILITY:hidden"><input></div>',
    '<noscript><input></noscript>',
  ])('%s', (html) => {
    expect(saidOf(html)).toEqual([]);
  });

  it('is needed where only something else is hidden', () => {
    expect(saidOf('<div aria-hidden="false"><input></div><div style="color:red"><input></div>')).toHaveLength(
      2,
    );
    expect(saidOf(`<div style="${' '.repeat(1_000)}display:none"><input></div>`)).toHaveLength(1);
    expect(saidOf(`<div style="${' '.repeat(988)}display:none"><input></div>`)).toEqual([]);
  });
});

describe('a name comes from', () => {
  it.each([
    '<input aria-label="x"><input title="x"><input placeholder="x">',
    '<input type="image" alt="x"><input type="image" aria-label="x">',
    '<input type="button" value="x"><input type="button" title="x">',
    '<label>Name <input></label>',
    '<label aria-label="Name"><input></label>',
    '<label for="a">Name</label><input id="a">',
    '<label for="a"><img alt="Name"></label><input id="a">',
    '<label for="a"></label><label for="a">Name</label><input id="a">',
    '<select title="x"></select><textarea aria-label="x"></textarea>',
    '<button>x</button><button title="x"></button><button><b>x</b></button>',
    '<button><img alt="x"></button><button><i aria-label="x"></i></button><button><i title="x"></i></button>',
    '<button><input type="image" alt="x"></button>',
    '<a href="/x"><img alt="x"></a><a href="/x">x</a><a href="/x" title="x"></a>',
    '<map><area href="/x" alt="x"><area href="/x" aria-label="x"><area href="/x" title="x"></map>',
    '<object data="/x">x</object><object data="/x" title="x"></object>',
    '<iframe title="x"></iframe><iframe aria-label="x"></iframe>',
    '<div role="img" alt="x"></div><div role="img" aria-label="x"></div>',
    '<svg role="img"><title>x</title></svg>',
    '<div role="checkbox">x</div><div role="tooltip">x</div><div role="link">x</div>',
    '<p id="a">x</p><button aria-labelledby="a"></button>',
    '<p id="a" aria-label="x"></p><button aria-labelledby="none a"></button>',
    '<img id="a" alt="x"><button aria-labelledby="a"></button>',
    `<p id="a">x</p><button aria-labelledby="${' '.repeat(999)}a"></button>`,
  ])('%s', (html) => {
    expect(saidOf(html)).toEqual([]);
  });

  it.each([
    '<label for="b">Name</label><input id="a">',
    '<label for="">Name</label><input id="">',
    '<label><input></label>',
    '<label for="a"> </label><input id="a">',
    '<button><b hidden>x</b></button>',
    '<button><img></button>',
    '<button><img alt=" "></button>',
    '<button><i alt="x"></i></button>',
    '<button><input type="text" alt="x" hidden></button>',
    '<button aria-labelledby="a"></button>',
    '<p id="a"></p><button aria-labelledby="a"></button>',
    `<p id="a">x</p><button aria-labelledby="${' '.repeat(1_000)}a"></button>`,
    '<svg role="img"></svg>',
  ])('nowhere: %s', (html) => {
    expect(saidOf(html)).toHaveLength(1);
  });

  it('a control of so many elements that nobody looks further', () => {
    expect(saidOf(`<button>${'<i></i>'.repeat(499)}</button>`)).toHaveLength(1);
    expect(saidOf(`<button>${'<i></i>'.repeat(500)}</button>`)).toEqual([]);
  });

  it('the label nearest to the field, once for every field in it', () => {
    expect(saidOf('<label>Two <input><b><input></b></label>')).toEqual([]);
    expect(saidOf('<label><input><textarea></textarea></label>')).toHaveLength(2);
  });
});
