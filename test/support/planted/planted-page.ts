/** A page without faults; a planting can replace every part of it. */
import { ORIGIN } from '../audit-facts.js';
import { sentences } from './words.js';

export interface PlantedPage {
  readonly path: string;
  status: number;
  /** Replaces headers of the clean response; null removes one. */
  headers: Record<string, string | null>;
  lang: string | null;
  /** Null omits the element. */
  title: string | null;
  description: string | null;
  /** Absolute; null omits it. */
  canonical: string | null;
  viewport: string | null;
  h1: string | null;
  words: number;
  /** Seed of the text; pages that share it are duplicates. */
  seed: string;
  og: boolean;
  twitter: boolean;
  /** JSON-LD text; null for none. */
  jsonLd: string | null;
  image: string | null;
  /** The start tag of the body. */
  bodyTag: string;
  /** Null omits it. */
  doctype: string | null;
  /** Markup at the end of the head and of the main part. */
  head: string[];
  body: string[];
  /** Markup after the main part. */
  tail: string;
  /** Paths or URLs this page links to, in addition to the link back. */
  links: string[];
  inSitemap: boolean;
  /** The whole body of the response, instead of all of the above. */
  html: string | null;
  /** Whether to compress for clients that accept it. */
  compress: boolean;
  /** Delay before the response starts. */
  delayMs: number;
}

export function cleanPage(path: string, parent: string | null): PlantedPage {
  const name = path === '/' ? 'home' : path.slice(1).replaceAll(/[/-]/g, ' ');
  return {
    path,
    status: 200,
    headers: {},
    lang: 'en',
    title: `The clean page called ${name}`.slice(0, 58),
    description:
      `What ${name} is about, who it is written for and why somebody might want to read all of it.`.slice(
        0,
        155,
      ),
    canonical: ORIGIN + path,
    viewport: 'width=device-width, initial-scale=1',
    h1: `About ${name}`,
    words: 190,
    seed: path,
    og: true,
    twitter: true,
    jsonLd: JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      name,
      url: ORIGIN + path,
    }),
    image: '<img src="/assets/photo.0123456789ab.png" alt="A buoy on a calm sea" width="64" height="48">',
    bodyTag: '<body>',
    doctype: '<!doctype html>',
    head: [],
    body: [],
    tail: '',
    links: parent === null ? [] : [parent],
    inSitemap: true,
    html: null,
    compress: true,
    delayMs: 0,
  };
}

export function renderPage(page: PlantedPage): string {
  if (page.html !== null) return page.html;
  const { title, description, canonical, viewport, h1, lang } = page;
  const head = [
    '<meta charset="utf-8">',
    ...(title === null ? [] : [`<title>${title}</title>`]),
    ...(description === null ? [] : [`<meta name="description" content="${description}">`]),
    ...(viewport === null ? [] : [`<meta name="viewport" content="${viewport}">`]),
    ...(canonical === null ? [] : [`<link rel="canonical" href="${canonical}">`]),
    '<link rel="stylesheet" href="/assets/site.0123456789ab.css">',
    '<script src="/assets/app.0123456789ab.js" defer></script>',
    ...(page.og ? openGraph(page) : []),
    ...(page.twitter ? ['<meta name="twitter:card" content="summary">'] : []),
    ...(page.jsonLd === null ? [] : [`<script type="application/ld+json">${page.jsonLd}</script>`]),
    ...page.head,
  ];
  const links = page.links.map(
    (href) => `<li><a href="${href}">Read about ${href.replaceAll(/\W+/g, ' ').trim() || 'home'}</a></li>`,
  );
  return `${page.doctype ?? ''}
<html${lang === null ? '' : ` lang="${lang}"`}>
<head>
${head.join('\n')}
</head>
${page.bodyTag}
<main>
${h1 === null ? '' : `<h1>${h1}</h1>`}
${page.image ?? ''}
<p>${sentences(page.seed, page.words)}</p>
${page.body.join('\n')}
</main>
<nav><ul>
${links.join('\n')}
</ul></nav>
${page.tail}
</body>
</html>
`;
}

function openGraph({ path, title }: PlantedPage): string[] {
  return [
    `<meta property="og:title" content="${title ?? 'A page'}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:url" content="${ORIGIN}${path}">`,
    `<meta property="og:image" content="${ORIGIN}/assets/photo.0123456789ab.png">`,
  ];
}
