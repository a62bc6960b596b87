/**
 * Prepares JSON bodies for comparison: entries aligned by pointer, and shapes that treat all elements of an array as
 * one, so that lists of different data but the same structure are equal.
 */
import { BODY_FACT_LIMITS, type JsonEntry, type JsonType } from '../probe/index.js';
import type { SampleView } from './sample-view.js';

/** The entries that both sides have: `left[i]` and `right[i]` have the same pointer. */
export interface AlignedEntries {
  readonly left: readonly JsonEntry[];
  readonly right: readonly JsonEntry[];
  /** Whether both have the same pointers in the same order. */
  readonly identicalOrder: boolean;
  /** Whether every pair of entries has the same type. */
  readonly sameTypes: boolean;
  /** Indexes of the pairs whose values are not written identically. */
  readonly unlike: readonly number[];
}

export function entriesOf(view: SampleView): readonly JsonEntry[] | undefined {
  return view.envelope.body?.json?.entries;
}

/** The aligned entries of two samples, computed once for all rules. */
export function alignedEntries(left: SampleView, right: SampleView): AlignedEntries | undefined {
  const a = entriesOf(left);
  const b = entriesOf(right);
  if (!a || !b) return undefined;
  return left.parsedWith(right, 'json-aligned', () => alignEntries(a, b));
}

/** Both sides nearly always list the same pointers; a map is built only if they do not. */
function alignEntries(left: readonly JsonEntry[], right: readonly JsonEntry[]): AlignedEntries {
  const alike = comparedInOrder(left, right);
  if (alike) return alike;
  const others = new Map(right.map((entry) => [entry.pointer, entry]));
  const a: JsonEntry[] = [];
  const b: JsonEntry[] = [];
  for (const entry of left) {
    const other = others.get(entry.pointer);
    if (!other) continue;
    a.push(entry);
    b.push(other);
  }
  const { sameTypes, unlike } = comparedInOrder(a, b) ?? { sameTypes: false, unlike: [] };
  return { left: a, right: b, identicalOrder: false, sameTypes, unlike };
}

/** Everything that the rules need from two lists, in one pass; undefined if their pointers differ. */
function comparedInOrder(
  left: readonly JsonEntry[],
  right: readonly JsonEntry[],
): AlignedEntries | undefined {
  if (left.length !== right.length) return undefined;
  let sameTypes = true;
  const unlike: number[] = [];
  for (let at = 0; at < left.length; at++) {
    const x = left[at] as JsonEntry;
    const y = right[at] as JsonEntry;
    if (x.pointer !== y.pointer) return undefined;
    if (x.type !== y.type) sameTypes = false;
    if (x.value !== y.value) unlike.push(at);
  }
  return { left, right, identicalOrder: true, sameTypes, unlike };
}

/** Two complete JSON documents with equal values: only their formatting can differ. */
export function sameDocument(left: SampleView, right: SampleView): boolean {
  const [a, b] = [left.envelope.body?.json, right.envelope.body?.json];
  if (!a || !b || a.truncated || b.truncated || a.entries.length !== b.entries.length) return false;
  const aligned = alignedEntries(left, right);
  if (!aligned?.sameTypes || aligned.left.length !== a.entries.length || !isWhole(a.entries)) return false;
  return aligned.left.every(({ value = '', length }, at) => {
    const other = aligned.right[at];
    return other !== undefined && length === other.length && left.sameMapped(value, right, other.value ?? '');
  });
}

/** Whether no value was truncated or redacted. */
function isWhole(entries: readonly JsonEntry[]): boolean {
  return !entries.some(({ value = '' }) => value.endsWith('…') || value.includes('[REDACTED]'));
}

export interface ShapeNode {
  readonly types: ReadonlySet<JsonType>;
  /** Elements or keys, summed over all places with this shape. */
  readonly length: number;
  /** How many places have this shape: 1, or one per element of the arrays above. */
  readonly places: number;
  readonly parent: string | undefined;
}

/** Pointer with `*` for every array index → the node at that place. */
export type JsonShape = ReadonlyMap<string, ShapeNode>;

export function shapeOf(view: SampleView): JsonShape {
  return view.parsed('json-shape', () => buildShape(entriesOf(view) ?? []));
}

function buildShape(entries: readonly JsonEntry[]): JsonShape {
  const shape = new Map<
    string,
    { types: Set<JsonType>; length: number; places: number; parent: string | undefined }
  >();
  const places = new Map<string, { template: string; type: JsonType }>();
  for (const { pointer, type, length = 0 } of entries) {
    const slash = pointer.lastIndexOf('/');
    const parent = slash < 0 ? undefined : places.get(pointer.slice(0, slash));
    const template = parent
      ? `${parent.template}/${parent.type === 'array' ? '*' : pointer.slice(slash + 1)}`
      : pointer;
    if (type === 'object' || type === 'array') places.set(pointer, { template, type });
    const node = shape.get(template) ?? {
      types: new Set(),
      length: 0,
      places: 0,
      parent: parent?.template,
    };
    node.types.add(type);
    node.length += length;
    node.places += 1;
    shape.set(template, node);
  }
  return shape;
}

/** Whether entries were cut off, so that a missing one may merely not be listed. */
export function isCut(view: SampleView): boolean {
  if (view.envelope.body?.json?.truncated !== true) return false;
  const entries = entriesOf(view) ?? [];
  if (entries.length >= BODY_FACT_LIMITS.jsonEntries) return true;
  const chars = entries.reduce((sum, { pointer, value = '' }) => sum + pointer.length + value.length, 0);
  return chars > BODY_FACT_LIMITS.jsonChars - BODY_FACT_LIMITS.jsonEntryChars;
}

/** Bodies are compared only within one status class, because an error page need not resemble the page. */
export function sameStatusClass(left: SampleView, right: SampleView): boolean {
  return Math.floor((left.response?.status ?? 0) / 100) === Math.floor((right.response?.status ?? 0) / 100);
}
