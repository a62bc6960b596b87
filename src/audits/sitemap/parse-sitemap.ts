/**
 * Parses one sitemap file: XML (urlset or index) or plain text, with the line of every problem. Never throws; reads up
 * to the first XML error. Only the entities of XML itself are supported, so nothing can be expanded or fetched. A date
 * is a W3C date (YYYY, YYYY-MM, YYYY-MM-DD, or with a time and zone).
 */
import { SaxesParser } from 'saxes';
import { tryUrl } from '../../try-url.js';
import type { SitemapEntry, SitemapFacts, SitemapProblem } from '../facts/site-facts.js';

export const SITEMAP_LIMITS = {
  /** Limit of the sitemap protocol. */
  urls: 50_000,
  bytes: 52_428_800,
  problems: 100,
  text: 300,
} as const;

export interface ParsedSitemap
  extends Pick<SitemapFacts, 'kind' | 'entryCount' | 'problems' | 'problemCount'> {
  readonly entries: readonly SitemapEntry[];
  /** Sitemaps that an index names. */
  readonly children: readonly string[];
}

interface Loc {
  text: string;
  line: number;
  lastmod: string;
  lastmodLine: number;
}

const PIECE_CHARS = 65_536;

const W3C_DATE =
  /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?)?)?$/;

/** `pause` yields to the event loop between two pieces: a full sitemap takes most of a second. */
export async function parseSitemap(
  text: string,
  url: string,
  pause: () => Promise<void>,
): Promise<ParsedSitemap> {
  const body = text.replace(/^\ufeff/, '').trimStart();
  return body.startsWith('<')
    ? new XmlSitemap(url).read(text.replace(/^\ufeff/, ''), pause)
    : readText(text, url);
}

class Findings {
  readonly entries: SitemapEntry[] = [];
  readonly problems: SitemapProblem[] = [];
  entryCount = 0;
  problemCount = 0;
  readonly #url: URL;
  readonly #sitemap: string;

  constructor(url: string) {
    this.#url = new URL(url);
    this.#sitemap = url;
  }

  problem(kind: SitemapProblem['kind'], line: number, observed: string): void {
    this.problemCount += 1;
    if (this.problems.length < SITEMAP_LIMITS.problems) {
      this.problems.push({ kind, line, observed: observed.slice(0, SITEMAP_LIMITS.text) });
    }
  }

  entry(loc: Loc): void {
    const { line, lastmod } = loc;
    this.entryCount += 1;
    if (this.entryCount === SITEMAP_LIMITS.urls + 1)
      this.problem('too-many-urls', line, `more than ${SITEMAP_LIMITS.urls} URLs`);
    const url = this.address(loc);
    if (!url || this.entryCount > SITEMAP_LIMITS.urls) return;
    this.entries.push({
      url,
      lastmod: lastmod === '' ? null : lastmod.slice(0, 40),
      sitemap: this.#sitemap,
      line,
    });
  }

  /** The URL without its fragment; null if this sitemap may not list it. */
  address({ text, line, lastmod, lastmodLine }: Loc): string | null {
    if (lastmod !== '' && !W3C_DATE.test(lastmod)) this.problem('bad-lastmod', lastmodLine, lastmod);
    if (text === '') return this.#refuse('missing-loc', line, 'an empty <loc>');
    if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return this.#refuse('relative-url', line, text);
    const url = /^https?:/i.test(text) && text.length <= 2048 ? tryUrl(text) : undefined;
    if (!url) return this.#refuse('bad-url', line, text);
    if (url.host !== this.#url.host) return this.#refuse('other-host', line, text);
    url.hash = '';
    return url.href;
  }

  parsed(kind: SitemapFacts['kind'], children: readonly string[] = []): ParsedSitemap {
    const { entries, entryCount, problems, problemCount } = this;
    return { kind, entries, children, entryCount, problems, problemCount };
  }

  #refuse(kind: SitemapProblem['kind'], line: number, observed: string): null {
    this.problem(kind, line, observed);
    return null;
  }
}

