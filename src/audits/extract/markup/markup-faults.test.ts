/** Every kind of fault is reported for its markup and not for correct markup. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../../test/support/audit-facts.js';
import { cpuMs } from '../../../../test/support/cpu-time.js';
import { MARKUP_FAULT_KINDS, type MarkupFaultKind } from './markup-fault.js';

const kindsIn = (html: string) => {
  const { document } = page('/', { html });
  return [...new Set(document?.markup.map(({ kind }) => kind))].sort();
};
/** The faults of a page that is correct except for this markup. */
const faultsOf = (body: string) =>
  kindsIn(`<!doctype html><html lang="en"><body><main>${body}</main></body></html>`);

it('reads at most ten labels of a field', () => {
  const labels = (empty: number) =>
    `${'<label for="q"></label>'.repeat(empty)}<label for="q">Name</label><input id="q">`;
  expect([faultsOf(labels(9)).includes('label'), faultsOf(labels(10)).includes('label')]).toEqual([
    false,
    true,
  ]);
});

const ROW = (cell: string) => `<tr>${cell.repeat(3)}</tr>`;

const FAULTY: Readonly<Record<Exclude<MarkupFaultKind, 'landmark' | 'aria-hidden-body'>, readonly string[]>> =
  {
    'duplicate-id': ['<p id="a">x</p><p id="a">y</p>'],
    label: [
      '<input name="q">',
      '<input type="checkbox">',
      '<select><option>a</option></select>',
      '<textarea></textarea>',
      '<div role="textbox" tabindex="0"></div>',
      '<label for="other">Name</label><input id="mine">',
      '<label for="q"></label><input id="q">',
      '<input aria-label=" ">',
    ],
    'button-name': [
      '<button></button>',
      '<button><img src="x.png" alt=""></button>',
      '<button><svg aria-hidden="true"><title>Menu</title></svg></button>',
      '<input type="button">',
      '<div role="button" tabindex="0"></div>',
      '<details><summary></summary>x</details>',
    ],
    'link-name': [
      '<a href="/a"></a>',
      '<a href="/a"><img src="x.png"></a>',
      '<a href="/a"><span aria-hidden="true">x</span></a>',
      '<span role="link" tabindex="0"></span>',
    ],
    'graphic-name': [
      '<input type="image" src="go.png">',
      '<map name="m"><area href="/a"></map>',
      '<object data="chart.svg"></object>',
      '<div role="img"></div>',
      '<svg role="img"><path d="M0 0"/></svg>',
    ],
    'widget-name': ['<div role="dialog">x</div>', '<div role="progressbar"></div>'],
    'frame-title': ['<iframe src="/a"></iframe>', '<iframe src="/a" title=" "></iframe>'],
    'table-headers': [
      `<table>${ROW('<td>1</td>').repeat(3)}</table>`,
      '<table><caption>c</caption><tr><th scope="column">a</th></tr></table>',
    ],
    'table-caption': [`<table>${ROW('<th>a</th>')}${ROW('<td>1</td>').repeat(2)}</table>`],
    'list-structure': ['<ul><div>x</div></ul>', '<div><li>x</li></div>', '<dl><p>x</p></dl>', '<dt>x</dt>'],
    'aria-attribute': ['<p aria-lable="x">x</p>', '<p aria-hiden="true">x</p>'],
    'aria-allowed': [
      '<div aria-checked="true">x</div>',
      '<a href="/a" aria-selected="true">x</a>',
      '<div role="presentation" aria-label="x">x</div>',
      '<span aria-label="x"></span>',
    ],
    'aria-value': [
      '<button aria-expanded="yes">x</button>',
      '<div role="heading" aria-level="one">x</div>',
      '<p aria-live="loud">x</p>',
      '<button aria-labelledby="nowhere">x</button>',
    ],
    'aria-role': ['<div role="buton">x</div>', '<div role="widget">x</div>', '<div role="directory">x</div>'],
    'aria-required': ['<div role="checkbox" tabindex="0">x</div>', '<div role="heading">x</div>'],
    'aria-parent': [
      '<div role="option">x</div>',
      '<div role="tab">x</div>',
      '<span role="listitem">x</span>',
    ],
    'nested-interactive': [
      '<a href="/a">x<button>y</button></a>',
      '<div role="button" tabindex="0">x<a href="/b">y</a></div>',
    ],
    lang: ['<p lang="english!">x</p>'],
    tabindex: ['<p tabindex="3">x</p>'],
    accesskey: ['<a href="/a" accesskey="s">x</a><a href="/b" accesskey="S">y</a>'],
    autocomplete: ['<input aria-label="x" autocomplete="e-mail">'],
    captions: ['<video src="a.mp4" controls></video>'],
    autoplay: ['<audio src="a.mp3" autoplay></audio>'],
    obsolete: ['<marquee>x</marquee>', '<a href="/a"><img src="m.png" alt="x" ismap></a>'],
  };

