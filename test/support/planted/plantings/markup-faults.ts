/** Faults of single elements, each on its own page in the large site. */
import type { Planting } from '../planting.js';

const ROWS = '<tr><td>1</td><td>2</td><td>3</td></tr>'.repeat(3);

/** The markup of each fault, by the rule that must find it. */
const MARKUP: Readonly<Record<string, string>> = {
  label: '<form action="/search"><input name="q"></form>',
  'button-name': '<button type="button"></button>',
  'link-name': '<a href="/topics/1"></a>',
  'graphic-name': '<div role="img"></div>',
  'widget-name': '<div role="dialog">Cookies are tasty</div>',
  'frame-title': '<iframe src="/topics/1"></iframe>',
  'duplicate-id': '<p id="twice">One</p><p id="twice">Two</p>',
  'table-headers': `<table>${ROWS}</table>`,
  'table-caption': `<table><tr><th>a</th><th>b</th><th>c</th></tr>${ROWS}</table>`,
  'list-structure': '<ul><p>Not an item</p></ul>',
  'aria-attribute': '<p aria-lable="A sea">The sea</p>',
  'aria-allowed': '<p aria-checked="true">Checked</p>',
  'aria-value': '<button type="button" aria-expanded="yes">More about buoys</button>',
  'aria-role': '<p role="buton">Press me</p>',
  'aria-required': '<div role="checkbox" tabindex="0">I agree to the sea</div>',
  'aria-parent': '<div role="tab">A tab by itself</div>',
  'nested-interactive': '<div role="button" tabindex="0">Open <a href="/topics/1">the first topic</a></div>',
  lang: '<p lang="no such language">Tere</p>',
  tabindex: '<p tabindex="5">First of all</p>',
  accesskey: '<a href="/topics/1" accesskey="t">Topic one</a><a href="/topics/1" accesskey="t">And again</a>',
  autocomplete: '<label>Mail <input name="mail" autocomplete="e-mail"></label>',
  captions: '<video controls></video>',
  autoplay: '<audio autoplay></audio>',
  landmark: '<main><p>A second main part</p></main>',
  obsolete: '<marquee>Ships ahoy</marquee>',
};

export const MARKUP_FAULTS: readonly Planting[] = [
  ...Object.entries(MARKUP).map(([kind, markup]): Planting => {
    const path = `/faults/a11y-${kind}`;
    return {
      ...{ rule: `a11y.${kind}`, fault: markup, where: 'shared', at: [path] },
      plant: (site) => void site.plant(path, { body: [markup] }),
    };
  }),
  {
    ...{ rule: 'a11y.aria-hidden-body', fault: 'a hidden body', where: 'shared' },
    plant: (site) => void site.plant('/faults/a11y-hidden-body', { bodyTag: '<body aria-hidden="true">' }),
    at: ['/faults/a11y-hidden-body'],
  },
];
