/** What is noted of each kind of element, up to which bound, and what is left alone. */
import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';

const facts = (html: string) => {
  const { document } = page('/a/b', { html });
  if (!document) throw new Error('no document');
  return document;
};

const SITE = 'https://www.example.com';

describe('the title', () => {
  it('is noted with folded blanks, its line and whether it is in the head', () => {
    const { titles } = facts('<head>\n<title> One \n two </title></head><body><title>Three</title>');
    expect(titles).toEqual([
      { text: 'One two', line: 2, inHead: true },
      { text: 'Three', line: 3, inHead: false },
    ]);
  });

  it('of a drawing is not the title of the page', () => {
    expect(facts('<svg><title>Chart</title></svg>').titles).toEqual([]);
  });

  it.each([
    [300, 'x'.repeat(300)],
    [301, `${'x'.repeat(299)}…`],
  ])('of %i characters is kept up to 300', (length, kept) => {
    expect(facts(`<title>${'x'.repeat(length)}</title>`).titles[0]?.text).toBe(kept);
  });
});

it('notes the attributes of a meta element in lower case, and its content as written', () => {
  const { metas } = facts(
    '<head><meta name=" Robots " content=" NoIndex "><meta property="OG:Title" content="">\n' +
      '<meta http-equiv="Refresh"><meta charset="UTF-8"></head><body><meta name="late">',
  );
  const none = { name: null, property: null, httpEquiv: null, charset: null, content: null };
  expect(metas).toEqual([
    { ...none, name: 'robots', content: ' NoIndex ', line: 1, inHead: true },
    { ...none, property: 'og:title', content: '', line: 1, inHead: true },
    { ...none, httpEquiv: 'refresh', line: 2, inHead: true },
    { ...none, charset: 'utf-8', line: 2, inHead: true },
    { ...none, name: 'late', line: 2, inHead: false },
  ]);
});

it('notes the attributes of a link element, resolved', () => {
  const { links } = facts(
    '<head><link rel="Alternate  STYLESHEET" href="x.css?a=1" hreflang="DE" media="Print" type=" Text/CSS " as="Style" disabled>\n<link></head>',
  );
  expect(links).toEqual([
    {
      rel: ['alternate', 'stylesheet'],
      href: 'x.css?a=1',
      url: `${SITE}/a/x.css?a=1`,
      hreflang: 'DE',
      media: 'Print',
      type: 'text/css',
      as: 'style',
      disabled: true,
      line: 1,
      inHead: true,
    },
    {
      rel: [],
      href: null,
      url: null,
      hreflang: null,
      media: null,
      type: null,
      as: null,
      disabled: false,
      line: 2,
      inHead: true,
    },
  ]);
});

it('notes headings of every level, and no other element', () => {
  const levels = [1, 2, 3, 4, 5, 6].map((level) => `<h${level}>H${level}</h${level}>`);
  expect(facts(`${levels.join('\n')}<header>x</header>`).headings).toEqual(
    [1, 2, 3, 4, 5, 6].map((level) => ({ level, text: `H${level}`, line: level })),
  );
});

describe('an anchor', () => {
  it.each([
    ['<a href=/x aria-label=" Label ">Text</a>', 'Label'],
    ['<a href=/x aria-label=" "> Text  of <b>two</b> parts </a>', 'Text of two parts'],
    ['<a href=/x title="Title"><img alt="One"><b><img alt="Two"></b></a>', 'One Two'],
    ['<a href=/x><svg><title>Drawn</title></svg></a>', 'Drawn'],
    ['<a href=/x title=" Title "><img alt=""></a>', 'Title'],
    ['<area href=/x alt=" Area ">', 'Area'],
    ['<area href=/x title="Title" alt="Area">', 'Title'],
    ['<a href=/x></a>', ''],
  ])('is named: %s → %j', (html, name) => {
    expect(facts(html).anchors.map(({ text }) => text)).toEqual([name]);
  });

  it('without an address is a target, if it has a name or an id and nothing happens on a click', () => {
    const { anchors } = facts(
      '<a name=a></a><a id=b></a><a id=c onclick="x()"></a><a id=d href=/d></a><a></a><a name=""></a>',
    );
    expect(anchors.map(({ targetOnly }) => targetOnly)).toEqual([true, true, false, false, false, true]);
    expect(anchors.map(({ onclick }) => onclick)).toEqual([false, false, true, false, false, false]);
  });

  it('keeps its relations and its address as written', () => {
    const { anchors } = facts('\n<a href="../c#d" rel="NoFollow  noopener">x</a>');
    expect(anchors).toEqual([
      {
        href: '../c#d',
        url: `${SITE}/c`,
        fragment: 'd',
        internal: true,
        text: 'x',
        rel: ['nofollow', 'noopener'],
        onclick: false,
        targetOnly: false,
        line: 2,
      },
    ]);
  });

  it.each(['mailto:a@example.com', 'ftp://www.example.com/', 'http://['])(
    'to %s leads to no page',
    (href) => {
      expect(facts(`<a href="${href}">x</a>`).anchors[0]).toMatchObject({ url: null, internal: false });
    },
  );

  it('of 2,048 characters in all leads to a page, one of 2,049 does not', () => {
    const path = 'x'.repeat(2_048 - `${SITE}/`.length);
    const urls = facts(`<a href="/${path}">x</a><a href="/${path}y">x</a>`).anchors.map(({ url }) => url);
    expect(urls).toEqual([`${SITE}/${path}`, null]);
  });
});

