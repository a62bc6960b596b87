/**
 * JSON bodies as comparable facts: pointers aligned between sides, and shapes in which the elements of an array
 * are one, so that lists of different data but the same form are alike.
 */
import { BODY_FACT_LIMITS, type JsonEntry, type JsonType } from '../probe/index.js';
import type { SampleView } from './sample-view.js';

export interface AlignedEntries {
  readonly pairs: readonly (readonly [JsonEntry, JsonEntry])[];
  /** Whether both have the same pointers in the same order. */
  readonly identicalOrder: boolean;
}

export function entriesOf(view: SampleView): readonly JsonEntry[] | undefined {
  return view.envelope.body?.json?.entries;
}

export function alignEntries(left: readonly JsonEntry[], right: readonly JsonEntry[]): AlignedEntries {
  // Nearly always both sides list the same pointers; a map of one side is built only when they do not.
  const pairs: (readonly [JsonEntry, JsonEntry])[] = [];
  for (let at = 0; at < left.length; at++) {
    const a = left[at];
    const b = right[at];
    if (!a || !b || a.pointer !== b.pointer) return alignByMap(left, right);
    pairs.push([a, b]);
  }
  return left.length === right.length ? { pairs, identicalOrder: true } : alignByMap(left, right);
}

function alignByMap(left: readonly JsonEntry[], right: readonly JsonEntry[]): AlignedEntries {
  const others = new Map(right.map((entry) => [entry.pointer, entry]));
  const pairs = left.flatMap((entry) => {
    const other = others.get(entry.pointer);
    return other ? [[entry, other] as const] : [];
  });
  return { pairs, identicalOrder: false };
}

export interface ShapeNode {
  readonly types: ReadonlySet<JsonType>;
  /** Elements or keys, summed over all places of this shape. */
  readonly length: number;
  readonly parent: string | undefined;
}

/** Pointer with `*` for every array index → what stands there. */
export type JsonShape = ReadonlyMap<string, ShapeNode>;

export function shapeOf(view: SampleView): JsonShape {
  return view.parsed('json-shape', () => buildShape(entriesOf(view) ?? []));
}

function buildShape(entries: readonly JsonEntry[]): JsonShape {
  const shape = new Map<string, { types: Set<JsonType>; length: number; parent: string | undefined }>();
  const places = new Map<string, { template: string; type: JsonType }>();
  for (const { pointer, type, length = 0 } of entries) {
    const slash = pointer.lastIndexOf('/');
    const parent = slash < 0 ? undefined : places.get(pointer.slice(0, slash));
    const template = parent
      ? `${parent.template}/${parent.type === 'array' ? '*' : pointer.slice(slash + 1)}`
      : pointer;
    if (type === 'object' || type === 'array') places.set(pointer, { template, type });
    const node = shape.get(template) ?? { types: new Set(), length: 0, parent: parent?.template };
    node.types.add(type);
    node.length += length;
    shape.set(template, node);
  }
  return shape;
}

/** Entries were cut off, so that what is missing may merely not have been listed. */
export function isCut(view: SampleView): boolean {
  return (
    view.envelope.body?.json?.truncated === true &&
    (entriesOf(view)?.length ?? 0) >= BODY_FACT_LIMITS.jsonEntries
  );
}

/** An error page need not look like the page: bodies are compared within one class of status only. */
export function sameStatusClass(left: SampleView, right: SampleView): boolean {
  return Math.floor((left.response?.status ?? 0) / 100) === Math.floor((right.response?.status ?? 0) / 100);
}
