/**
 * How much of a site an audit could read, and why not more. A page that was not requested, or that only a login or a
 * refusal came from, says nothing about the site; if no page could be read at all, there is nothing to score.
 */
import type { PageFacts } from '../facts/page-facts.js';
import type { SiteFacts } from '../facts/site-facts.js';
import type { PagesRead } from '../report/audit-report.js';

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 407, 429, 451]);
/** Below this share of readable pages, the report says so first. */
const MOST = 0.5;

export class ReadingTally {
  readonly #statuses = new Map<number, number>();
  #read = 0;
  #blocked = 0;
  #failed = 0;

  /** A URL that redirects is not a page. */
  addPage({ fetch }: PageFacts): void {
    if (fetch === null) this.#blocked += 1;
    else if (fetch.redirects.length > 0) return;
    else if (fetch.status !== null && fetch.status < 400) this.#read += 1;
    else if (fetch.status !== null && REFUSALS.has(fetch.status)) {
      this.#statuses.set(fetch.status, (this.#statuses.get(fetch.status) ?? 0) + 1);
    } else this.#failed += 1;
  }

  result({ crawl }: Pick<SiteFacts, 'crawl'>): PagesRead {
    const refused = [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
    const counts = { read: this.#read, blocked: this.#blocked, refused, failed: this.#failed };
    const closed = this.#blocked + refused;
    const known = this.#read + closed + this.#failed;
    if (closed === 0 || this.#read >= known * MOST) return counts;
    const [agent = crawl.userAgent] = crawl.userAgent.split('/');
    const reasons = [
      ...(this.#blocked > 0 ? [`robots.txt disallows ${pagesText(this.#blocked)}`] : []),
      ...[...this.#statuses].map(([status, count]) => `${pagesText(count)} responded with ${status}`),
    ];
    const remedies = [
      ...(this.#blocked > 0 ? [`allow "${agent}" in robots.txt`] : []),
      ...(refused > 0 ? ['let the audit through without a login, for example by its address'] : []),
    ];
    const what =
      this.#read === 0
        ? 'Nothing of this site could be read, so there is no score'
        : `Only ${this.#read} of ${known} pages could be read`;
    const remedy = `${remedies.join(', and ')}, or audit a copy of the site that is open.`;
    return { ...counts, note: `${what}: ${reasons.join(', and ')}. To audit it, ${remedy}` };
  }
}

/** Nothing was read because the site is closed to the audit; a site that is down is a result. */
export function isUnread({ read, blocked, refused }: PagesRead): boolean {
  return read === 0 && blocked + refused > 0;
}

function pagesText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'page' : 'pages'}`;
}
