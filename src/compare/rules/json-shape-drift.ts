/** Fields of a JSON document that are missing, new or of a different type. Elements of an array are compared as one. */
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
import type { SampleView } from '../sample-view.js';

export const jsonShapeDrift: Rule = {
  code: 'JSON_SHAPE_DRIFT',
  version: 3,
  title: 'JSON structure differs',
  about:
    'A field is missing on the candidate or has a different type there, or its body does not parse as JSON: critical. A field that is null on the candidate, or that some elements of an array lack there and none on the reference: a warning. A field that only the candidate has: info, unless it is an error at the top of the document. Elements of an array count as one, and an empty array says nothing about its elements.',
  recommendation: 'Treat it as an API change: clients written for one side may break on the other.',
  inputs: ['body.content'],
  claims: [],
  grouped: worstAndMore,
  compare(left, right) {
    if (!sameStatusClass(left, right)) return [];
    const a = entriesOf(left);
    const b = entriesOf(right);
    if (!a || !b) return unparsable(left, right);
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
      ...(isCut(left) || isCut(right) ? [] : partlyMissing(shapes[0], shapes[1])),
    ].sort((x, y) => byCodeUnit(x.key, y.key));
  },
};

/** A body sent as JSON that does not parse, while the other side's does. */
function unparsable(left: SampleView, right: SampleView): Difference[] {
  const broken = (view: SampleView) =>
    view.envelope.body?.kind === 'json' && !view.envelope.body.truncated && !entriesOf(view);
  const faulty = [broken(left), broken(right)] as const;
  if (faulty[0] === faulty[1]) return [];
  const side = faulty[0] ? 'left' : 'right';
  if (!entriesOf(side === 'left' ? right : left)) return [];
  return [
    {
      section: 'body',
      key: '',
      left: side === 'left' ? 'not valid JSON' : 'valid JSON',
      right: side === 'right' ? 'not valid JSON' : 'valid JSON',
      severity: 'critical',
      direction: weakerSide(side),
      message: `The body of ${NAME[side]} is not valid JSON`,
      kind: 'unparsable',
    },
  ];
}

/** Fields that every element of an array has on one side, and only some on the other. */
function partlyMissing(a: JsonShape, b: JsonShape): Difference[] {
  return [...a].flatMap(([pointer, node]): Difference[] => {
    const other = b.get(pointer);
    const parents = [a.get(node.parent ?? '')?.places ?? 0, b.get(node.parent ?? '')?.places ?? 0] as const;
    if (!other || !node.parent?.endsWith('/*') || pointer.endsWith('/*')) return [];
    const lacking = [parents[0] - node.places, parents[1] - other.places] as const;
    if (lacking[0] > 0 === lacking[1] > 0) return [];
    const side = lacking[0] > 0 ? 'left' : 'right';
    const [count, all] = side === 'left' ? [lacking[0], parents[0]] : [lacking[1], parents[1]];
    return [
      {
        section: 'body',
        key: pointer,
        left: node.places,
        right: other.places,
        severity: 'warn',
        direction: weakerSide(side),
        message: `${pointer} is missing in ${count} of ${all} elements on ${NAME[side]}`,
        kind: 'partly',
      },
    ];
  });
}

/** Top-level fields that are worse to have than to lack. */
const ERROR_FIELD = /^\/(error|errors|exception)$/;

/** The topmost fields of `a` that `b` lacks although it has their parent. */
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
    direction: weakerSide(ERROR_FIELD.test(pointer) ? side : otherSide(side)),
    message: ERROR_FIELD.test(pointer)
      ? `Only ${NAME[side]} has ${pointer}`
      : `${pointer} is missing on ${NAME[otherSide(side)]}`,
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

/** The side where the field is sometimes or always null is weaker. */
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
