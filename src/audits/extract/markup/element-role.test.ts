/** The roles that HTML gives to elements, seen by which attributes apply to them and what they may hold. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../../test/support/audit-facts.js';

const saidOf = (body: string, ...kinds: string[]) => {
  const html = `<!doctype html><html lang="en"><body><main>${body}</main></body></html>`;
  return (page('/', { html }).document?.markup ?? [])
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ observed }) => observed);
};

it.each([
  ...['text', 'email', 'tel', 'url'].map((type) => [`<input type="${type}"`, 'textbox']),
  ['<input', 'textbox'],
  ['<input list="l"', 'combobox'],
  ['<input type="email" list="l"', 'combobox'],
  ['<input type="number" list="l"', 'spinbutton'],
  ['<input type="checkbox"', 'checkbox'],
  ['<input type="radio"', 'radio'],
  ['<input type="range"', 'slider'],
  ['<input type="search"', 'searchbox'],
  ['<input type="submit"', 'button'],
  ['<input type="reset"', 'button'],
  ['<input type="image"', 'button'],
  ['<select', 'combobox'],
  ['<select multiple', 'listbox'],
  ['<textarea', 'textbox'],
  ['<a href="/x"', 'link'],
  ['<button', 'button'],
  ['<h4', 'heading'],
  ['<ul', 'list'],
  ['<nav', 'navigation'],
  ['<hr', 'separator'],
  ['<progress', 'progressbar'],
  ['<section role="none note"', 'none'],
])('%s> has the role %s', (tag, role) => {
  expect(saidOf(`${tag} aria-rowspan="1">`, 'aria-allowed')).toEqual([
    `aria-rowspan does not apply to the role ${role}`,
  ]);
});

it.each('div span p b i u em strong small label pre code'.split(' '))('<%s> has none', (tag) => {
  expect(saidOf(`<${tag} aria-rowspan="1">x</${tag}>`, 'aria-allowed')).toEqual([
    `aria-rowspan does not apply to <${tag}> without a role`,
  ]);
});

it('says nothing of elements whose role it does not know', () => {
  const html =
    '<a aria-rowspan="1">x</a><input type="date" aria-rowspan="1"><section aria-rowspan="1">x</section>';
  expect(saidOf(html, 'aria-allowed')).toEqual([]);
});

describe('a control', () => {
  const inButton = (html: string) => saidOf(`<div role="button">${html}</div>`, 'nested-interactive');
  it.each([
    ['<a href="/x">x</a>', 'a'],
    ['<button>x</button>', 'button'],
    ['<input>', 'input'],
    ['<select></select>', 'select'],
    ['<textarea></textarea>', 'textarea'],
    ...'button link checkbox radio switch menuitem tab'
      .split(' ')
      .map((role) => [`<b role="${role}">x</b>`, 'b']),
  ])('is not inside another: %s', (html, tag) => {
    expect(inButton(html)).toEqual([`<${tag}> inside another control`]);
    expect(inButton(`<i>${html}</i>`)).toEqual([`<${tag}> inside another control`]);
  });

  it.each([
    '<a>x</a>',
    '<input type="hidden">',
    '<b>x</b>',
    '<b role="note">x</b>',
    '<b role="option">x</b>',
  ])('is none: %s', (html) => {
    expect(inButton(html)).toEqual([]);
  });

  it('holds what a list of options holds', () => {
    expect(saidOf('<select><option role="tab">x</option></select>', 'nested-interactive')).toEqual([]);
  });
});

it.each([
  ['<p id="a">x</p><p id="a">y</p><p id="a">z</p>', ['id="a"', 'id="a"']],
  [`<p id="${'x'.repeat(61)}">x</p><p id="${'x'.repeat(61)}">y</p>`, [`id="${'x'.repeat(60)}"`]],
  ['<p id="">x</p><p id="">y</p>', []],
  ['<svg><g id="a"/></svg><svg><g id="a"/></svg>', []],
  ['<svg><g id="a"/></svg><p id="a">x</p>', ['id="a"']],
  ['<p id="a" hidden>x</p><p id="a">y</p>', ['id="a"']],
])('%s has the same id twice: %j', (html, said) => {
  expect(saidOf(html, 'duplicate-id')).toEqual(said);
});

it.each([
  ['<a href="/a" accesskey="s">x</a><a href="/b" accesskey=" S ">y</a>', ['accesskey="s" a second time']],
  ['<a href="/a" accesskey="s">x</a><a href="/b" accesskey="t">y</a>', []],
  ['<a href="/a" accesskey="">x</a><a href="/b" accesskey=" ">y</a>', []],
  [
    `<b accesskey="${'x'.repeat(21)}">x</b><b accesskey="${'x'.repeat(21)}">y</b>`,
    [`accesskey="${'x'.repeat(20)}" a second time`],
  ],
])('%s has the same key twice: %j', (html, said) => {
  expect(saidOf(html, 'accesskey')).toEqual(said);
});

describe('the main part', () => {
  const landmarks = (html: string) =>
    (page('/', { html }).document?.markup ?? [])
      .filter(({ kind }) => kind === 'landmark' || kind === 'aria-hidden-body')
      .map(({ tag, line, observed }) => `${tag} on line ${line}: ${observed}`);

  it.each([
    ['<html><body><p>x</p>', ['html on line 1: no <main>']],
    ['<body><main>x</main>', []],
    ['<body><div role="main">x</div>', []],
    ['<body><main>x</main>\n<main>y</main>\n<div role="main">z</div>', ['main on line 2: 3 <main> elements']],
    ['<body><main hidden>x</main><main>y</main>', []],
    ['<body aria-hidden="true"><main>x</main>', ['body on line 1: aria-hidden="true" on <body>']],
    ['<body aria-hidden="false"><main>x</main>', []],
  ])('%s', (html, said) => {
    expect(landmarks(html)).toEqual(said);
  });
});

it('keeps 500 faults of a kind, and those of other kinds', () => {
  expect(saidOf('<input>'.repeat(500), 'label')).toHaveLength(500);
  expect(saidOf(`${'<input>'.repeat(501)}<button></button>`, 'label', 'button-name')).toHaveLength(501);
});
