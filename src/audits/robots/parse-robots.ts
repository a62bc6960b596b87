/**
 * Parses robots.txt (RFC 9309) with line numbers. Never throws: a line that cannot be parsed becomes a problem with its
 * number, and the rest still counts. Groups keep the order of the file; `robots-verdict.ts` merges groups of one agent.
 *
 * §2.2.1: one or more user-agent lines open a group, rules close the list of agents. Other directives (Sitemap,
 * Crawl-delay, Content-Signal) do not end it. §2.5: at least 500 KiB are read; the rest is ignored.
 */

import { tryUrl } from '../../try-url.js';
import type {
  RobotsContentSignal,
  RobotsFile,
  RobotsGroup,
  RobotsProblem,
  RobotsRule,
} from '../facts/site-facts.js';

export const ROBOTS_BYTES_MAX = 512_000;
const PROBLEMS_MAX = 100;
const RULES_MAX = 20_000;
/** A longer pattern matches no URL that the crawl fetches. */
const PATTERN_CHARS_MAX = 2_048;
const TEXT_MAX = 200;

export type ParsedRobots = Pick<RobotsFile, 'groups' | 'sitemaps' | 'contentSignals' | 'problems'>;

/** Directives of other crawlers, which are ignored without reporting a problem. */
const KNOWN = new Set(['host', 'clean-param', 'request-rate', 'visit-time', 'noindex', 'indexpage']);

interface OpenGroup {
  readonly agents: string[];
  readonly rules: RobotsRule[];
  crawlDelaySeconds: number | null;
  readonly line: number;
}

export function parseRobots(text: string): ParsedRobots {
  const reader = new Reader();
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) reader.read(line, index + 1);
  return reader.parsed();
}

class Reader {
  readonly #groups: OpenGroup[] = [];
  readonly #sitemaps: { url: string; line: number }[] = [];
  readonly #signals: RobotsContentSignal[] = [];
  readonly #problems: RobotsProblem[] = [];
  #open: OpenGroup | undefined;
  /** A rule was read, so the next user-agent line opens a new group. */
  #closed = false;
  #rules = 0;

  read(raw: string, line: number): void {
    // Not with a regular expression: `.` stops at U+2028, and a line of `#` would then be scanned once per character.
    const hash = raw.indexOf('#');
    const content = (hash < 0 ? raw : raw.slice(0, hash)).trim();
    if (content === '') return;
    const colon = content.indexOf(':');
    if (colon < 1) return this.#problem('syntax', raw, line);
    const key = content.slice(0, colon).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    switch (key) {
      case 'user-agent':
      case 'useragent':
        return this.#agent(value, line, raw);
      case 'allow':
      case 'disallow':
        return this.#rule({ allow: key === 'allow', path: value, line }, raw);
      case 'sitemap':
        return this.#sitemap(value, line, raw);
      case 'crawl-delay':
        return this.#delay(value, line, raw);
      case 'content-signal':
        this.#signals.push({ agents: this.#open?.agents ?? ['*'], value: value.slice(0, TEXT_MAX), line });
        return;
      default:
        if (!KNOWN.has(key)) this.#problem('unknown-directive', raw, line);
    }
  }

  parsed(): ParsedRobots {
    const groups: RobotsGroup[] = this.#groups;
    return { groups, sitemaps: this.#sitemaps, contentSignals: this.#signals, problems: this.#problems };
  }

  #agent(value: string, line: number, raw: string): void {
    const token = productToken(value);
    if (token === '') return this.#problem('syntax', raw, line);
    if (!this.#open || this.#closed) {
      this.#open = { agents: [], rules: [], crawlDelaySeconds: null, line };
      this.#groups.push(this.#open);
      this.#closed = false;
    }
    this.#open.agents.push(token);
  }

  #rule(rule: RobotsRule, raw: string): void {
    if (!this.#open) return this.#problem('rule-without-agent', raw, rule.line);
    this.#closed = true;
    if (rule.path !== '' && !/^[/*]/.test(rule.path)) return this.#problem('syntax', raw, rule.line);
    this.#rules += 1;
    // §2.2.2: an empty pattern matches nothing.
    if (rule.path === '' || rule.path.length > PATTERN_CHARS_MAX) return;
    if (this.#rules <= RULES_MAX) this.#open.rules.push(rule);
  }

  #sitemap(value: string, line: number, raw: string): void {
    const url = /^https?:/i.test(value) ? tryUrl(value) : undefined;
    if (url) this.#sitemaps.push({ url: url.href, line });
    else this.#problem('bad-sitemap-url', raw, line);
  }

  #delay(value: string, line: number, raw: string): void {
    const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(seconds)) return this.#problem('syntax', raw, line);
    if (!this.#open) return this.#problem('rule-without-agent', raw, line);
    // Not part of the RFC, but always meant for the agents above it.
    this.#closed = true;
    this.#open.crawlDelaySeconds ??= seconds;
  }

  #problem(kind: RobotsProblem['kind'], raw: string, line: number): void {
    if (this.#problems.length < PROBLEMS_MAX)
      this.#problems.push({ kind, line, text: raw.trim().slice(0, TEXT_MAX) });
  }
}

/** §2.2.1: letters, `-` and `_`; what follows (a version) does not count. */
function productToken(value: string): string {
  return value === '*' || value.startsWith('*') ? '*' : (/^[a-zA-Z_-]+/.exec(value)?.[0].toLowerCase() ?? '');
}
