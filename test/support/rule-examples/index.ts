/** Every rule's example. ROUTE_SET_DRIFT applies to a suite and has its own test. */
import type { SignalEnvelope } from '../../../src/probe/index.js';
import { makeEnvelope, type Sketch } from '../make-envelope.js';
import { PAGE_EXAMPLES } from './page-examples.js';
import type { RuleExample, RuleExamples } from './rule-example.js';
import { TRAFFIC_EXAMPLES } from './traffic-examples.js';

export const RULE_EXAMPLES: RuleExamples = { ...TRAFFIC_EXAMPLES, ...PAGE_EXAMPLES };

export function exampleSamples(example: RuleExample): { left: SignalEnvelope[]; right: SignalEnvelope[] } {
  return {
    left: samplesOf('left', example.left, example.moreLeft ?? repeated(example.left, example)),
    right: samplesOf('right', example.right, example.moreRight ?? repeated(example.right, example)),
  };
}

function repeated(sketch: Sketch, { samples = 1 }: RuleExample): readonly Sketch[] {
  return Array.from({ length: samples - 1 }, () => sketch);
}

function samplesOf(side: 'left' | 'right', first: Sketch, more: readonly Sketch[]): SignalEnvelope[] {
  return [first, ...more].map((sketch, index) => makeEnvelope(side, sketch, index + 1));
}
