/** The parts of a page: landmarks, forms, links and images that one side lacks. HEADINGS_LOST covers headings. */
import type { HtmlFacts, Side } from '../../probe/index.js';
import { assetsOf, shownForm } from '../asset-urls.js';
import { byKey, differencesOf, missingOf, newOnes, present } from '../differences.js';
import { sortedSet, without } from '../fields/code-unit-order.js';
import { sameStatusClass } from '../json-facts.js';
import { type Difference, NAME, otherSide, type Rule, valueOn, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

/** Fewer missing links or images than this can be an edit. */
const LOST_MIN = 3;
const LOST_SHARE = 0.2;

export const htmlStructureDrift: Rule = {
  code: 'HTML_STRUCTURE_DRIFT',
  version: 3,
  title: 'Part of the page is missing',
  about:
    'A landmark (main, nav, header, footer, aside, search), a form or a field of one is missing on the candidate, a form is sent elsewhere, or a fifth of the links or images, and at least three, are gone. Warning; info if the candidate adds it or fewer are gone.',
  recommendation:
    'Open both pages; part of the page may have failed to render, or a feature may be off on one side.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = left.envelope.body?.html;
    const b = right.envelope.body?.html;
    if (!a || !b || !sameStatusClass(left, right)) return [];
    const losses = [...landmarkLosses(a, b), ...formDifferences(left, right)];
    if (a.truncated || b.truncated) return losses;
    return [
      ...losses,
      ...present(
        listDifference('links', linksOf, { left, right }),
        listDifference('images', imagesOf, { left, right }),
      ),
    ];
  },
};

function loss(key: string, had: number | string, lacking: Side): Difference {
  return {
    section: 'body',
    key,
    ...valueOn(otherSide(lacking), had, typeof had === 'number' ? 0 : null),
    severity: 'warn',
    direction: weakerSide(lacking),
    message: `${NAME[lacking]} lacks the ${key}`,
  };
}

function landmarkLosses(a: HtmlFacts, b: HtmlFacts): readonly Difference[] {
  const names = sortedSet([...Object.keys(a.landmarks), ...Object.keys(b.landmarks)]);
  return differencesOf(names, (name) => {
    const [x = 0, y = 0] = [a.landmarks[name], b.landmarks[name]];
    if (name === 'form' || (x === 0) === (y === 0)) return undefined;
    return loss(`landmark ${name}`, x + y, x === 0 ? 'left' : 'right');
  });
}

interface Form {
  readonly fields: readonly string[];
  readonly target: string;
}

/** Forms match if their method and target are the same, or else if their fields are. */
function formDifferences(left: SampleView, right: SampleView): readonly Difference[] {
  const others = formsOf(right);
  const found: Difference[] = [];
  const unmatched: Form[] = [];
  for (const form of formsOf(left)) {
    const at = others.findIndex(({ target }) => target === form.target);
    if (at < 0) unmatched.push(form);
    else found.push(...fieldDifferences(form, others.splice(at, 1)[0] ?? form));
  }
  for (const form of unmatched) {
    const at = others.findIndex(({ fields }) => fields.length > 0 && fields.join() === form.fields.join());
    const other = at < 0 ? undefined : others.splice(at, 1)[0];
    found.push(other ? sentElsewhere(form, other) : loss(`form ${form.target}`, form.target, 'right'));
  }
  found.push(...others.map(({ target }) => loss(`form ${target}`, target, 'left')));
  return byKey(found);
}

function formsOf(view: SampleView): Form[] {
  return (view.envelope.body?.html?.forms ?? []).map(({ method, action, fields }) => ({
    fields: sortedSet(fields),
    target: `${method.toLowerCase()} ${action === undefined ? 'to its own page' : placeOf(action, view)}`,
  }));
}

/** A URL without its query and own origin. */
function placeOf(url: string, view: SampleView): string {
  const place = url.replace(/[?#][\s\S]*/, '');
  const { origin } = view.finalUrl ?? {};
  return origin !== undefined && place.startsWith(`${origin}/`)
    ? place.slice(origin.length)
    : view.map(place);
}

function fieldDifferences(form: Form, other: Form): Difference[] {
  const name = (field: string) => field.slice(field.indexOf(':') + 1);
  const lost = (side: Side, fields: readonly string[]) =>
    fields.map((field) => loss(`field ${name(field)} of the form ${form.target}`, field, side));
  return [
    ...lost('left', without(other.fields, form.fields)),
    ...lost('right', without(form.fields, other.fields)),
  ];
}

function sentElsewhere(form: Form, other: Form): Difference {
  return {
    section: 'body',
    key: `form with ${form.fields.join(' ')}`,
    left: form.target,
    right: other.target,
    severity: 'warn',
    direction: 'changed',
    message: `A form is sent to different places: ${form.target} on ${NAME.left} and ${other.target} on ${NAME.right}`,
  };
}

function linksOf(view: SampleView): readonly string[] {
  return sortedSet((view.envelope.body?.html?.links ?? []).map((link) => placeOf(link, view)));
}

function imagesOf(view: SampleView): readonly string[] {
  return sortedSet(
    assetsOf(view)
      .filter(({ kind }) => kind === 'image')
      .map(({ form }) => form),
  );
}

const NAMES_MAX = 3;

/** The links or images that only one side has, as one difference; the side with fewer is weaker. */
function listDifference(
  noun: string,
  listOf: (view: SampleView) => readonly string[],
  views: Readonly<Record<Side, SampleView>>,
): Difference | undefined {
  const [left, right] = [listOf(views.left), listOf(views.right)];
  const own = { left: without(left, right), right: without(right, left) };
  if (own.left.length === 0 && own.right.length === 0) return undefined;
  const sizes = { left: left.length, right: right.length };
  const net = Math.abs(sizes.left - sizes.right);
  const shorter = sizes.left < sizes.right ? 'left' : 'right';
  const fuller = otherSide(shorter);
  const many = net >= LOST_MIN && net / sizes[fuller] >= LOST_SHARE;
  const names = { left: namesOf(own.left, views.left), right: namesOf(own.right, views.right) };
  return {
    section: 'body',
    key: noun,
    left: own.left,
    right: own.right,
    severity: many ? 'warn' : 'info',
    direction: many ? weakerSide(shorter) : 'changed',
    message: many
      ? `${missingOf(own[fuller].length, sizes[fuller], noun)} on ${NAME[shorter]}: ${names[fuller]}${newOnes(own[shorter].length)}`
      : `The ${noun} differ: ${[onlyOn('left', names), onlyOn('right', names)].filter(Boolean).join('; ')}`,
    kind: many ? shorter : '',
  };
}

function onlyOn(side: Side, names: Readonly<Record<Side, string>>): string {
  return names[side] === '' ? '' : `only ${NAME[side]} has ${names[side]}`;
}

function namesOf(items: readonly string[], view: SampleView): string {
  const names = items.slice(0, NAMES_MAX).map((item) => shownForm(item, view));
  const more = items.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
