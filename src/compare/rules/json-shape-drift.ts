/** Fields of a JSON document that are missing, new or of a different type. Elements of an array are compared as one. */
import type { Side } from '../../probe/index.js';
import { byKey, differencesOf } from '../differences.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { alignedEntries, entriesOf, isCut, type JsonShape, sameStatusClass, shapeOf } from '../json-facts.js';
import {
  bothValues,
  type Difference,
  NAME,
  otherSide,
  type Rule,
  valueOn,
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
  grouped: worstAndMore,
  compare(left, right) {
    if (!sameStatusClass(left, right)) return undefined;
    if (!entriesOf(left) || !entriesOf(right)) return unparsable(left, right);
    const aligned = alignedEntries(left, right);
    if (aligned?.identicalOrder && aligned.sameTypes) return undefined;
    const [a, b] = [shapeOf(left), shapeOf(right)];
    const cut = { left: isCut(left), right: isCut(right) };
    return byKey([
      ...(cut.right ? [] : oneSided(a, b, 'left')),
      ...(cut.left ? [] : oneSided(b, a, 'right')),
      ...retyped(a, b),
      ...(cut.left || cut.right ? [] : partlyMissing(a, b)),
    ]);
  },
};

/** A body sent as JSON that does not parse, while the other side's does. */
function unparsable(left: SampleView, right: SampleView): Difference | undefined {
  const broken = (view: SampleView) =>
    view.envelope.body?.kind === 'json' && !view.envelope.body.truncated && !entriesOf(view);
  const faulty = [broken(left), broken(right)] as const;
  if (faulty[0] === faulty[1]) return undefined;
  const side = faulty[0] ? 'left' : 'right';
  if (!entriesOf(side === 'left' ? right : left)) return undefined;
  return {
    section: 'body',
    key: '',
    ...valueOn(side, 'not valid JSON', 'valid JSON'),
    severity: 'critical',
    direction: weakerSide(side),
    message: `The body of ${NAME[side]} is not valid JSON`,
    kind: 'unparsable',
  };
}

/** Fields that every element of an array has on one side, and only some on the other. */
function partlyMissing(a: JsonShape, b: JsonShape): readonly Difference[] {
  return differencesOf([...a], ([pointer, node]) => {
    const other = b.get(pointer);
    if (!other || !node.parent?.endsWith('/*') || pointer.endsWith('/*')) return undefined;
    const elements = { left: a.get(node.parent)?.places ?? 0, right: b.get(node.parent)?.places ?? 0 };
    const lacking = { left: elements.left - node.places, right: elements.right - other.places };
    if (lacking.left > 0 === lacking.right > 0) return undefined;
    const side = lacking.left > 0 ? 'left' : 'right';
    return {
      section: 'body',
      key: pointer,
      left: node.places,
      right: other.places,
      severity: 'warn',
      direction: weakerSide(side),
      message: `${pointer} is missing in ${lacking[side]} of ${elements[side]} elements on ${NAME[side]}`,
      kind: 'partly',
    };
  });
}

/** Top-level fields that are worse to have than to lack. */
const ERROR_FIELD = /^\/(error|errors|exception)$/;

/** The topmost fields that only `side` has, although the other side has their parent. */
function oneSided(own: JsonShape, others: JsonShape, side: Side): readonly Difference[] {
  return differencesOf([...own], ([pointer, { parent }]) => {
    if (others.has(pointer) || parent === undefined) return undefined;
    const container = others.get(parent);
    if (!container?.types.has('object') && !container?.types.has('array')) return undefined;
    if (container.types.has('array') && pointer.endsWith('/*') && container.length === 0) return undefined;
    const isError = ERROR_FIELD.test(pointer);
    return {
      section: 'body',
      key: pointer,
      ...valueOn(side, typesOf(own, pointer)),
      severity: 'critical',
      direction: weakerSide(isError ? side : otherSide(side)),
      message: isError
        ? `Only ${NAME[side]} has ${pointer}`
        : `${pointer} is missing on ${NAME[otherSide(side)]}`,
    };
  });
}

function retyped(a: JsonShape, b: JsonShape): readonly Difference[] {
  return differencesOf([...a.keys()], (pointer) => {
    if (!b.has(pointer)) return undefined;
    const types = [typesOf(a, pointer), typesOf(b, pointer)] as const;
    if (types[0] === types[1]) return undefined;
    const nullable = withoutNull(types[0]) === withoutNull(types[1]) || types.includes('null');
    return {
      section: 'body',
      key: pointer,
      left: types[0],
      right: types[1],
      severity: nullable ? 'warn' : 'critical',
      direction: nullable ? nullDirection(types) : 'changed',
      message: bothValues(pointer || 'The document', types[0], types[1]),
      kind: `${types[0]} ${types[1]}`,
    };
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
