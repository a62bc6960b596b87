/**
 * Finds many strings in a text in one pass. A filter on the first characters skips most positions. Strings that share
 * their first six characters are kept sorted, so that a thousand tokens with a common prefix (`eyJhbGci…`) cost ten
 * comparisons per position instead of a thousand.
 */
import type { Mask } from './mask.js';

const PREFIX = 6;
const FILTER_SIZE = 1 << 16;

interface Bucket {
  /** Sorted by code unit. */
  readonly forms: readonly string[];
  /** For each form, the index of the longest other form that is a prefix of it; -1 for none. */
  readonly shorter: readonly number[];
  readonly longest: number;
}

interface Group {
  /** How many secrets have this form. */
  readonly counts: Map<string, number>;
  /** Built from the counts on demand. */
  bucket: Bucket | undefined;
}

export class FormIndex {
  readonly #filter = new Uint8Array(FILTER_SIZE);
  readonly #groups = new Map<string, Group>();

  /** Ignores forms under six characters. */
  add(form: string): void {
    if (form.length < PREFIX) return;
    this.#filter[hash(form, 0)] = 1;
    const prefix = form.slice(0, PREFIX);
    const group = this.#groups.get(prefix) ?? { counts: new Map(), bucket: undefined };
    group.counts.set(form, (group.counts.get(form) ?? 0) + 1);
    group.bucket = undefined;
    this.#groups.set(prefix, group);
  }

  /** The filter keeps its mark: it costs at most a lookup, and another form may need it. */
  remove(form: string): void {
    const prefix = form.slice(0, PREFIX);
    const group = this.#groups.get(prefix);
    const count = group?.counts.get(form);
    if (group === undefined || count === undefined) return;
    if (count > 1) group.counts.set(form, count - 1);
    else group.counts.delete(form);
    group.bucket = undefined;
    if (group.counts.size === 0) this.#groups.delete(prefix);
  }

  mask(text: string, mask: Mask): void {
    for (let at = 0; at + PREFIX <= text.length; at += 1) {
      if (this.#filter[hash(text, at)] !== 1) continue;
      const group = this.#groups.get(text.slice(at, at + PREFIX));
      if (group === undefined) continue;
      group.bucket ??= bucketOf([...group.counts.keys()].sort());
      const length = matchLength(text.slice(at, at + group.bucket.longest), group.bucket);
      if (length > 0) mask.add(at, at + length);
    }
  }
}

function bucketOf(forms: readonly string[]): Bucket {
  const shorter: number[] = [];
  for (const [at, form] of forms.entries()) {
    let before = at - 1;
    while (before >= 0 && !form.startsWith(forms[before] ?? '')) before = shorter[before] ?? -1;
    shorter.push(before);
  }
  return { forms, shorter, longest: Math.max(...forms.map((form) => form.length)) };
}

/**
 * The length of the longest form that is a prefix of `window`; 0 for none. The last form that sorts before `window`
 * is that form or starts with it, so the search follows `shorter` from there.
 */
function matchLength(window: string, { forms, shorter }: Bucket): number {
  let low = 0;
  let high = forms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((forms[middle] ?? '') <= window) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at = shorter[at] ?? -1) {
    const form = forms[at] ?? '';
    if (window.startsWith(form)) return form.length;
  }
  return 0;
}

function hash(text: string, at: number): number {
  const mixed =
    text.charCodeAt(at) * 31 +
    text.charCodeAt(at + 1) * 1_021 +
    text.charCodeAt(at + 2) * 7_919 +
    text.charCodeAt(at + 4) * 131 +
    text.charCodeAt(at + 5) * 32_749;
  return mixed & (FILTER_SIZE - 1);
}
