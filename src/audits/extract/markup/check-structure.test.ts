/** The exact findings about tables, lists, media and attributes, and the cases without any. */
import { expect, it } from 'vitest';
import { page } from '../../../../test/support/audit-facts.js';

const KINDS = new Set(
  'table-headers table-caption list-structure captions autoplay obsolete nested-interactive tabindex lang autocomplete'.split(
    ' ',
  ),
);

function faultsOf(body: string): string[] {
  const html = `<!doctype html><html lang="en"><body><main>${body}</main></body></html>`;
  const { document } = page('/', { html });
  return (document?.markup ?? [])
    .filter(({ kind }) => KINDS.has(kind))
    .map(({ kind, observed }) => `${kind}: ${observed}`);
}

const rows = (count: number, cells: string, more = '') =>
  `<table>${more}${`<tr>${cells}</tr>`.repeat(count)}</table>`;
const TD3 = '<td>x<td>x<td>x';
const TH3 = '<th>x<td>x<td>x';
const NO_HEADERS = (count: number) => `table-headers: ${count} rows of up to 3 cells and no <th>`;

it.each<[string, readonly string[]]>([
  [rows(3, TD3), [NO_HEADERS(3)]],
  [rows(2, TD3), []],
  [rows(3, '<td>x<td>x'), []],
  [`<table><tr>${TD3}<tr><td>x<tr><td>x</table>`, [NO_HEADERS(3)]],
  [`<table>\n<thead>\n<tr>${TD3}</thead>\n<tbody>\n<tr>${TD3}<tr>${TD3}</tbody></table>`, [NO_HEADERS(3)]],
  [rows(201, TD3), [NO_HEADERS(200)]],
  [`<table role="presentation">${`<tr>${TD3}`.repeat(3)}</table>`, []],
  [`<table role="grid">${`<tr>${TD3}`.repeat(3)}</table>`, [NO_HEADERS(3)]],
  [`<table role="table">${`<tr>${TD3}`.repeat(3)}</table>`, [NO_HEADERS(3)]],
  [`<table role="treegrid">${`<tr>${TD3}`.repeat(3)}</table>`, [NO_HEADERS(3)]],
  [rows(3, '<td headers="a">x<td>x<td>x'), []],
  [rows(3, '<td scope="row">x<td>x<td>x'), []],
  [rows(3, '<td role="rowheader">x<td>x<td>x'), []],
  [rows(3, TH3), ['table-caption: neither <caption> nor another name']],
  [rows(3, TH3, '<caption>c</caption>'), []],
  [`<figure>${rows(3, TH3)}</figure>`, []],
  ...['aria-label="c"', 'aria-labelledby="c"', 'title="c"', 'summary="c"'].map(
    (name): [string, readonly string[]] => [
      `<table ${name}>${`<tr>${TH3}`.repeat(3)}</table><p id="c">c</p>`,
      [],
    ],
  ),
  [
    rows(
      1,
      '<th scope="top">x<th scope="ROW">x<th scope="colgroup">x<th scope="rowgroup">x<th scope="col">x<th scope="">x',
    ),
    ['table-headers: scope="top" is not row, col, rowgroup or colgroup'],
  ],
  [rows(1, '<th scope="cols">x'), ['table-headers: scope="cols" is not row, col, rowgroup or colgroup']],
  ['<ul> <li>a</li><script></script><template></template></ul>', []],
  ['<ul><div>a</div></ul>', ['list-structure: <ul> holds <div>']],
  ['<ol><p>a</p></ol>', ['list-structure: <ol> holds <p>']],
  ['<ul><div role="listitem">a</div></ul>', []],
  ['<ul role="listbox" aria-label="x"><div role="option" aria-selected="true">a</div></ul>', []],
  ['<dl><dt>a</dt><dd>b</dd><div><dt>c</dt><dd>d</dd></div><script></script><template></template></dl>', []],
  ['<dl><span>a</span></dl>', ['list-structure: <dl> holds <span>']],
  ['<section><li>a</li></section>', ['list-structure: <li> is inside <section>']],
  ['<menu><li>a</li></menu><dir><li>a</li></dir><ol><li>a</li></ol>', []],
  ['<div role="list"><li>a</li></div>', []],
  ['<section><li role="none">a</li></section>', []],
  [
    '<section><dt>a</dt><dd>b</dd></section>',
    ['list-structure: <dt> is inside <section>', 'list-structure: <dd> is inside <section>'],
  ],
  ['<video src="a"></video>', ['captions: <video> has no captions']],
  ['<video src="a" muted></video>', []],
  ['<video src="a"><track kind="Captions" src="c"></video>', []],
  ['<video src="a"><track kind="subtitles" src="c"></video>', ['captions: <video> has no captions']],
  ['<audio src="a"></audio>', []],
  ['<audio src="a" autoplay></audio>', ['autoplay: <audio> plays sound automatically and cannot be stopped']],
  ['<audio src="a" autoplay controls></audio>', []],
  ['<video src="a" autoplay muted></video>', []],
  [
    '<marquee>x</marquee><blink>x</blink><applet></applet>',
    ['obsolete: <marquee> is obsolete', 'obsolete: <blink> is obsolete', 'obsolete: <applet> is obsolete'],
  ],
  ['<a href="/x"><img src="a" alt="b" ismap></a>', ['obsolete: a server-side image map']],
  ['<a href="/x">x <button>y</button></a>', ['nested-interactive: <button> inside another control']],
  ['<p tabindex="1">x</p><p tabindex=" +2">x</p>', ['tabindex: tabindex="1"', 'tabindex: tabindex=" +2"']],
  ['<p tabindex="0">x</p><p tabindex="-1">x</p><p tabindex="x1">x</p>', []],
  ['<p lang="en_US">x</p><p lang=" ">x</p><p lang=" de ">x</p>', ['lang: lang="en_US"']],
  ['<input aria-label="x" autocomplete="nome">', ['autocomplete: autocomplete="nome"']],
  ['<select aria-label="x" autocomplete="nome"></select>', ['autocomplete: autocomplete="nome"']],
  ['<textarea aria-label="x" autocomplete="nome"></textarea>', ['autocomplete: autocomplete="nome"']],
  ['<form autocomplete="nome"></form>', []],
  [
    '<input aria-label="x" autocomplete=" Section-a  shipping home TEL "><input aria-label="y" autocomplete="">',
    [],
  ],
  [
    '<input aria-label="x" autocomplete="my-section-a tel">',
    ['autocomplete: autocomplete="my-section-a tel"'],
  ],
  ['<input aria-label="x" autocomplete="homes tel">', ['autocomplete: autocomplete="homes tel"']],
])('reports the faults of markup %#', (body, faults) => {
  expect(faultsOf(body)).toEqual(faults);
});

it('accepts every autocomplete token of HTML', () => {
  const fields = `name honorific-prefix given-name additional-name family-name honorific-suffix nickname username
    new-password current-password one-time-code organization-title organization street-address address-line1 address-line2
    address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name
    cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type
    transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo tel tel-country-code
    tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp webauthn on off`;
  const inputs = fields.split(/\s+/).map((token) => `<input aria-label="x" autocomplete="${token}">`);
  expect(faultsOf(inputs.join(''))).toEqual([]);
});
