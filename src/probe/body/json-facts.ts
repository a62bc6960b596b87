/**
 * Lists a JSON document as pointers with their types and short, redacted values, in document order. The document is
 * first pruned to its limits and then redacted as a whole, because a neighbour can determine what a value is
 * (`{"name": "Authorization", "value": …}`). Types and lengths come from the original document.
 */
import type { Mutable } from '../../mutable.js';
import { setOwn } from '../../set-own.js';
import { BODY_FACT_LIMITS, type JsonEntry, type JsonFacts, type JsonType } from '../body-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';

const { jsonEntries, jsonChars, jsonDepth, jsonItems, valueChars } = BODY_FACT_LIMITS;
const POINTER_CHARS = BODY_FACT_LIMITS.jsonEntryChars - valueChars;
const KEY_CHARS = 16;
const HIDDEN = '"[REDACTED]"';
/** Longer strings are truncated before redaction: only their first characters are kept anyway. */
const REDACTED_CHARS = 2000;

type Members = Readonly<Record<string, unknown>>;

/** Returns `undefined` if the text is not JSON. */
export function readJsonFacts(text: string, redactor: ProbeRedactor): JsonFacts | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  const pruner = new Pruner();
  const pruned = pruner.prune(document, 0);
  const listing = new Listing(redactor);
  const shown = memberOf(redactor.value({ body: pruned }), 'body');
  listing.add('', { original: document, pruned, shown });
  return { entries: listing.entries, truncated: pruner.cut || listing.cut };
}

/** Copies only the part of a document that will be listed. */
class Pruner {
  cut = false;
  #left: number = jsonEntries;

  prune(value: unknown, depth: number): unknown {
    this.#left -= 1;
    if (typeof value === 'string')
      return value.length > REDACTED_CHARS ? value.slice(0, REDACTED_CHARS) : value;
    if (value === null || typeof value !== 'object') return value;
    if (depth >= jsonDepth) {
      this.cut ||= Object.keys(value).length > 0;
      return Array.isArray(value) ? [] : {};
    }
    return Array.isArray(value) ? this.#items(value, depth) : this.#members(value as Members, depth);
  }

  #items(items: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    for (const item of items) {
      if (kept.length >= jsonItems || this.#left <= 0) {
        this.cut = true;
        break;
      }
      kept.push(this.prune(item, depth + 1));
    }
    return kept;
  }

  #members(value: Members, depth: number): Members {
    const kept: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (this.#left <= 0) {
        this.cut = true;
        break;
      }
      setOwn(kept, key, this.prune(value[key], depth + 1));
    }
    return kept;
  }
}

/** The same place in three versions of a document. */
interface Place {
  readonly original: unknown;
  readonly pruned: unknown;
  /** Redacted; `undefined` if redaction hid the structure. */
  readonly shown: unknown;
}

class Listing {
  readonly entries: JsonEntry[] = [];
  cut = false;
  readonly #redactor: ProbeRedactor;
  #charsLeft: number = jsonChars;

  constructor(redactor: ProbeRedactor) {
    this.#redactor = redactor;
  }

  add(pointer: string, place: Place): void {
    const { original, pruned, shown } = place;
    const entry = entryOf(pointer, place);
    this.#charsLeft -= pointer.length + (entry.value?.length ?? 0);
    if (pointer.length > POINTER_CHARS || this.#charsLeft < 0) {
      this.cut = true;
      return;
    }
    this.entries.push(entry);
    if (pruned === null || typeof pruned !== 'object') return;
    for (const key of Object.keys(pruned)) {
      this.add(`${pointer}/${this.#segment(key)}`, {
        original: memberOf(original, key),
        pruned: memberOf(pruned, key),
        shown: memberOf(shown, key),
      });
    }
  }

  /** A long key may itself be a credential; a short one is just a name. */
  #segment(key: string): string {
    const shown = key.length < KEY_CHARS ? key : this.#redactor.text(key);
    return /[~/]/.test(shown) ? shown.replaceAll('~', '~0').replaceAll('/', '~1') : shown;
  }
}

function entryOf(pointer: string, { original, pruned, shown }: Place): JsonEntry {
  const entry: Mutable<JsonEntry> = { pointer, type: typeOf(pruned) };
  if (pruned === null || typeof pruned !== 'object') entry.value = scalarText(shown);
  const length = lengthOf(original);
  if (length !== undefined) entry.length = length;
  return entry;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

function scalarText(shown: unknown): string {
  if (shown === undefined || (shown !== null && typeof shown === 'object')) return HIDDEN;
  const text = JSON.stringify(shown);
  return typeof shown !== 'string' || text.length <= valueChars ? text : `${text.slice(0, valueChars - 1)}…`;
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return undefined;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function memberOf(value: unknown, key: string): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
  return (value as Members)[key];
}
