/**
 * Resolves the URLs of one document, each once. A path that begins with a slash means the same on every page of an
 * origin and occurs on many of them, so it is cached across documents. That cache is bounded and never contains URLs
 * with a query or credentials, which each document redacts for itself.
 */
import { tryUrl } from '../../try-url.js';
import { crawlUrl } from '../crawl/crawl-url.js';
import { siteDomain } from '../site-domain.js';
import { DOCUMENT_LIMITS } from './document-limits.js';

export interface LinkTarget {
  readonly href: string;
  /** The spelling under which the crawl knows it. */
  readonly crawlUrl: string;
  /** Without `#`; null if there is none. */
  readonly fragment: string | null;
  readonly site: string;
}

const REMEMBERED_MAX = 10_000;
const remembered = new Map<string, LinkTarget>();

export class LinkTargets {
  readonly #redact: (text: string) => string;
  readonly #known = new Map<string, LinkTarget | null>();
  #base: string;
  /** Null if a URL that starts with a slash depends on more of the base than its origin. */
  #origin: string | null;

  constructor(base: string, redact: (text: string) => string) {
    this.#redact = redact;
    this.#base = base;
    this.#origin = originOf(base);
  }

  /** Null if it is not an http(s) URL, or too long. */
  of(href: string): LinkTarget | null {
    const known = this.#known.get(href);
    if (known !== undefined) return known;
    const target = this.#remembered(href) ?? this.#resolved(href);
    this.#known.set(href, target);
    return target;
  }

  setBase(base: string): void {
    this.#base = base;
    this.#origin = originOf(base);
    this.#known.clear();
  }

  #remembered(href: string): LinkTarget | undefined {
    return href.startsWith('/') && this.#origin !== null ? remembered.get(this.#origin + href) : undefined;
  }

  #resolved(href: string): LinkTarget | null {
    const url = tryUrl(href, this.#base);
    if (!url || !/^https?:$/.test(url.protocol) || url.href.length > DOCUMENT_LIMITS.url) return null;
    if (!mayHide(url)) {
      const target = targetOf(url);
      if (href.startsWith('/') && this.#origin !== null) remember(this.#origin + href, target);
      return target;
    }
    // A link may contain a signature or a token. It is shown without it, and `isHidden` keeps it from being requested.
    const redacted = this.#redact(url.href);
    const shown = redacted === url.href ? url : tryUrl(redacted);
    return shown ? targetOf(shown) : null;
  }
}

function remember(key: string, target: LinkTarget): void {
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, target);
}

function originOf(base: string): string | null {
  const url = tryUrl(base);
  return url && url.username === '' && url.password === '' ? url.origin : null;
}

function mayHide({ search, username, password }: URL): boolean {
  return search !== '' || username !== '' || password !== '';
}

function targetOf(url: URL): LinkTarget {
  const { href, hash } = url;
  return {
    href,
    crawlUrl: crawlUrl(url),
    fragment: hash === '' ? null : hash.slice(1),
    site: siteDomain(url),
  };
}
