/** All rules, in the order of the catalogue and of reports. An explicit list, so that what runs can be read here. */
import type { Rule } from '../rule.js';
import { aiContentSignal } from './ai-content-signal.js';
import { aiCrawlerAccess } from './ai-crawler-access.js';
import { aiLlmsTxt } from './ai-llms-txt.js';
import { aiSearchBotBlocked } from './ai-search-bot-blocked.js';
import { ASSET_RULES } from './asset-rules.js';
import { contentDuplicate } from './content-duplicate.js';
import { contentJsDependent } from './content-js-dependent.js';
import { descPresent } from './desc-present.js';
import { DUPLICATE_RULES } from './duplicate-rules.js';
import { h1Single } from './h1-single.js';
import { headingOrder } from './heading-order.js';
import { httpCacheHtmlValidators } from './http-cache-html-validators.js';
import { httpCacheStatic } from './http-cache-static.js';
import { httpCompression } from './http-compression.js';
import { httpContentType } from './http-content-type.js';
import { httpHostVariants } from './http-host-variants.js';
import { httpMetaRefresh } from './http-meta-refresh.js';
import { httpRedirectChain } from './http-redirect-chain.js';
import { httpRedirectLoop } from './http-redirect-loop.js';
import { httpRedirectTemporary } from './http-redirect-temporary.js';
import { httpSoft404 } from './http-soft-404.js';
import { httpStatusOk } from './http-status-ok.js';
import { httpTrailingSlashDup } from './http-trailing-slash-dup.js';
import { httpVersion } from './http-version.js';
import { i18nHreflang } from './i18n-hreflang.js';
import { i18nLang } from './i18n-lang.js';
import { idxBlockedByRobots } from './idx-blocked-by-robots.js';
import { idxCanonicalInvalid } from './idx-canonical-invalid.js';
import { idxCanonicalMissing } from './idx-canonical-missing.js';
import { idxCanonicalMultiple } from './idx-canonical-multiple.js';
import { idxCanonicalTarget } from './idx-canonical-target.js';
import { idxDirectiveConflict } from './idx-directive-conflict.js';
import { idxHeadBroken } from './idx-head-broken.js';
import { idxNoindex } from './idx-noindex.js';
import { idxSnippetLimits } from './idx-snippet-limits.js';
import { imgAlt } from './img-alt.js';
import { linkBrokenExternal } from './link-broken-external.js';
import { linkBrokenInternal } from './link-broken-internal.js';
import { linkDepth } from './link-depth.js';
import { linkGenericText } from './link-generic-text.js';
import { linkNofollowInternal } from './link-nofollow-internal.js';
import { linkNonCrawlable } from './link-non-crawlable.js';
import { MARKUP_RULES } from './markup-rules.js';
import { mobileViewport } from './mobile-viewport.js';
import { perfImageDimensions } from './perf-image-dimensions.js';
import { perfImageLazyHero } from './perf-image-lazy-hero.js';
import { perfPageWeight } from './perf-page-weight.js';
import { perfRenderBlocking } from './perf-render-blocking.js';
import { robotsBlocksAssets } from './robots-blocks-assets.js';
import { robotsReachable } from './robots-reachable.js';
import { robotsValid } from './robots-valid.js';
import { sdJsonldParse } from './sd-jsonld-parse.js';
import { sdRequiredProps } from './sd-required-props.js';
import { sdUrlConsistency } from './sd-url-consistency.js';
import { secCookies } from './sec-cookies.js';
import { secHeaders } from './sec-headers.js';
import { secHsts } from './sec-hsts.js';
import { secHttps } from './sec-https.js';
import { secLeaks } from './sec-leaks.js';
import { secMixedContent } from './sec-mixed-content.js';
import { secServerVersion } from './sec-server-version.js';
import { secSourceMaps } from './sec-source-maps.js';
import { sitemapCoverage } from './sitemap-coverage.js';
import { sitemapPresent } from './sitemap-present.js';
import { sitemapUrlsIndexable } from './sitemap-urls-indexable.js';
import { sitemapValid } from './sitemap-valid.js';
import { socialOg } from './social-og.js';
import { socialTwitter } from './social-twitter.js';
import { TABLE_RULES } from './table-rules.js';
import { titlePresent } from './title-present.js';

/** A rule that is a row of a table. */
function row(id: string): Rule {
  const rule = [...TABLE_RULES, ...DUPLICATE_RULES].find((each) => each.id === id);
  if (!rule) throw new Error(`no row has the id ${id}`);
  return rule;
}

export const RULES: readonly Rule[] = [
  httpStatusOk,
  httpSoft404,
  httpRedirectChain,
  httpRedirectLoop,
  httpRedirectTemporary,
  httpMetaRefresh,
  httpHostVariants,
  httpTrailingSlashDup,
  row('http.ttfb'),
  httpVersion,
  httpCompression,
  httpCacheStatic,
  httpCacheHtmlValidators,
  httpContentType,
  row('perf.html-size'),
  row('perf.dom-size'),
  perfPageWeight,
  perfRenderBlocking,
  perfImageDimensions,
  perfImageLazyHero,
  idxNoindex,
  idxDirectiveConflict,
  idxBlockedByRobots,
  idxSnippetLimits,
  idxCanonicalMissing,
  idxCanonicalMultiple,
  idxCanonicalInvalid,
  idxCanonicalTarget,
  idxHeadBroken,
  robotsReachable,
  robotsValid,
  robotsBlocksAssets,
  sitemapPresent,
  sitemapValid,
  sitemapUrlsIndexable,
  sitemapCoverage,
  titlePresent,
  row('title.length'),
  row('title.duplicate'),
  descPresent,
  row('desc.length'),
  row('desc.duplicate'),
  h1Single,
  headingOrder,
  row('content.thin'),
  contentDuplicate,
  contentJsDependent,
  imgAlt,
  ...MARKUP_RULES,
  linkBrokenInternal,
  linkBrokenExternal,
  ...ASSET_RULES,
  linkNonCrawlable,
  linkGenericText,
  linkDepth,
  linkNofollowInternal,
  i18nLang,
  i18nHreflang,
  mobileViewport,
  row('html.doctype'),
  sdJsonldParse,
  sdRequiredProps,
  sdUrlConsistency,
  socialOg,
  socialTwitter,
  secHttps,
  secMixedContent,
  secHsts,
  secHeaders,
  secCookies,
  secLeaks,
  secSourceMaps,
  secServerVersion,
  aiCrawlerAccess,
  aiSearchBotBlocked,
  aiLlmsTxt,
  aiContentSignal,
];