const SOUND: readonly string[] = [
  '<label>Name <input></label>',
  '<label for="q">Search</label><input id="q">',
  '<input placeholder="Search">',
  '<span id="l">Name</span><input aria-labelledby="l">',
  '<input type="hidden"><input type="submit"><input type="button" value="Go">',
  '<button><img src="x.png" alt="Menu"></button>',
  '<button><svg><title>Menu</title></svg></button>',
  '<button aria-label="Menu"><svg aria-hidden="true"></svg></button>',
  '<a href="/a"><img src="x.png" alt="Home"></a>',
  '<a href="/a" aria-label="Home"></a>',
  '<a name="anchor"></a>',
  '<svg role="img" aria-label="Chart"></svg>',
  '<svg role="img"><title>Chart</title></svg>',
  '<iframe src="/a" title="Map"></iframe>',
  '<iframe src="/a" hidden></iframe>',
  '<div hidden><input><button></button></div>',
  '<template><p id="a"></p><p id="a"></p></template>',
  `<table><caption>c</caption>${ROW('<th scope="col">a</th>')}${ROW('<td>1</td>').repeat(3)}</table>`,
  `<table role="presentation">${ROW('<td>1</td>').repeat(3)}</table>`,
  '<table><tr><td>1</td><td>2</td></tr></table>',
  '<ul><li>x</li></ul><dl><dt>x</dt><dd>y</dd></dl><dl><div><dt>x</dt><dd>y</dd></div></dl>',
  '<button aria-expanded="false" aria-controls="menu" aria-haspopup="menu">x</button>',
  '<div role="tablist"><button role="tab" aria-selected="true" aria-controls="p">x</button></div>',
  '<ul role="listbox" aria-label="x"><li role="option" aria-selected="false">x</li></ul>',
  '<input type="checkbox" role="switch" aria-label="x">',
  '<select aria-label="x" aria-required="true"><option>a</option></select>',
  '<nav aria-label="x"><a href="/a" aria-current="page">x</a></nav>',
  '<div role="alert" aria-live="assertive">x</div>',
  '<p lang="de-CH">x</p>',
  '<p tabindex="0">x</p><p tabindex="-1">x</p>',
  '<input aria-label="x" autocomplete="section-a shipping street-address">',
  '<video src="a.mp4" muted autoplay></video>',
  '<video src="a.mp4" controls><track kind="captions" src="a.vtt"></video>',
  '<label><input type="checkbox"> Yes</label>',
  '<svg><linearGradient id="g"/></svg><svg><linearGradient id="g"/></svg>',
];

describe.each(Object.entries(FAULTY))('%s', (kind, cases) => {
  it.each(cases)('fires for %s', (html) => {
    expect(faultsOf(html)).toContain(kind);
  });
});

it.each(SOUND)('stays silent for %s', (html) => {
  expect(faultsOf(html)).toEqual([]);
});

it('requires exactly one main element and a body that is not hidden', () => {
  expect(kindsIn('<body><p>x</p></body>')).toEqual(['landmark']);
  expect(kindsIn('<body><main>x</main><main>y</main></body>')).toEqual(['landmark']);
  expect(kindsIn('<body aria-hidden="true"><main>x</main></body>')).toContain('aria-hidden-body');
});

it('has a case for every kind', () => {
  expect([...Object.keys(FAULTY), 'landmark', 'aria-hidden-body'].sort()).toEqual(
    [...MARKUP_FAULT_KINDS].sort(),
  );
});

it('takes linear time on a hostile document', () => {
  const roles = `${'<div role="button">'.repeat(400)}${'<span role="option"></span>'.repeat(10_000)}`;
  const ids = 'x '.repeat(400);
  const labels = `<p id="x">${'<i></i>'.repeat(20_000)}</p>${`<a href="/" aria-labelledby="${ids}"></a>`.repeat(300)}`;
  const read = () => [roles, labels].map((html) => page('/', { html }));
  expect(cpuMs(read)).toBeLessThan(10_000);
});
