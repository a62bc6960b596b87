/**
 * A site without faults, as data, for plantings to break: a home page, hubs and pages under them, robots.txt, a
 * sitemap, llms.txt, hashed assets, and one canonical host. `planted-server.ts` serves it.
 */
import { ORIGIN } from '../audit-facts.js';
import { cleanPage, type PlantedPage, renderPage } from './planted-page.js';

/** A response that is not a page: a file, a redirect, something broken. */
export interface PlantedResponse {
  readonly status: number;
  readonly headers: Record<string, string | readonly string[]>;
  readonly body?: string | Uint8Array;
  /** Delay before the response starts. */
  readonly delayMs?: number;
}

export interface AskedBy {
  readonly path: string;
  readonly method: string;
  readonly userAgent: string;
  readonly host: string;
  readonly scheme: 'http' | 'https';
}

const HUB_PAGES = 18;

export class PlantedSite {
  readonly pages = new Map<string, PlantedPage>();
  readonly responses = new Map<string, PlantedResponse | ((asked: AskedBy) => PlantedResponse | undefined)>();
  /** Headers of every page and file. */
  headers: Record<string, string> = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
  robots = `User-agent: *\nDisallow: /admin\n\nSitemap: ${ORIGIN}/sitemap.xml\n`;
  /** Replaces the sitemap generated from the pages. */
  sitemap: string | null = null;
  /** Loc elements in addition to those of the pages. */
  listed: string[] = [];
  /** Responds before anything else; undefined lets the site respond. */
  intercept: ((asked: AskedBy) => PlantedResponse | undefined) | null = null;
  /** Whether http and the apex redirect to the canonical host. */
  settles = true;
  h2 = true;

  /** Creates `count` pages in total. */
  constructor(count: number) {
    const home = this.addPage('/', null);
    for (let hub = 0; this.pages.size < count; hub += 1) {
      const hubPath = `/topics/${hub + 1}`;
      const hubPage = this.addPage(hubPath, '/');
      home.links.push(hubPath);
      for (let at = 0; at < HUB_PAGES && this.pages.size < count; at += 1) {
        const path = `/topics/${hub + 1}/article-${at + 1}`;
        hubPage.links.push(path);
        this.addPage(path, hubPath);
      }
    }
    this.#addFiles();
  }

  addPage(path: string, parent: string | null): PlantedPage {
    const page = cleanPage(path, parent);
    this.pages.set(path, page);
    return page;
  }

  /** Adds a page for a fault, linked from the home page and changed by the planting. */
  plant(path: string, change: Partial<PlantedPage> | ((page: PlantedPage) => void) = {}): PlantedPage {
    const page = this.addPage(path, '/');
    if (typeof change === 'function') change(page);
    else Object.assign(page, change);
    this.link(path);
    return page;
  }

  /** Links to a path or URL from the home page. */
  link(target: string): void {
    this.pages.get('/')?.links.push(target);
  }

  redirect(path: string, to: string, status = 301): void {
    this.responses.set(path, { status, headers: { location: to } });
  }

  respond(asked: AskedBy): PlantedResponse & { compress: boolean } {
    const intercepted = this.intercept?.(asked);
    if (intercepted) return { ...intercepted, compress: false };
    if (this.settles && (asked.scheme === 'http' || asked.host !== new URL(ORIGIN).host)) {
      return { status: 301, headers: { location: ORIGIN + asked.path }, compress: false };
    }
    const listed = this.responses.get(asked.path);
    const response = typeof listed === 'function' ? listed(asked) : listed;
    if (response) return { ...response, headers: { ...this.headers, ...response.headers }, compress: true };
    const page = this.pages.get(asked.path);
    if (page) return this.#page(page);
    const other = asked.path.endsWith('/') ? asked.path.slice(0, -1) : `${asked.path}/`;
    if (this.pages.has(other)) return { status: 301, headers: { location: other }, compress: false };
    return { ...this.#page({ ...cleanPage('/missing', '/'), status: 404 }) };
  }

  sitemapText(): string {
    if (this.sitemap !== null) return this.sitemap;
    const pages = [...this.pages.values()]
      .filter(({ inSitemap }) => inSitemap)
      .map(({ path }) => `${ORIGIN}${path}`);
    const entries = [...pages, ...this.listed].map(
      (loc) => `<url><loc>${loc}</loc><lastmod>2026-11-01</lastmod></url>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
  }

  #page(page: PlantedPage): PlantedResponse & { compress: boolean } {
    const headers: Record<string, string> = {
      ...this.headers,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    };
    for (const [name, value] of Object.entries(page.headers)) {
      if (value === null) delete headers[name];
      else headers[name] = value;
    }
    return {
      status: page.status,
      headers,
      body: renderPage(page),
      compress: page.compress,
      delayMs: page.delayMs,
    };
  }

  #addFiles(): void {
    const long = { 'cache-control': 'public, max-age=31536000, immutable' };
    const file = (type: string, body: string | Uint8Array, headers = {}) => ({
      status: 200,
      headers: { 'content-type': type, ...headers },
      body,
    });
    this.responses.set('/robots.txt', () => file('text/plain; charset=utf-8', this.robots));
    this.responses.set('/sitemap.xml', () => file('application/xml', this.sitemapText()));
    this.responses.set(
      '/llms.txt',
      file(
        'text/plain; charset=utf-8',
        `# Example\n\n> A site about buoys, seas and the people who measure both of them.\n\n- [Topics](${ORIGIN}/topics/1): where to start\n`,
      ),
    );
    this.responses.set(
      '/assets/site.0123456789ab.css',
      file('text/css; charset=utf-8', 'body{margin:0}', long),
    );
    this.responses.set(
      '/assets/app.0123456789ab.js',
      file('text/javascript; charset=utf-8', 'document.title;', long),
    );
    this.responses.set('/assets/photo.0123456789ab.png', file('image/png', new Uint8Array(400), long));
  }
}
