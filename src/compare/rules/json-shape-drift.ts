/** Fields of a JSON answer that are gone, new, or of another type. Elements of an array are compared as one. */
import { byCodeUnit } from '../fields/code-unit-order.js';
import { alignedEntries, entriesOf, isCut, type JsonShape, sameStatusClass, shapeOf } from '../json-facts.js';
import type { Difference, Rule } from '../rule.js';

export const jsonShapeDrift: Rule = {
  code: 'JSON_SHAPE_DRIFT',
  version: 1,
  title: 'Another JSON shape',
  about:
    'A field is missing on the right or has another type there: critical. A field that only the right has, or that is null on one side: a warning. Elements of an array count as one, and an empty array says nothing about its elements.',
  recommendation: 'Treat it as an API change: clients written against one side may break on the other.',
  inputs: ['body.content'],
  claims: [],
  grouped: (count) => `The JSON shapes differ in ${count} places`,
  compare(left, right) {
    const a = entriesOf(left);
    const b = entriesOf(right);
    if (!a || !b || !sameStatusClass(left, right)) return [];
    const aligned = alignedEntries(left, right);
    if (aligned?.identicalOrder && aligned.sameTypes) return [];
    const shapes = [shapeOf(left), shapeOf(right)] as const;
    return [
      ...(isCut(right)
        ? []
        : missing(shapes[0], shapes[1]).map((pointer) => oneSided(pointer, shapes[0], 'left'))),
      ...(isCut(left)
        ? []
        : missing(shapes[1], shapes[0]).map((pointer) => oneSided(pointer, shapes[1], 'right'))),
      ...retyped(shapes[0], shapes[1]),
    ].sort((x, y) => byCodeUnit(x.key, y.key));
  },
};

/** The topmost places of `a` that `b` lacks although it has what contains them. */
function missing(a: JsonShape, b: JsonShape): string[] {
  return [...a].flatMap(([pointer, { parent }]) => {
    if (b.has(pointer) || parent === undefined) return [];
    const container = b.get(parent);
    if (!container?.types.has('object') && !container?.types.has('array')) return [];
    return container.types.has('array') && pointer.endsWith('/*') && container.length === 0 ? [] : [pointer];
  });
}

function oneSided(pointer: string, shape: JsonShape, side: 'left' | 'right'): Difference {
  const types = typesOf(shape, pointer);
  return {
    section: 'body',
    key: pointer,
    left: side === 'left' ? types : null,
    right: side === 'right' ? types : null,
    severity: side === 'left' ? 'critical' : 'warn',
    direction: side === 'left' ? 'left_only' : 'right_only',
    message: side === 'left' ? `${pointer} is missing on the right` : `${pointer} is new on the right`,
  };
}

function retyped(a: JsonShape, b: JsonShape): Difference[] {
  return [...a.keys()].flatMap((pointer): Difference[] => {
    if (!b.has(pointer)) return [];
    const types = [typesOf(a, pointer), typesOf(b, pointer)] as const;
    if (types[0] === types[1]) return [];
    const nullable = withoutNull(types[0]) === withoutNull(types[1]) || types.includes('null');
    return [
      {
        section: 'body',
        key: pointer,
        left: types[0],
        right: types[1],
        severity: nullable ? 'warn' : 'critical',
        direction: 'changed',
        message: `${pointer || 'The document'} is ${types[0]} on the left and ${types[1]} on the right`,
        kind: `${types[0]} ${types[1]}`,
      },
    ];
  });
}

function typesOf(shape: JsonShape, pointer: string): string {
  return [...(shape.get(pointer)?.types ?? [])].sort(byCodeUnit).join(' or ');
}

function withoutNull(types: string): string {
  return types
    .split(' or ')
    .filter((type) => type !== 'null')
    .join(' or ');
}
