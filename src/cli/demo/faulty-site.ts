/**
 * The small site of a balloon workshop, with planted faults of the kind that audits find: broken links and images,
 * missing and duplicate titles, a redirect chain, and a noindex page that the sitemap lists.
 */
interface Page {
  readonly title?: string;
  readonly description?: string;
  readonly heading?: string;
  readonly language?: string;
  readonly robots?: string;
  readonly content: string;
}

const NAVIGATION = `<nav><a href="/">Home</a> <a href="/balloons">Balloons</a> <a href="/sondes">Sondes</a>
<a href="/flights">Flights</a> <a href="/about">About</a></nav>`;

const text = (subject: string): string =>
  `<p>${subject} are built in our workshop by the harbour, tested on the roof and packed by hand. Each one is numbered,
and its number is kept together with everything that it measured, for as long as anyone wants to know.</p>`;

const PAGES: Readonly<Record<string, Page>> = {
  '/': {
    title: 'The balloon workshop',
    description: 'Balloons and sondes, built by hand by the harbour.',
    heading: 'The balloon workshop',
    content: `${text('Balloons')}<a href="/balloons">All balloons</a> <a href="/old-catalogue">Catalogue</a>`,
  },
  // Same title as /sondes.
  '/balloons': {
    title: 'Our products',
    description: 'Every balloon that we build.',
    heading: 'Balloons',
    content: `${text('Balloons')}<a href="/balloons/small">Small</a> <a href="/balloons/large">Large</a>
<img src="/images/balloon.png" width="320" height="200"> <a href="/balloons/discontinued">Discontinued</a>`,
  },
  '/sondes': {
    title: 'Our products',
    description: 'Every sonde that we build.',
    heading: 'Sondes',
    content: `${text('Sondes')}<img src="/images/missing.png" alt="A sonde on its line" width="320" height="200">
<form action="/search"><input name="q"></form>`,
  },
  // No title and no description.
  '/balloons/small': { heading: 'Small balloons', content: text('Small balloons') },
  // No heading, and an invalid language.
  '/balloons/large': {
    title: 'Large balloons',
    description: 'Balloons for heavy loads.',
    language: 'english',
    content: text('Large balloons'),
  },
  '/flights': {
    title: 'Flights',
    description: 'Where our sondes have been.',
    heading: 'Flights',
    content: `<h4>Last year</h4>${text('Sondes')}<a href="/flights/lost">Lost sondes</a> <a href="/about">here</a>`,
  },
  // Listed in the sitemap although it is noindex.
  '/flights/lost': {
    title: 'Lost sondes',
    description: 'Sondes that never came back.',
    heading: 'Lost sondes',
    robots: 'noindex',
    content: text('Sondes'),
  },
  '/about': {
    title: 'About the balloon workshop',
    description: 'Who builds our balloons.',
    heading: 'About us',
    content: `${text('Balloons')}<a href="/careers">Careers</a> <a href="mailto:workshop@balloons.example">Write to us</a>`,
  },
  '/catalogue': {
    title: 'Catalogue',
    description: 'Everything that we build.',
    heading: 'Catalogue',
    content: `${text('Balloons and sondes')}<a href="/balloons">Balloons</a>`,
  },
};

/** Two hops to a page that could be linked directly. */
const REDIRECTS: Readonly<Record<string, string>> = {
  '/old-catalogue': '/catalogue.html',
  '/catalogue.html': '/catalogue',
};

const IN_SITEMAP = ['/', '/balloons', '/sondes', '/flights', '/flights/lost', '/about', '/retired'];

/** One transparent pixel. */
const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

export function respondAsFaultySite(path: string, origin: string): Response {
  const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page) return html(pageOf(page), 200);
  const location = Object.hasOwn(REDIRECTS, path) ? REDIRECTS[path] : undefined;
  if (location !== undefined) return new Response(null, { status: 301, headers: { location } });
  if (path === '/robots.txt') return plain(`User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`);
  if (path === '/sitemap.xml') return sitemap(origin);
  if (path === '/images/balloon.png') {
    return new Response(PIXEL, { headers: { 'content-type': 'image/png', 'cache-control': 'max-age=3600' } });
  }
  return html(pageOf({ title: 'Not found', heading: 'There is no such page', content: '' }), 404);
}

function pageOf({ title, description, heading, language = 'en', robots, content }: Page): string {
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    title === undefined ? '' : `<title>${title}</title>`,
    description === undefined ? '' : `<meta name="description" content="${description}">`,
    robots === undefined ? '' : `<meta name="robots" content="${robots}">`,
  ].join('');
  const top = heading === undefined ? '' : `<h1>${heading}</h1>`;
  return `<!doctype html><html lang="${language}"><head>${head}</head><body>${NAVIGATION}<main>${top}${content}</main></body></html>`;
}

function html(body: string, status: number): Response {
  return new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}

function plain(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

function sitemap(origin: string): Response {
  const urls = IN_SITEMAP.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
  const body = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
  return new Response(body, { headers: { 'content-type': 'application/xml' } });
}
