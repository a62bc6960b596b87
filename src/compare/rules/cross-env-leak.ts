/**
 * One environment's host in the other's response: in a redirect, a policy, a cookie, a link or a value. It is critical
 * if the response sends browsers to the other environment, and a warning if it merely mentions it.
 */
import type { JsonEntry, Side } from '../../probe/index.js';
import { byKey } from '../differences.js';
import { type AlignedEntries, alignedEntries, entriesOf } from '../json-facts.js';
import { urlParts } from '../plain-url.js';
import { type Difference, NAME, type Rule, valueOn, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const crossEnvLeak: Rule = {
  code: 'CROSS_ENV_LEAK',
  version: 2,
  title: 'The candidate refers to the other environment',
  about:
    "The candidate contains the reference's host: critical in a redirect, a header or a cookie, a warning in the body. Info if the reference contains the candidate's host. A canonical link from the candidate to the reference is correct and does not count.",
  recommendation:
    'Look for a hard-coded base URL or a configuration value copied from the other environment.',
  inputs: ['status'],
  bySide: true,
  grouped: worstAndMore,
  compare(left, right) {
    return new LeakSearch([left, right]).run();
  },
};

type Sides = readonly [left: SampleView, right: SampleView];

/** Searches both sides. A text that both sides have is checked once for the hosts of either. */
class LeakSearch {
  readonly #sides: Sides;
  readonly #found: Readonly<Record<Side, Difference[]>> = { left: [], right: [] };

  constructor(sides: Sides) {
    this.#sides = sides;
  }

  run(): readonly Difference[] {
    for (const view of this.#sides) {
      for (const [index, hop] of view.redirects.entries()) {
        this.#check(view, { section: 'redirects', key: `hop ${index + 1}` }, hop.toUrl);
      }
    }
    this.#checkHeaders();
    for (const view of this.#sides) {
      for (const { name, domain } of view.envelope.cookies ?? []) {
        this.#check(view, { section: 'cookies', key: name }, domain);
      }
      this.#checkOrigins(view);
    }
    this.#checkJson();
    const { left, right } = this.#found;
    return [...byKey(left), ...byKey(right)];
  }

  #checkHeaders(): void {
    const [left, right] = this.#sides;
    for (const [name, lines] of left.headers) {
      const others = right.lines(name) ?? [];
      for (let at = 0; at < lines.length; at++) this.#checkBoth(name, lines[at], others[at]);
    }
    for (const [name, lines] of right.headers) {
      const seen = left.lines(name)?.length ?? 0;
      for (let at = seen; at < lines.length; at++) {
        this.#check(right, { section: 'headers', key: name }, lines[at]);
      }
    }
  }

  #checkOrigins(view: SampleView): void {
    const { html, origins = [] } = view.envelope.body ?? {};
    const canonical = html?.canonical;
    const canonicalOrigin = canonical === undefined ? undefined : urlParts(canonical)?.origin;
    for (const { origin, count } of origins) {
      if (origin === canonicalOrigin && count === 1) continue;
      const [host] = view.origins.foreignIn(origin, view.side);
      if (host !== undefined) this.#check(view, { section: 'body', key: `origin ${host}` }, origin);
    }
  }

  #checkJson(): void {
    const [left, right] = this.#sides;
    const aligned = alignedEntries(left, right);
    if (aligned?.identicalOrder) {
      this.#checkAligned(aligned);
      return;
    }
    for (const view of this.#sides) {
      for (const { pointer, value } of entriesOf(view) ?? []) {
        this.#check(view, { section: 'body', key: pointer }, value);
      }
    }
  }

  #checkAligned({ left: entries, right: others, unlike }: AlignedEntries): void {
    const [left, right] = this.#sides;
    let next = 0;
    for (let at = 0; at < entries.length; at++) {
      const { pointer, value } = entries[at] as JsonEntry;
      if (at === unlike[next]) next++;
      else if (value === undefined || !left.origins.mayName(value)) continue;
      const place: Place = { section: 'body', key: pointer };
      this.#check(left, place, value);
      this.#check(right, place, others[at]?.value);
    }
  }

  #checkBoth(name: string, a: string | undefined, b: string | undefined): void {
    const [left, right] = this.#sides;
    if (a === b && (a === undefined || !left.origins.mayName(a))) return;
    const place: Place = { section: 'headers', key: name };
    this.#check(left, place, a);
    this.#check(right, place, b);
  }

  #check(view: SampleView, { section, key }: Place, text: string | undefined): void {
    if (text === undefined) return;
    const { side } = view;
    const hosts = view.origins.foreignIn(text, side);
    if (hosts.length === 0) return;
    this.#found[side].push({
      section,
      key: `${side} ${key}`,
      ...valueOn(side, text),
      severity: section === 'body' ? 'warn' : 'critical',
      direction: weakerSide(side),
      message: `${NAME[side]} names ${hosts.join(', ')} in ${placeText({ section, key })}`,
      kind: side,
    });
  }
}

type Place = Pick<Difference, 'section' | 'key'>;

function placeText({ section, key }: Place): string {
  if (section === 'redirects') return `redirect ${key.replace('hop ', '')}`;
  if (section === 'cookies') return `the cookie "${key}"`;
  if (section === 'headers') return `the header ${key}`;
  return key.startsWith('origin ') ? 'a link or asset in the body' : key;
}
