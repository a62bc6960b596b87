/** Which words a reader sees, and which of them are the main part of the page. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';

const textOf = (html: string) => {
  const { document } = page('/', { html });
  if (!document) throw new Error('no document');
  return document.text;
};
const counts = (html: string) => {
  const { words, mainWords, noscriptWords } = textOf(html);
  return { words, mainWords, noscriptWords };
};

it.each([
  ['script', '<script>one two</script>'],
  ['style', '<style>one two</style>'],
  ['template', '<template>one two</template>'],
  ['head', '<head><title>one two</title></head>'],
  ['svg', '<svg><text>one two</text></svg>'],
  ['math', '<math><mi>one two</mi></math>'],
  ['iframe', '<iframe>one two</iframe>'],
  ['object', '<object>one two</object>'],
  ['select', '<select><option>one two</option></select>'],
  ['datalist', '<datalist><option>one two</option></datalist>'],
  ['hidden', '<p hidden>one two</p>'],
  ['display: none', '<p style="color:red; DISPLAY : none">one two</p>'],
  ['nested in hidden', '<div hidden><p><b>one</b> two</p></div>'],
])('does not count what nobody sees: %s', (_, html) => {
  expect(counts(`${html}<p>seen</p>`)).toEqual({ words: 1, mainWords: 1, noscriptWords: 0 });
});

it('counts what only looks hidden', () => {
  expect(
    counts('<p class=hidden>one</p><p style="display:block">two</p><p data-x="display:none">three</p>').words,
  ).toBe(3);
});

it.each(
  'a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q rp rt ruby s samp small span strong sub sup time tt u var'.split(
    ' ',
  ),
)('<%s> does not part a word', (tag) => {
  expect(counts(`<p>un<${tag}>break</${tag}>able`).words).toBe(1);
});

it.each(['p', 'div', 'li', 'h1', 'section', 'button', 'label'])('<%s> parts words', (tag) => {
  expect(counts(`<div>one<${tag}>two</${tag}>three</div>`).words).toBe(3);
});

it('parts words at a line break, and not where one may break', () => {
  expect(counts('<p>one<br>two').words).toBe(2);
  expect(counts('<p>un<wbr>breakable').words).toBe(1);
});

describe('the main part', () => {
  it.each([
    ['<main>one two</main>three', 2],
    ['<div role="main">one two</div>three', 2],
    ['<div role="navigation">one two</div>three', 3],
    ['<main>one<main>two</main>three</main>four', 3],
    ['<main>one</main>two<main>three</main>', 2],
    ['<main>one</main><main>two</main>', 2],
    ['<main> </main>one two', 2],
    ['<nav>one</nav>two<header>three</header><footer>four</footer><aside>five</aside>six', 2],
    ['<nav>one<aside>two</aside>three</nav>four', 1],
    ['<nav>one</nav><aside>two</aside>three', 1],
    ['<main>one<nav>two</nav></main>', 2],
    ['<nav>one</nav>', 0],
    ['one<nav>two</nav>', 1],
  ])('of %s has %i words', (html, mainWords) => {
    expect(counts(`<body>${html}`)).toMatchObject({ mainWords });
  });

  it('decides the fingerprint, what surrounds it does not', () => {
    const [a, b, c] = [
      '<nav>x</nav><main>same words here</main>',
      '<main>same words here</main>y z',
      '<main>other words</main>',
    ].map((html) => textOf(`<body>${html}`));
    expect([a?.simhash, a?.pairs]).toEqual([b?.simhash, b?.pairs]);
    expect(a?.simhash).not.toBe(c?.simhash);
    expect(a?.sha256).not.toBe(b?.sha256);
  });

  it('does not join words at its edges', () => {
    expect(counts('<body>one<span role="main">two</span>three')).toMatchObject({ words: 3, mainWords: 1 });
  });
});

it('counts the words for readers without scripts apart', () => {
  const html = '<body><noscript>one <b>two</b></noscript><p>three</p><noscript>four</noscript>';
  expect(counts(html)).toEqual({ words: 1, mainWords: 1, noscriptWords: 3 });
});

it('measures and hashes the text with folded blanks', () => {
  const { chars, sha256 } = textOf('<body> <h1>One</h1>\n\n<p>two\u00a0 <b>three</b>\tfour</p> ');
  const text = 'One two three four';
  expect([chars, sha256]).toEqual([text.length, createHash('sha256').update(text).digest('hex')]);
});