/** Thrown to stop parsing; nothing after this place is read. */
class Unreadable extends Error {}

/** A sitemap has three levels, and extensions add a few more. */
const DEPTH_MAX = 32;

const ROOTS: Readonly<Record<string, SitemapFacts['kind']>> = {
  urlset: 'urlset',
  sitemapindex: 'index',
  rss: 'feed',
  feed: 'feed',
};

class XmlSitemap {
  readonly #findings: Findings;
  readonly #parser = new SaxesParser({ xmlns: false, position: true });
  readonly #children: string[] = [];
  readonly #path: string[] = [];
  #kind: SitemapFacts['kind'] = 'unreadable';
  #loc: Loc | undefined;

  constructor(url: string) {
    this.#findings = new Findings(url);
    const parser = this.#parser;
    parser.on('error', ({ message }) => this.#stop(message.replace(/^\d+:\d+: /, '')));
    parser.on('opentag', ({ name }) => this.#open(local(name)));
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
    parser.on('closetag', ({ name }) => this.#close(local(name)));
  }

  async read(text: string, pause: () => Promise<void>): Promise<ParsedSitemap> {
    try {
      for (let at = 0; at < text.length; at += PIECE_CHARS) {
        this.#parser.write(text.slice(at, at + PIECE_CHARS));
        if (text.length > PIECE_CHARS) await pause();
      }
      this.#parser.close();
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
    }
    return this.#findings.parsed(this.#kind, this.#children);
  }

  /** Otherwise the parser would continue and report every later fault and every unclosed tag as an error. */
  #stop(fault: string): never {
    this.#findings.problem('xml', this.#parser.line, fault);
    throw new Unreadable();
  }

  #open(name: string): void {
    if (this.#path.length >= DEPTH_MAX) this.#stop(`elements are nested more than ${DEPTH_MAX} levels deep`);
    if (this.#path.length === 0) this.#root(name);
    this.#path.push(name);
    if (this.#path.length === 2 && (name === 'url' || name === 'sitemap')) {
      this.#loc = { text: '', line: this.#parser.line, lastmod: '', lastmodLine: this.#parser.line };
    }
    if (this.#path.length === 3 && this.#loc) {
      if (name === 'loc') this.#loc.line = this.#parser.line;
      if (name === 'lastmod') this.#loc.lastmodLine = this.#parser.line;
    }
  }

  #root(name: string): void {
    this.#kind = ROOTS[name] ?? 'unreadable';
    if (this.#kind === 'unreadable') this.#findings.problem('not-a-sitemap', this.#parser.line, `<${name}>`);
  }

  #text(text: string): void {
    const loc = this.#loc;
    if (!loc || this.#path.length !== 3) return;
    const inside = this.#path.at(-1);
    if (inside === 'loc' && loc.text.length < 4096) loc.text += text;
    if (inside === 'lastmod' && loc.lastmod.length < 100) loc.lastmod += text;
  }

  #close(name: string): void {
    this.#path.pop();
    const loc = this.#loc;
    if (this.#path.length !== 1 || !loc) return;
    this.#loc = undefined;
    const trimmed = { ...loc, text: loc.text.trim(), lastmod: loc.lastmod.trim() };
    if (this.#kind === 'index' && name === 'sitemap') this.#child(trimmed);
    else if (this.#kind === 'urlset' && name === 'url') this.#findings.entry(trimmed);
  }

  #child(loc: Loc): void {
    const url = this.#findings.address(loc);
    if (url && this.#children.length < SITEMAP_LIMITS.urls) this.#children.push(url);
    this.#findings.entryCount += 1;
  }
}

/** A text sitemap has one URL per line. A file whose first line is not a URL is not one. */
function readText(text: string, url: string): ParsedSitemap {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const findings = new Findings(url);
  const [first = ''] = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (!/^https?:\/\//i.test(first)) {
    findings.problem('not-a-sitemap', 1, first);
    return findings.parsed('unreadable');
  }
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '')
      findings.entry({ text: line.trim(), line: index + 1, lastmod: '', lastmodLine: 0 });
  }
  return findings.parsed('text');
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
