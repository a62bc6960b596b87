/**
 * A site of 100 pages as a careful team would publish it, with what real sites have and faulty rules misjudge: a
 * template with navigation and search, tables, frames, tabs, responsive images, fonts in stylesheets, aliases of the
 * home page, image names with numbers, cookies, links to other sites, two languages.
 */
import { ORIGIN } from '../audit-facts.js';
import type { PlantedPage } from './planted-page.js';
import { PlantedSite } from './planted-site.js';

const PHOTO = '/assets/photo.0123456789ab.png';
const LONG = { 'cache-control': 'public, max-age=31536000, immutable' };

const HEADER = `<header>
<a href="/" aria-label="Home"><svg viewBox="0 0 8 8" aria-hidden="true"><path d="M0 0h8v8z"/></svg></a>
<nav aria-label="Topics"><ul><li><a href="/topics/1">The first topic</a></li><li><a href="/topics/2">The second topic</a></li></ul></nav>
<form action="/topics/1" role="search"><label for="q">Search</label><input id="q" name="q" type="search" autocomplete="off"><button type="submit">Search</button></form>
<button type="button" aria-expanded="false" aria-controls="menu" aria-haspopup="menu"><span aria-hidden="true">≡</span><span>Menu</span></button>
</header>`;

const BODY = `<h2 id="measurements">Measurements</h2>
<table><caption>What a buoy measures</caption><thead><tr><th scope="col">Day</th><th scope="col">Wave</th><th scope="col">Wind</th></tr></thead>
<tbody><tr><th scope="row">Monday</th><td>1.2</td><td>4</td></tr><tr><th scope="row">Tuesday</th><td>0.8</td><td>3</td></tr></tbody></table>
<h3>In pictures</h3>
<figure><picture><source srcset="${PHOTO} 640w, /assets/large.png 1280w" sizes="100vw"><img src="${PHOTO}" alt="Waves at dawn" width="64" height="48" loading="lazy"></picture><figcaption>Waves</figcaption></figure>
<img src="/images/fts5_formula1.png" alt="The formula of a wave" width="64" height="48"><img src="${PHOTO}" alt="" width="64" height="48">
<div role="tablist" aria-label="Units"><button type="button" role="tab" id="tab-m" aria-selected="true" aria-controls="panel-m">Metres</button><button type="button" role="tab" id="tab-f" aria-selected="false" aria-controls="panel-f">Feet</button></div>
<div role="tabpanel" id="panel-m" aria-labelledby="tab-m"><p>Metres are used at sea.</p></div><div role="tabpanel" id="panel-f" aria-labelledby="tab-f" hidden><p>Feet are used elsewhere.</p></div>
<iframe src="/map.html" title="A map of all buoys" width="300" height="200" loading="lazy"></iframe>
<video controls width="300" height="200" poster="${PHOTO}"><source src="/assets/sea.mp4" type="video/mp4"><track kind="captions" src="/assets/sea.vtt" srclang="en" label="English"></video>
<form action="/topics/1" method="post"><fieldset><legend>Newsletter</legend><label>Mail <input type="email" name="mail" autocomplete="email" required></label><label><input type="checkbox" name="daily"> Daily</label><label for="language">Language</label><select id="language" name="language"><option>English</option></select></fieldset><button type="submit">Subscribe</button></form>
<dl><dt>Drift</dt><dd>How far a buoy moves in a day.</dd></dl>
<p><a href="#measurements">Back to the measurements</a>, or read <a href="https://other.example.net/ok" rel="noopener">another site about buoys</a>.</p>`;

const FOOTER = `<footer><p>Written by people at sea. <a href="/index.html">The start page</a>, <a href="/legal.pdf">the terms as a file</a>.</p></footer>`;

export function createCleanSite(): PlantedSite {
  const site = new PlantedSite(100);
  site.headers['content-security-policy'] =
    "default-src 'self'; script-src 'self' 'nonce-r4nd0m'; frame-ancestors 'none'";
  site.headers['server'] = 'nginx';
  for (const page of site.pages.values()) dress(page);
  const home = site.pages.get('/');
  if (home) home.headers['set-cookie'] = 'session=1; Path=/; Secure; HttpOnly; SameSite=Lax';
  addFiles(site);
  site.responses.set('/index.html', (asked) => site.respond({ ...asked, path: '/' }));
  return site;
}

function dress(page: PlantedPage): void {
  page.bodyTag = `<body>${HEADER}`;
  page.body.push(BODY);
  page.tail = FOOTER;
  page.head.push(
    '<link rel="icon" href="/favicon.ico">',
    '<link rel="manifest" href="/site.webmanifest">',
    '<link rel="preload" as="font" type="font/woff2" href="/assets/sea.0a1b2c3d4e5f.woff2" crossorigin>',
    '<link rel="stylesheet" href="/assets/fonts.css">',
    `<link rel="alternate" hreflang="en" href="${ORIGIN}${page.path}">`,
  );
}

function addFiles(site: PlantedSite): void {
  const add = (path: string, type: string, body: string | Uint8Array = new Uint8Array(64), headers = {}) =>
    site.responses.set(path, { status: 200, headers: { 'content-type': type, ...headers }, body });
  add('/favicon.ico', 'image/x-icon');
  add('/site.webmanifest', 'application/manifest+json', '{}');
  add('/legal.pdf', 'application/pdf');
  add('/map.html', 'text/html; charset=utf-8', '<!doctype html><title>A map</title>');
  add('/images/fts5_formula1.png', 'image/png', new Uint8Array(64), { 'cache-control': 'max-age=60' });
  add('/assets/large.png', 'image/png');
  add('/assets/sea.mp4', 'video/mp4');
  add('/assets/sea.vtt', 'text/vtt');
  add('/assets/sea.0a1b2c3d4e5f.woff2', 'font/woff2', new Uint8Array(64), LONG);
  add(
    '/assets/fonts.css',
    'text/css; charset=utf-8',
    '@font-face{font-family:Sea;src:url(sea.0a1b2c3d4e5f.woff2) format("woff2")}body{background:url(large.png)}',
  );
}
