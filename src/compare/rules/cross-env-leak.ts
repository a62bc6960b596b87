/**
 * One environment's host inside the other's answer: in a redirect, a policy, a cookie, a link, a value. On the
 * protected side that is critical (production sends people to staging), on the other a warning.
 */
import type { JsonEntry, Side } from '../../probe/index.js';
import { joined } from '../differences.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { type AlignedEntries, alignedEntries, entriesOf } from '../json-facts.js';
import { urlParts } from '../plain-url.js';
import { type Difference, type Rule, type RuleContext, severityOfWeaker, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const crossEnvLeak: Rule = {
  code: 'CROSS_ENV_LEAK',
  version: 1,
  title: 'One environment shows up in the other',
  about:
    "The other side's host stands in a Location, a policy, a CORS or cookie field, a link or a value of this side. Critical on the protected side, otherwise a warning. A canonical link from the unprotected side to the protected one is as it should be and does not count.",
  recommendation:
    'Look for a hard-wired base URL or a configuration value copied from the other environment.',
  inputs: ['status'],
  claims: [],
  sampled: true,
  grouped: (count) => `One environment's host shows up in the other in ${count} places`,
  compare(left, right, context) {
    return new Leaks([left, right], context).found();
  },
};

type Sides = readonly [left: SampleView, right: SampleView];

/** The search through both sides: a text that both have is searched once for the hosts of either. */
class Leaks {
  readonly #sides: Sides;
  readonly #context: RuleContext;
  readonly #found: Readonly<Record<Side, Difference[]>> = { left: [], right: [] };

  constructor(sides: Sides, context: RuleContext) {
    this.#sides = sides;
    this.#context = context;
  }

  found(): readonly Difference[] {
    for (const view of this.#sides) {
      for (const [index, hop] of view.redirects.entries()) {
        this.#look(view, { section: 'redirects', key: `hop ${index + 1}` }, hop.toUrl);
      }
    }
    this.#lookInHeaders();
    for (const view of this.#sides) {
      for (const { name, domain } of view.envelope.cookies ?? []) {
        this.#look(view, { section: 'cookies', key: name }, domain);
      }
      this.#lookAtOrigins(view);
    }
    this.#lookInJson();
    const { left, right } = this.#found;
    return joined(left.sort(byKey), right.sort(byKey));
  }

  #lookInHeaders(): void {
    const [left, right] = this.#sides;
    let paired = left.headerCount === right.headerCount;
    left.eachHeader((name, lines) => {
      const others = right.lines(name) ?? [];
      if (others.length !== lines.length) paired = false;
      for (let at = 0; at < lines.length; at++) {
        this.#lookAtBoth(name, lines[at], others[at]);
      }
    });
    if (paired) return;
    right.eachHeader((name, lines) => {
      const seen = left.lines(name)?.length ?? 0;
      for (let at = seen; at < lines.length; at++) {
        this.#look(right, { section: 'headers', key: name }, lines[at]);
      }
    });
  }

  #lookAtOrigins(view: SampleView): void {
    const { html, origins = [] } = view.envelope.body ?? {};
    const canonical = view.side === this.#context.protectedSide ? undefined : html?.canonical;
    const canonicalOrigin = canonical === undefined ? undefined : urlParts(canonical)?.origin;
    for (const { origin, count } of origins) {
      if (origin === canonicalOrigin && count === 1) continue;
      const [host] = view.origins.foreignIn(origin, view.side);
      if (host !== undefined) this.#look(view, { section: 'body', key: `origin ${host}` }, origin);
    }
  }

  #lookInJson(): void {
    const [left, right] = this.#sides;
    const aligned = alignedEntries(left, right);
    if (aligned?.identicalOrder) {
      this.#lookInAligned(aligned);
      return;
    }
    for (const view of this.#sides) {
      for (const { pointer, value } of entriesOf(view) ?? []) {
        this.#look(view, { section: 'body', key: pointer }, value);
      }
    }
  }

  #lookInAligned({ left: entries, right: others, unlike }: AlignedEntries): void {
    const [left, right] = this.#sides;
    let next = 0;
    for (let at = 0; at < entries.length; at++) {
      const { pointer, value } = entries[at] as JsonEntry;
      if (at === unlike[next]) next++;
      else if (value === undefined || !left.origins.mayName(value)) continue;
      const place: Place = { section: 'body', key: pointer };
      this.#look(left, place, value);
      this.#look(right, place, others[at]?.value);
    }
  }

  #lookAtBoth(name: string, a: string | undefined, b: string | undefined): void {
    const [left, right] = this.#sides;
    if (a === b && (a === undefined || !left.origins.mayName(a))) return;
    const place: Place = { section: 'headers', key: name };
    this.#look(left, place, a);
    this.#look(right, place, b);
  }

  #look(view: SampleView, { section, key }: Place, text: string | undefined): void {
    if (text === undefined) return;
    const { side } = view;
    const hosts = view.origins.foreignIn(text, side);
    if (hosts.length === 0) return;
    this.#found[side].push({
      section,
      key: `${side} ${key}`,
      left: side === 'left' ? text : null,
      right: side === 'right' ? text : null,
      severity: severityOfWeaker(side, this.#context),
      direction: weakerSide(side),
      message: `The ${side} side names ${hosts.join(', ')} in ${key}`,
      kind: side,
    });
  }
}

type Place = Pick<Difference, 'section' | 'key'>;

function byKey(a: Difference, b: Difference): number {
  return byCodeUnit(a.key, b.key);
}
