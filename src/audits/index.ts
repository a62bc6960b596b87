/** The public door of `audits/`. */
export type { CookieFacts, FetchFacts, FetchFault, FetchRedirect, TlsFacts } from './facts/fetch-facts.js';
export type { DocumentFacts, PageFacts } from './facts/page-facts.js';
export type { SiteFacts, SiteProbes, SiteRecord } from './facts/site-facts.js';
