/** Fields of a JSON document that are gone, new, or of another type. Elements of an array are compared as one. */
import { byCodeUnit } from '../fields/code-unit-order.js';
import { alignedEntries, entriesOf, isCut, type JsonShape, sameStatusClass, shapeOf } from '../json-facts.js';
import {
  bothValues,
  type Difference,
  NAME,
  otherSide,
  type Rule,
  weakerSide,
  worstAndMore,
} from '../rule.js';

export const jsonShapeDrift: Rule = {
  code: 'JSON_SHAPE_DRIFT',
  version: 2,
  title: 'JSON structure differs',
  about:
    'A field is missing on the candidate or has a different type there: critical. A field that is null on the candidate: a warning. A field that only the candidate has: info. The elements of an array are merged and compared as one; an empty array is not compared.',
  recommendation: 'Treat it as an API change: clients written for one side may break on the other.',
  inputs: ['body.content'],
  claims: [],
  grouped: worstAndMore,
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
    severity: 'critical',
    direction: weakerSide(otherSide(side)),
    message: `${pointer} is missing on ${NAME[otherSide(side)]}`,
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
        direction: nullable ? nullDirection(types) : 'changed',
        message: bothValues(pointer || 'The document', types[0], types[1]),
        kind: `${types[0]} ${types[1]}`,
      },
    ];
  });
}

/** The side where it may be null, or is always, is the weaker. */
function nullDirection(types: readonly [string, string]): Difference['direction'] {
  const nulls = types.map((type) => type.split(' or ').includes('null'));
  return nulls[0] === nulls[1] ? 'changed' : weakerSide(nulls[0] ? 'left' : 'right');
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
