/**
 * The options of an audit: every limit with its default and its range. A value outside its range is rejected by name.
 */
import { SondeError } from '../errors.js';

export interface AuditOptions {
  /** Pages to fetch. */
  readonly pages: number;
  /** Clicks from the home page. */
  readonly depth: number;
  /** Requests to one host at once. */
  readonly concurrency: number;
  /** Time between the starts of two requests to one host; `Crawl-delay` in robots.txt can make it longer. */
  readonly delayMs: number;
  /** HEAD requests for assets, external links and internal URLs beyond the crawl. */
  readonly checks: number;
  /** Which URLs are checked: those of the site only, or also links and assets on other sites. */
  readonly links: 'internal' | 'all';
  readonly userAgent: string;
  /** The caller owns the site, so owner-only probes are run. */
  readonly ownSite: boolean;
}

export const AUDIT_USER_AGENT = 'SondeBot/1.0';

export const AUDIT_DEFAULTS: AuditOptions = {
  pages: 100,
  depth: 10,
  concurrency: 4,
  delayMs: 100,
  checks: 500,
  links: 'all',
  userAgent: AUDIT_USER_AGENT,
  ownSite: false,
};

export const AUDIT_RANGES = {
  pages: { min: 1, max: 5_000 },
  depth: { min: 0, max: 100 },
  concurrency: { min: 1, max: 32 },
  delayMs: { min: 0, max: 60_000 },
  checks: { min: 0, max: 5_000 },
} as const;

/** The longest pause that a site's `Crawl-delay` can impose. */
export const CRAWL_DELAY_MAX_MS = 10_000;

export function completeOptions(options: Partial<AuditOptions> = {}): AuditOptions {
  const complete = { ...AUDIT_DEFAULTS, ...options };
  for (const name of Object.keys(AUDIT_RANGES) as (keyof typeof AUDIT_RANGES)[]) {
    const { min, max } = AUDIT_RANGES[name];
    const value = complete[name];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw refused(name, `must be a whole number from ${min} to ${max}, not ${value}`, { min, max });
  }
  if (complete.links !== 'internal' && complete.links !== 'all')
    throw refused('links', `must be internal or all, not ${JSON.stringify(complete.links)}`);
  if (!/^[\x20-\x7e]{1,200}$/.test(complete.userAgent))
    throw refused('userAgent', 'must be 1 to 200 printable ASCII characters');
  return complete;
}

function refused(option: keyof AuditOptions, why: string, range = {}): SondeError {
  return new SondeError('INVALID_REQUEST', `${option} ${why}`, { details: { option, ...range } });
}

/** The product token that robots.txt groups use: `SondeBot` in `SondeBot/1.0 (+https://…)`. */
export function agentToken(userAgent: string): string {
  return /^[a-zA-Z_-]+/.exec(userAgent)?.[0] ?? 'SondeBot';
}
