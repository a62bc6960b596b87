/** The options of an audit: every limit with its default and its range. A value outside its range is refused by name. */
import { SondeError } from '../errors.js';

export interface AuditOptions {
  /** Pages to fetch. */
  readonly pages: number;
  /** Clicks from the home page. */
  readonly depth: number;
  /** Requests to one host at once. */
  readonly concurrency: number;
  /** Between the starts of two requests to one host; a `Crawl-delay` of robots.txt may make it longer. */
  readonly delayMs: number;
  /** Files, external links and internal URLs beyond the crawl that are requested with HEAD. */
  readonly checks: number;
  /** Which of them: only URLs of the site, or also links and files of other sites. */
  readonly links: 'internal' | 'all';
  readonly userAgent: string;
  /** The caller owns the site, so probes that only an owner may run are run. */
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

/** The longest pause that a site's `Crawl-delay` can ask for. */
export const CRAWL_DELAY_MAX_MS = 10_000;

export function completeOptions(options: Partial<AuditOptions> = {}): AuditOptions {
  const whole = { ...AUDIT_DEFAULTS, ...options };
  for (const name of Object.keys(AUDIT_RANGES) as (keyof typeof AUDIT_RANGES)[]) {
    const { min, max } = AUDIT_RANGES[name];
    const value = whole[name];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw new SondeError(
      'INVALID_REQUEST',
      `${name} must be a whole number from ${min} to ${max}, not ${value}`,
      {
        details: { option: name, min, max },
      },
    );
  }
  if (whole.links !== 'internal' && whole.links !== 'all') {
    throw new SondeError(
      'INVALID_REQUEST',
      `links must be internal or all, not ${JSON.stringify(whole.links)}`,
      {
        details: { option: 'links' },
      },
    );
  }
  if (!/^[\x20-\x7e]{1,200}$/.test(whole.userAgent)) {
    throw new SondeError('INVALID_REQUEST', 'userAgent must be 1 to 200 printable ASCII characters', {
      details: { option: 'userAgent' },
    });
  }
  return whole;
}

/** The product token that robots.txt groups name: `SondeBot` of `SondeBot/1.0 (+https://…)`. */
export function agentToken(userAgent: string): string {
  return /^[a-zA-Z_-]+/.exec(userAgent)?.[0] ?? 'SondeBot';
}
