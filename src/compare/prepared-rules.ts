/**
 * A list of rules, made ready once: their inputs as bits, and which of them read a header. Of a pair it tells which
 * rules can have anything to say, by what differs at all and not by asking each rule.
 */
import { maskOf } from './coverage-mask.js';
import { type HeaderChange, type HeaderChanges, RULE_PARTS, type RulePart } from './pair-changes.js';
import type { Rule } from './rule.js';
import type { SampleView } from './sample-view.js';

export interface PreparedRule {
  readonly rule: Rule;
  /** Its inputs as bits of coverage. */
  readonly needed: number;
  /** Whether it says what it reads, so that it can be passed over. */
  readonly declared: boolean;
}

export class PreparedRules {
  readonly list: readonly PreparedRule[];
  /** Header → the places in `list` of the rules that read its value, or only whether it is there. */
  readonly #byValue = new Map<string, number[]>();
  readonly #byPresence = new Map<string, number[]>();
  readonly #byPrefix: (readonly [prefix: string, place: number])[] = [];

  constructor(rules: readonly Rule[]) {
    this.list = rules.map((rule) => ({
      rule,
      needed: maskOf(rule.inputs),
      declared: rule.reads !== undefined || rule.parts !== undefined,
    }));
    for (const [place, rule] of rules.entries())
      for (const read of rule.reads ?? []) this.#index(read, place);
  }

  #index(read: string, place: number): void {
    if (read.endsWith('*')) {
      this.#byPrefix.push([read.slice(0, -1), place]);
      return;
    }
    const presence = read.startsWith('?');
    const places = presence ? this.#byPresence : this.#byValue;
    const name = presence ? read.slice(1) : read;
    const known = places.get(name);
    if (known) known.push(place);
    else places.set(name, [place]);
  }

  /** The rules that may have something to say, in their order. */
  asked(left: SampleView, right: SampleView, changes: HeaderChanges): readonly PreparedRule[] {
    const marked = new Uint8Array(this.list.length);
    for (const [name, change] of changes) this.#mark(name, change, marked);
    const covered = left.coverage & right.coverage;
    const alike = new PartMemory(left, right);
    return this.list.filter(({ rule, needed, declared }, place) => {
      if ((covered & needed) !== needed) return false;
      if (!declared || marked[place] === 1) return true;
      return rule.parts !== undefined && !alike.all(rule.parts);
    });
  }

  #mark(name: string, change: HeaderChange, marked: Uint8Array): void {
    for (const place of this.#byValue.get(name) ?? NOBODY) marked[place] = 1;
    if (change === 'text') return;
    for (const [prefix, place] of this.#byPrefix) if (name.startsWith(prefix)) marked[place] = 1;
    if (change === 'value') return;
    for (const place of this.#byPresence.get(name) ?? NOBODY) marked[place] = 1;
  }
}

/** Which parts are alike, each found out once: many rules read the same few. */
class PartMemory {
  readonly #left: SampleView;
  readonly #right: SampleView;
  readonly #known = new Map<RulePart, boolean>();

  constructor(left: SampleView, right: SampleView) {
    this.#left = left;
    this.#right = right;
  }

  all(parts: readonly RulePart[]): boolean {
    for (const part of parts) if (!this.#one(part)) return false;
    return true;
  }

  #one(part: RulePart): boolean {
    let alike = this.#known.get(part);
    if (alike === undefined) {
      alike = RULE_PARTS[part](this.#left, this.#right);
      this.#known.set(part, alike);
    }
    return alike;
  }
}

const NOBODY: readonly number[] = [];

/** Lists of rules live as long as the program. */
const known = new WeakMap<readonly Rule[], PreparedRules>();

export function preparedRules(rules: readonly Rule[]): PreparedRules {
  let prepared = known.get(rules);
  if (!prepared) {
    prepared = new PreparedRules(rules);
    known.set(rules, prepared);
  }
  return prepared;
}
