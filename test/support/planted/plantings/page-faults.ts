/** Faults that concern one page each and coexist in the large site. */

import { ORIGIN } from '../../audit-facts.js';
import type { PlantedPage } from '../planted-page.js';
import type { Planting } from '../planting.js';

const PHOTO = '/assets/photo.0123456789ab.png';

/** Plants one page with this change, and no other fault. */
function onePage(
  rule: string,
  fault: string,
  change: Partial<PlantedPage>,
  also?: Planting['also'],
): Planting {
  const path = `/faults/${rule.replaceAll('.', '-')}-${fault.replaceAll(/\W+/g, '-')}`.slice(0, 70);
  const fired =
    also && Object.fromEntries(Object.entries(also).map(([id, at]) => [id, at.length === 0 ? [path] : at]));
  return {
    ...{ rule, fault, where: 'shared', at: [path] },
    plant: (site) => void site.plant(path, change),
    ...(fired && { also: fired }),
  };
}

export const PAGE_FAULTS: readonly Planting[] = [
  onePage('http.meta-refresh', 'a meta refresh', {
    head: ['<meta http-equiv="refresh" content="5; url=/topics/1">'],
  }),
  onePage('http.ttfb', 'a slow response', { delayMs: 900 }),
  onePage('http.compression', 'text as it is', { compress: false }),
  onePage('http.content-type', 'two charsets', {
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
  }),
  onePage('perf.dom-size', 'two thousand elements', { body: ['<p>', '<b></b>'.repeat(2000), '</p>'] }),
  onePage('html.doctype', 'none', { doctype: null }),
  onePage('perf.html-size', 'half a megabyte', { body: [`<!-- ${'x'.repeat(520_000)} -->`] }),
  onePage('perf.render-blocking', 'a script that blocks', {
    head: ['<script src="/assets/app.0123456789ab.js"></script>'],
  }),
  onePage('perf.image-dimensions', 'no dimensions', { image: `<img src="${PHOTO}" alt="A buoy">` }),
  onePage('perf.image-lazy-hero', 'a lazy hero', {
    image: `<img src="${PHOTO}" alt="A buoy" width="64" height="48" loading="lazy">`,
  }),
  onePage('idx.noindex', 'a linked page', {
    head: ['<meta name="robots" content="noindex">'],
    inSitemap: false,
  }),
  onePage('idx.directive-conflict', 'meta against header', {
    head: ['<meta name="robots" content="nofollow">'],
    headers: { 'x-robots-tag': 'follow' },
  }),
  onePage('idx.snippet-limits', 'nosnippet', { head: ['<meta name="robots" content="nosnippet">'] }),
  onePage('idx.canonical-missing', 'none', { canonical: null }),
  onePage(
    'idx.canonical-multiple',
    'two',
    { head: [`<link rel="canonical" href="${ORIGIN}/topics/1">`] },
    { 'sitemap.urls-indexable': [] },
  ),
  onePage(
    'idx.canonical-target',
    'a page that is not there',
    { canonical: `${ORIGIN}/faults/no-such-page`, inSitemap: false },
    { 'sd.url-consistency': [] },
  ),
  onePage('idx.head-broken', 'a div in the head', {
    head: ['<div hidden>early</div>', '<meta name="author" content="A">'],
  }),
  onePage('sitemap.coverage', 'linked and not listed', { inSitemap: false }),
  onePage('title.present', 'no title', { title: null }),
  onePage('title.length', 'seven characters', { title: 'A title' }),
  onePage('desc.present', 'no description', { description: null }),
  onePage('desc.length', 'too short', { description: 'Short.' }),
  onePage('h1.single', 'none', { h1: null }),
  onePage('heading.order', 'a skipped level', { body: ['<h4>Deep down</h4>'] }),
  onePage('content.thin', 'a hundred words', { words: 100 }),
  onePage(
    'content.js-dependent',
    'an empty app root',
    { words: 3, body: ['<div id="root"></div>'] },
    { 'content.thin': [] },
  ),
  onePage('img.alt', 'no alt', { image: `<img src="${PHOTO}" width="64" height="48">` }),
  onePage('link.non-crawlable', 'a javascript address', {
    body: ['<a href="javascript:go()">The list of buoys</a>'],
  }),
  onePage('link.generic-text', 'click here', { body: ['<a href="/topics/1">click here</a>'] }),
  onePage('link.nofollow-internal', 'an internal nofollow', {
    body: ['<a rel="nofollow" href="/topics/1">The first topic</a>'],
  }),
  onePage('i18n.lang', 'no language', { lang: null }),
  onePage('i18n.hreflang', 'a code that is none', {
    head: [`<link rel="alternate" hreflang="english" href="${ORIGIN}/topics/1">`],
  }),
  onePage('mobile.viewport', 'none', { viewport: null }),
  onePage('sd.jsonld-parse', 'a comma too many', { jsonLd: '{"@context": "https://schema.org",}' }),
  onePage('sd.required-props', 'a product without a name', {
    jsonLd: '{"@context":"https://schema.org","@type":"Product"}',
  }),
  onePage('sd.url-consistency', 'another address', {
    jsonLd: JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      name: 'A page',
      url: `${ORIGIN}/topics/1`,
    }),
  }),
  onePage('social.og', 'no open graph', { og: false }),
  onePage('social.twitter', 'no card', { twitter: false }),
  onePage('sec.mixed-content', 'an http image', {
    body: [`<img src="http://www.example.com${PHOTO}" alt="A buoy" width="64" height="48">`],
  }),
  onePage('sec.cookies', 'a bare cookie', { headers: { 'set-cookie': 'id=1; Path=/' } }),
];