describe('the base', () => {
  it('is the first one that has an address, for what follows it', () => {
    const { anchors, baseHref } = facts(
      '<a href=x>1</a><a href=/y>1</a><base target=_top><base href="https://example.net/c/"><base href="/d/"><a href=x>2</a><a href=/y>2</a>',
    );
    expect(baseHref).toBe('https://example.net/c/');
    expect(anchors.map(({ url }) => url)).toEqual([
      `${SITE}/a/x`,
      `${SITE}/y`,
      'https://example.net/c/x',
      'https://example.net/y',
    ]);
  });

  it('stays that of the page where its address is none', () => {
    const { anchors, baseHref } = facts('<base href="http://["><base href="/d/"><a href=x>1</a>');
    expect([baseHref, anchors[0]?.url]).toEqual(['http://[', `${SITE}/a/x`]);
  });
});

it('notes ids and names of anchors, and none that is empty', () => {
  expect(facts('<p id=a><a name=b></a><a name=""></a><p id="">').ids).toEqual(['a', 'b']);
});

describe('an element that acts as a link', () => {
  it.each([
    '<div onclick="location.href=\'/x\'">x</div>',
    '<div onclick="window.open(\'/x\')">x</div>',
    '<div onclick="navigate(\'/x\')">x</div>',
    '<div onclick="router.push(\'/x\')">x</div>',
    '<div role="link">x</div>',
    '<div role="link" onclick="show()">x</div>',
  ])('is noted: %s', (html) => {
    const source = html.slice(0, html.indexOf('>') + 1);
    expect(facts(`\n${html}`).clickables).toEqual([{ tag: 'div', line: 2, html: source }]);
  });

  it.each([
    '<div onclick="show()">x</div>',
    '<div onclick="relocations()">x</div>',
    '<div data-x="location">x</div>',
    '<div role="button">x</div>',
    '<a onclick="location.href=\'/x\'">x</a>',
    '<area onclick="location.href=\'/x\'">',
  ])('is none: %s', (html) => {
    expect(facts(html).clickables).toEqual([]);
  });
});

describe('an image', () => {
  it('is noted with its attributes', () => {
    const { images } = facts(
      '<img src="a.png" alt=" A " width="10" height="20%" loading="LAZY" fetchpriority="High">\n<img>',
    );
    expect(images).toEqual([
      {
        src: 'a.png',
        url: `${SITE}/a/a.png`,
        alt: ' A ',
        labelledOtherwise: false,
        width: '10',
        height: '20%',
        sizedByStyle: false,
        loading: 'lazy',
        fetchPriority: 'high',
        line: 1,
      },
      {
        src: null,
        url: null,
        alt: null,
        labelledOtherwise: false,
        width: null,
        height: null,
        sizedByStyle: false,
        loading: null,
        fetchPriority: null,
        line: 2,
      },
    ]);
  });

  it.each([
    ['role="presentation"', true],
    ['role="none"', true],
    ['role="img"', false],
    ['aria-hidden="true"', true],
    ['aria-hidden="false"', false],
    ['aria-label="x"', true],
    ['aria-labelledby="x"', true],
  ])('with %s needs no alternative text: %s', (attributes, labelledOtherwise) => {
    expect(facts(`<img ${attributes}>`).images).toMatchObject([{ labelledOtherwise }]);
  });

  it.each([
    ['width:1px', true],
    ['color:red; HEIGHT : 1px', true],
    ['color:red;aspect-ratio:1', true],
    ['max-width:1px', false],
    ['--width:1px', false],
  ])('styled by %j has a size: %s', (style, sizedByStyle) => {
    expect(facts(`<img style="${style}">`).images).toMatchObject([{ sizedByStyle }]);
  });

  it('for readers without scripts is not loaded', () => {
    const { images, embeds } = facts(
      '<body><noscript><img src=a.png srcset="b.png 2x"></noscript><img src=c.png>',
    );
    expect([images.map(({ src }) => src), embeds]).toEqual([['c.png'], []]);
  });

  it('loads every file of its set of sources', () => {
    const { embeds } = facts('<img src=a.png srcset="b.png 1x, c.png 2x">');
    expect(embeds).toEqual([
      { tag: 'img', kind: 'image', src: 'b.png', url: `${SITE}/a/b.png`, line: 1 },
      { tag: 'img', kind: 'image', src: 'c.png', url: `${SITE}/a/c.png`, line: 1 },
    ]);
  });
});

