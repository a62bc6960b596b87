/**
 * A list of rules, made ready once: their inputs as bits, and which of them read a header. Of a pair it tells which
 * rules can have anything to say, by what differs at all and not by asking each rule.
 */
import { sameField, sameText } from './compare-headers.js';
import { maskOf } from './coverage-mask.js';
import { type HeaderChange, type HeaderChanges, RULE_PARTS, type RulePart } from './pair-changes.js';
import type { Rule } from './rule.js';
import type { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

export interface PreparedRule {
  readonly rule: Rule;
  /** Its inputs as bits of coverage. */
  readonly needed: number;
  /** The parts it reads, as bits of `RULE_PARTS`. */
  readonly parts: number;
  /** The headers whose values are all that it reads besides its parts; undefined where it reads others too. */
  readonly values: readonly string[] | undefined;
  /** Whether it says what it reads, so that it can be passed over. */
  readonly declared: boolean;
}

export class PreparedRules {
  readonly list: readonly PreparedRule[];
  /** Header → the places in `list` of the rules that read its value, or only whether it is there. */
  readonly #byValue = new Map<string, number[]>();
  readonly #byPresence = new Map<string, number[]>();
  readonly #byPrefix: (readonly [prefix: string, place: number])[] = [];
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    this.list = rules.map((rule) => ({
      rule,
      needed: maskOf(rule.inputs),
      parts: bitsOf(rule.parts ?? []),
      values: valuesOf(rule),
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
    const unlike = unlikeParts(left, right);
    const asked: PreparedRule[] = [];
    for (let place = 0; place < this.list.length; place++) {
      const prepared = this.list[place] as PreparedRule;
      const { needed, declared, parts } = prepared;
      if ((covered & needed) !== needed) continue;
      if (!declared || marked[place] === 1 || (parts & unlike) !== 0) asked.push(prepared);
    }
    return asked;
  }

  #mark(name: string, change: HeaderChange, marked: Uint8Array): void {
    for (const place of this.#byValue.get(name) ?? NOBODY) marked[place] = 1;
    if (change === 'text') return;
    for (const [prefix, place] of this.#byPrefix) {
      if (name.startsWith(prefix) && !this.#rules[place]?.passesOver?.(name)) marked[place] = 1;
    }
    if (change === 'value') return;
    for (const place of this.#byPresence.get(name) ?? NOBODY) marked[place] = 1;
  }
}

function valuesOf({ reads, parts }: Rule): readonly string[] | undefined {
  if (!reads) return parts && [];
  return reads.some((read) => read.startsWith('?') || read.endsWith('*')) ? undefined : reads;
}

/** Whether all that a rule reads is alike in two samples, so that it need not be asked about them. */
export function readsAlike({ values, parts }: PreparedRule, first: SampleView, other: SampleView): boolean {
  if (!values) return false;
  for (const name of values) {
    const alike = VOLATILE_HEADERS.has(name) ? sameText(first, other, name) : sameField(first, other, name);
    if (!alike) return false;
  }
  return parts === 0 || (parts & unlikeParts(first, other)) === 0;
}

const PARTS = Object.values(RULE_PARTS);
const PART_BITS = new Map(Object.keys(RULE_PARTS).map((part, index) => [part, 2 ** index]));

/** The parts that differ, as bits. */
function unlikeParts(left: SampleView, right: SampleView): number {
  let unlike = 0;
  for (let at = 0; at < PARTS.length; at++) if (!PARTS[at]?.(left, right)) unlike |= 2 ** at;
  return unlike;
}

function bitsOf(parts: readonly RulePart[]): number {
  return parts.reduce((bits, part) => bits | (PART_BITS.get(part) ?? 0), 0);
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
