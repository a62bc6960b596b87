/** The registry matches the catalogue: every rule with its category, scope, severity and weight. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { PLANTINGS } from '../../../test/support/planted/plantings/index.js';
import { RECIPE_VERSION } from '../recipe.js';
import { RULES } from './index.js';

const CATALOGUE = `
http.status-ok crawl page error 10 | http.soft-404 crawl site warn 5 | http.redirect-chain crawl page warn 5
http.redirect-loop crawl page error 9 | http.redirect-temporary crawl page info 2
http.meta-refresh crawl page warn 3 | http.host-variants crawl site warn 6 | http.trailing-slash-dup crawl site info 3
http.ttfb perf page warn 4 | http.version perf site info 2 | http.compression perf page warn 5
http.cache-static perf page warn 3 | http.cache-html-validators perf page info 2 | http.content-type crawl page warn 4
perf.html-size perf page warn 6 | perf.dom-size perf page info 1 | perf.page-weight perf page info 3
perf.render-blocking perf page info 2 | perf.image-dimensions perf page info 2 | perf.image-lazy-hero perf page info 2
idx.noindex index page error 10 | idx.directive-conflict index page warn 6 | idx.blocked-by-robots index page error 9
idx.snippet-limits index page info 2 | idx.canonical-missing index page warn 5
idx.canonical-multiple index page error 6 | idx.canonical-invalid index page error 6
idx.canonical-target index page warn 6 | idx.head-broken index page error 7 | robots.reachable crawl site warn 6
robots.valid crawl site warn 4 | robots.blocks-assets crawl site warn 4 | sitemap.present crawl site warn 5
sitemap.valid crawl site error 5 | sitemap.urls-indexable crawl site warn 6 | sitemap.coverage crawl site info 3
title.present content page error 8 | title.length content page warn 3 | title.duplicate content site warn 6
desc.present content page warn 4 | desc.length content page info 2 | desc.duplicate content site warn 3
h1.single content page warn 4 | heading.order content page info 2 | content.thin content page info 3
content.duplicate content site warn 5 | content.js-dependent ai page warn 6 | img.alt content page warn 4
a11y.label a11y page warn 6 | a11y.button-name a11y page warn 6 | a11y.link-name a11y page warn 5
a11y.graphic-name a11y page warn 4 | a11y.widget-name a11y page warn 3 | a11y.frame-title a11y page warn 4
a11y.duplicate-id a11y page warn 4 | a11y.table-headers a11y page warn 3 | a11y.table-caption a11y page info 1
a11y.list-structure a11y page warn 2 | a11y.aria-attribute a11y page warn 4 | a11y.aria-allowed a11y page warn 3
a11y.aria-value a11y page warn 3 | a11y.aria-role a11y page warn 4 | a11y.aria-required a11y page warn 4
a11y.aria-parent a11y page warn 3 | a11y.aria-hidden-body a11y page error 8 | a11y.nested-interactive a11y page warn 3
a11y.lang a11y page warn 2 | a11y.tabindex a11y page info 1 | a11y.accesskey a11y page info 1
a11y.autocomplete a11y page info 1 | a11y.captions a11y page info 2 | a11y.autoplay a11y page warn 2
a11y.landmark a11y page info 1 | a11y.obsolete a11y page info 1 | link.broken-internal links site error 8
link.broken-external links site warn 3 | asset.broken-style links site error 8
asset.broken-script links site error 8 | asset.broken-image links site error 6 | asset.broken-font links site warn 4
asset.broken-embed links site warn 4 | link.non-crawlable links page warn 4 | link.generic-text links page info 2
link.depth links site info 3 | link.nofollow-internal links page info 2 | i18n.lang i18n page warn 4
i18n.hreflang i18n site warn 5 | mobile.viewport mobile page warn 6 | html.doctype mobile page info 2
sd.jsonld-parse schema page error 5 | sd.required-props schema page warn 4 | sd.url-consistency schema page info 2
social.og social page warn 3 | social.twitter social page info 1 | sec.https security site error 8
sec.mixed-content security page error 6 | sec.hsts security site warn 4 | sec.headers security site warn 4
sec.cookies security site warn 3 | sec.leaks security site error 10 | sec.source-maps security site info 2
sec.server-version security site info 1 | ai.crawler-access ai site info 4 | ai.search-bot-blocked ai site warn 5
ai.llms-txt ai site info 2 | ai.content-signal ai site info 1`;

it('contains the rules of the catalogue in order', () => {
  const listed = CATALOGUE.split(/[|\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '');
  const held = RULES.map(({ id, category, scope, severity, weight }) =>
    [id, category, scope, severity, weight].join(' '),
  );
  expect(held).toEqual(listed);
});

/** What each recipe scores. Entries are only added: stored audits have the version and keep their scores. */
const RECIPES: Readonly<Record<string, string>> = {
  v2: 'b00dc16a360c7c7ab9712ec652ed0daaac23f974f5de2ac9fa9ade9e193642a2',
};

it('has a recipe version of its own', () => {
  const scored = RULES.map(({ id, severity, weight }) => `${id} ${severity} ${weight}`).join('\n');
  const digest = createHash('sha256').update(scored).digest('hex');
  const hint =
    'rules changed; raise RECIPE_VERSION in src/audits/recipe.ts and add its digest to RECIPES here';
  expect(digest, hint).toBe(RECIPES[RECIPE_VERSION]);
});

it('every rule has a planted fault', () => {
  const planted = new Set(PLANTINGS.map(({ rule }) => rule));
  const missing = RULES.map(({ id }) => id).filter((id) => !planted.has(id));
  expect(missing, 'plant them in test/support/planted/plantings/').toEqual([]);
});
