/** What a page consists of: landmarks, headings and forms that one side lacks. */
import type { HtmlFacts, HtmlForm } from '../../probe/index.js';
import { byCodeUnit, sortedSet } from '../fields/code-unit-order.js';
import { sameStatusClass } from '../json-facts.js';
import { type Difference, type Rule, weakerSide } from '../rule.js';

/** Headings that a page may lose before it counts: lists of news vary. */
const HEADING_LOSS_SHARE = 0.5;

export const htmlStructureDrift: Rule = {
  code: 'HTML_STRUCTURE_DRIFT',
  version: 1,
  title: 'Another page structure',
  about:
    'A landmark (main, nav, header, footer, aside, search), the first heading, half of all headings or a form is missing on one side. A warning.',
  recommendation: 'Look at both pages; a part may have failed to render, or a feature is off on one side.',
  inputs: ['body.content'],
  claims: [],
  parts: ['html'],
  grouped: (count) => `The page structure differs in ${count} respects`,
  compare(left, right) {
    const a = left.envelope.body?.html;
    const b = right.envelope.body?.html;
    if (!a || !b || !sameStatusClass(left, right)) return [];
    return [...landmarkLosses(a, b), ...headingLosses(a, b), ...formLosses(a, b)];
  },
};

type Values = readonly [left: number | string | null, right: number | string | null];

function loss(key: string, [left, right]: Values, lacking: 'left' | 'right'): Difference {
  return {
    section: 'body',
    key,
    left,
    right,
    severity: 'warn',
    direction: weakerSide(lacking),
    message: `The ${lacking} side lacks ${key}`,
  };
}

function landmarkLosses(a: HtmlFacts, b: HtmlFacts): Difference[] {
  return sortedSet([...Object.keys(a.landmarks), ...Object.keys(b.landmarks)]).flatMap((name) => {
    const counts = [a.landmarks[name] ?? 0, b.landmarks[name] ?? 0] as const;
    return name !== 'form' && (counts[0] === 0) !== (counts[1] === 0)
      ? [loss(`landmark ${name}`, counts, counts[0] === 0 ? 'left' : 'right')]
      : [];
  });
}

function headingLosses(a: HtmlFacts, b: HtmlFacts): Difference[] {
  const firsts = [a, b].map(({ headings }) => headings.filter(({ level }) => level === 1).length);
  const [x = 0, y = 0] = firsts;
  if ((x === 0) !== (y === 0)) return [loss('first heading', [x, y], x === 0 ? 'left' : 'right')];
  const [small, large] = [a.headings.length, b.headings.length].sort((m, n) => m - n);
  if (large === undefined || small === undefined || large < 4 || small >= large * HEADING_LOSS_SHARE)
    return [];
  const counts = [a.headings.length, b.headings.length] as const;
  return [loss('headings', counts, counts[0] < counts[1] ? 'left' : 'right')];
}

function formLosses(a: HtmlFacts, b: HtmlFacts): Difference[] {
  const forms = [formsOf(a), formsOf(b)] as const;
  return [
    ...forms[0]
      .filter((form) => !forms[1].includes(form))
      .map((form) => loss(`form ${form}`, [form, null], 'right')),
    ...forms[1]
      .filter((form) => !forms[0].includes(form))
      .map((form) => loss(`form ${form}`, [null, form], 'left')),
  ].sort((x, y) => byCodeUnit(x.key, y.key));
}

function formsOf({ forms }: HtmlFacts): readonly string[] {
  return sortedSet(
    forms.map(({ method, fields }: HtmlForm) => `${method.toLowerCase()} ${fields.join(' ')}`.trim()),
  );
}
