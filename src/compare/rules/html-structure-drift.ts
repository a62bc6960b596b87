/** What a page consists of: landmarks and forms that one side lacks. Headings are another rule's. */
import type { HtmlFacts, HtmlForm } from '../../probe/index.js';
import { byCodeUnit, sortedSet } from '../fields/code-unit-order.js';
import { sameStatusClass } from '../json-facts.js';
import { type Difference, NAME, type Rule, weakerSide, worstAndMore } from '../rule.js';

export const htmlStructureDrift: Rule = {
  code: 'HTML_STRUCTURE_DRIFT',
  version: 2,
  title: 'Part of the page is missing',
  about:
    'A landmark (main, nav, header, footer, aside, search) or a form is missing on the candidate. Warning; info if the candidate adds it.',
  recommendation:
    'Open both pages; part of the page may have failed to render, or a feature may be off on one side.',
  inputs: ['body.content'],
  claims: [],
  grouped: worstAndMore,
  compare(left, right) {
    const a = left.envelope.body?.html;
    const b = right.envelope.body?.html;
    if (!a || !b || !sameStatusClass(left, right)) return [];
    return [...landmarkLosses(a, b), ...formLosses(a, b)];
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
    message: `${NAME[lacking]} lacks the ${key}`,
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