it('notes scripts with what decides when they load', () => {
  const { scripts } = facts(
    '<head><script src=a.js type=" Module " async integrity="x"></script></head><body>\n<script defer>1 + 1</script>',
  );
  expect(scripts).toEqual([
    {
      src: 'a.js',
      url: `${SITE}/a/a.js`,
      type: 'module',
      async: true,
      defer: false,
      inHead: true,
      integrity: true,
      inlineBytes: 0,
      line: 1,
    },
    {
      src: null,
      url: null,
      type: '',
      async: false,
      defer: true,
      inHead: false,
      integrity: false,
      inlineBytes: 5,
      line: 2,
    },
  ]);
});

it.each(['application/ld+json', ' Application/LD+JSON ', 'application/ld+json; charset=utf-8'])(
  'reads a script of the type %j as JSON-LD',
  (type) => {
    const { jsonLd, scripts } = facts(`\n<script type="${type}">{"a":1}</script>`);
    expect([jsonLd, scripts]).toEqual([[{ line: 2, value: { a: 1 }, error: null, cut: false }], []]);
  },
);

it.each([
  ['<iframe src=x></iframe>', ['iframe embed x']],
  ['<video src=x></video>', ['video embed x']],
  ['<video poster=x></video>', ['video image x']],
  ['<audio src=x></audio>', ['audio embed x']],
  ['<video><source src=x srcset="y 1x"></video>', ['source embed x', 'source image y']],
  ['<video><track src=x></video>', ['track embed x']],
  ['<embed src=x>', ['embed embed x']],
  ['<object data=x></object>', ['object embed x']],
  ['<input type=Image src=x>', ['input image x']],
  ['<style>a{background:url(x)}@import "y";</style>', ['style image x', 'style style y']],
  ['<p style="background:url(x)">a</p>', ['p image x']],
  ['<iframe></iframe><iframe src=""></iframe><object src=x></object><audio poster=x></audio>', []],
  ['<input src=x><input type=text src=x>', []],
  ['<p style="color:red">a</p><p srcset="x 1x">b</p>', []],
])('of %s loads %j', (html, loaded) => {
  const { embeds } = facts(html);
  expect(embeds.map(({ tag, kind, src }) => `${tag} ${kind} ${src}`)).toEqual(loaded);
});

it('notes a frame of a frameset', () => {
  const { embeds } = facts('<frameset><frame src=x></frameset>');
  expect(embeds).toMatchObject([{ tag: 'frame', url: `${SITE}/a/x` }]);
});

it('notes where a form leads apart from what a page loads', () => {
  const { forms, embeds } = facts('<form action="/send"></form><form></form>');
  expect([forms, embeds]).toEqual([
    [{ tag: 'form', kind: 'embed', src: '/send', url: `${SITE}/send`, line: 1 }],
    [],
  ]);
});

describe('the root of an application', () => {
  it.each('root app __next __nuxt ___gatsby svelte ember-app app-root react-root main-app ROOT'.split(' '))(
    'is recognized by the id %s',
    (id) => {
      const { text } = facts(`\n<div id="${id}"></div>`);
      expect(text.emptyAppRoot).toEqual({ tag: 'div', line: 2, html: `<div id="${id}">` });
    },
  );

  it.each([
    '<div id=root> \n<script></script><noscript>x</noscript><!-- x --></div>',
    '<div id=app></div><div id=root></div>',
  ])('is empty: %s', (html) => {
    expect(facts(html).text.emptyAppRoot).toMatchObject({ tag: 'div', line: 1 });
  });

  it('is the first one that is empty', () => {
    const { text } = facts('<div id=app>x</div>\n<div id=root></div>\n<div id=__next></div>');
    expect(text.emptyAppRoot?.line).toBe(2);
  });

  it.each([
    '<div id=root>x</div>',
    '<div id=root><p></p></div>',
    '<div id=my-root></div>',
    '<div id=rooted></div>',
    '<div class=root></div>',
  ])('is none: %s', (html) => {
    expect(facts(html).text.emptyAppRoot).toBeNull();
  });
});

it('counts every element below the root', () => {
  expect(facts('<html><head></head><body><p>a<b>c</b></p></body></html>').elements).toBe(4);
});

it('notes the language and the doctype, or that there is none', () => {
  expect(facts('<!doctype html>\n<html lang="de-CH"><p>x')).toMatchObject({
    doctype: 'html',
    lang: 'de-CH',
    langLine: 2,
  });
  expect(facts('<p>x')).toMatchObject({ doctype: null, lang: null, langLine: null, parseCut: false });
  expect(facts(`<html lang="${'x'.repeat(301)}">`).lang).toBe('x'.repeat(300));
});
