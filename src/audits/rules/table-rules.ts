/**
 * Rules that differ only in data. A row defines what is measured and its allowed range, and shared code judges all of
 * them. With one bound the rule has one level; with two it warns, then fails.
 */
import { directivesOf, noindexOf } from '../directives.js';
import type { DocumentFacts, PageFacts } from '../facts/page-facts.js';
import {
  type Evidence,
  fail,
  notApplicable,
  type PageKind,
  type PageRule,
  pageRule,
  pass,
  type RuleHead,
  warn,
} from '../rule.js';

interface Measured {
  readonly value: number;
  readonly element?: string;
  readonly line?: number;
  /** The value as shown; by default the number and the unit of the row. */
  readonly shown?: string;
}

/** A value below `min`, or of at least `warnFrom` or `failFrom`, is a finding. */
interface Row extends RuleHead {
  readonly on: PageKind;
  readonly page?: readonly (keyof PageFacts)[];
  readonly document?: readonly (keyof DocumentFacts)[];
  readonly unit: string;
  readonly min?: number;
  readonly warnFrom?: number;
  readonly failFrom?: number;
  /** Undefined if the page has nothing to measure; `absent` is the reason. */
  measure(page: PageFacts, document: DocumentFacts): Measured | undefined;
  readonly absent: string;
  /** Replaces the text made from the limits and the unit. */
  readonly expected?: string;
}

const ROWS: readonly Row[] = [
  {
    id: 'title.length',
    title: '{n} {title is|titles are} too short or too long',
    passTitle: 'Titles are between 15 and 60 characters long',
    category: 'content',
    severity: 'warn',
    weight: 3,
    why: 'A title under 15 characters is too vague; one over 60 is cut off in search results.',
    fix: 'Write a title of 15 to 60 characters that says what the page is about.',
    on: 'html',
    document: ['titles'],
    unit: 'characters',
    min: 15,
    failFrom: 61,
    absent: 'the page has no title',
    measure: (_page, { titles }) => {
      const [title] = titles.filter(({ inHead, text }) => inHead && text !== '');
      return (
        title && { value: [...title.text].length, element: `<title>${title.text}</title>`, line: title.line }
      );
    },
  },
  {
    id: 'desc.length',
    title: '{n} {description is|descriptions are} too short or too long',
    passTitle: 'Descriptions are between 50 and 160 characters long',
    category: 'content',
    severity: 'info',
    weight: 2,
    why: 'A description under 50 characters is too vague; one over 160 is cut off in search results.',
    fix: 'Write a description of 50 to 160 characters.',
    on: 'html',
    document: ['metas'],
    unit: 'characters',
    min: 50,
    failFrom: 161,
    absent: 'the page has no description',
    measure: (_page, { metas }) => {
      const found = metas.find(
        ({ name, inHead, content }) => name === 'description' && inHead && content?.trim(),
      );
      const text = found?.content?.trim() ?? '';
      if (!found) return undefined;
      return {
        value: [...text].length,
        element: `<meta name="description" content="${text}">`,
        line: found.line,
      };
    },
  },
  {
    id: 'content.thin',
    title: '{n} {page has|pages have} very little text',
    passTitle: 'Pages have enough text',
    category: 'content',
    severity: 'info',
    weight: 3,
    why: 'A page with very little text rarely answers a question and rarely ranks.',
    fix: 'Add text, merge the page with another, or set it to noindex.',
    on: 'html',
    page: ['fetch'],
    document: ['text', 'metas'],
    unit: 'words in the main content',
    min: 150,
    absent: 'the page is set to noindex',
    measure: ({ fetch }, document) =>
      fetch && noindexOf(directivesOf(fetch, document)) ? undefined : { value: document.text.mainWords },
  },
  {
    id: 'perf.html-size',
    title: '{n} {page has|pages have} more than 500 KB of HTML',
    passTitle: 'Pages have less than 500 KB of HTML',
    category: 'perf',
    severity: 'warn',
    weight: 6,
    why: 'Large documents are slow to load, and search engines read only the first 2 MB.',
    fix: 'Move inline data, images and styles into separate files.',
    on: 'html',
    page: ['fetch'],
    unit: 'bytes of HTML',
    warnFrom: 512_000,
    failFrom: 2_097_152,
    absent: 'the size of the page is not known',
    measure: ({ fetch }) => (fetch?.bodyBytes == null ? undefined : { value: fetch.bodyBytes }),
  },
  {
    id: 'perf.dom-size',
    title: '{n} {page has|pages have} more than 1,500 elements',
    passTitle: 'Pages have at most 1,500 elements',
    category: 'perf',
    severity: 'info',
    weight: 1,
    why: 'Every element costs memory and time, especially on phones.',
    fix: 'Split the page, or load long lists incrementally.',
    on: 'html',
    document: ['elements'],
    unit: 'elements',
    failFrom: 1_501,
    absent: 'the page has no elements',
    measure: (_page, { elements }) => ({ value: elements }),
  },
  {
    id: 'html.doctype',
    title: '{n} {page does|pages do} not start with <!doctype html>',
    passTitle: 'Pages start with <!doctype html>',
    category: 'mobile',
    severity: 'info',
    weight: 2,
    why: 'Without it browsers switch to quirks mode, and layouts break.',
    fix: 'Write <!doctype html> as the first line.',
    on: 'html',
    document: ['doctype'],
    unit: 'doctype',
    expected: '<!doctype html>',
    min: 1,
    absent: 'the page has no document',
    measure: (_page, { doctype }) =>
      doctype?.toLowerCase() === 'html'
        ? { value: 1 }
        : { value: 0, shown: doctype === null ? 'no doctype' : `<!doctype ${doctype}>` },
  },
  {
    id: 'http.ttfb',
    title: '{n} {page takes|pages take} longer than 800 ms to start responding',
    passTitle: 'Pages start responding within 800 ms',
    category: 'perf',
    severity: 'warn',
    weight: 4,
    why: 'Nothing can be shown before the first byte arrives, and crawlers slow down for slow sites.',
    fix: 'Cache the page, or serve it closer to its readers.',
    on: 'response',
    page: ['fetch', 'samples'],
    unit: 'ms to the first byte',
    warnFrom: 801,
    failFrom: 1801,
    absent: 'there is no response to time',
    measure: ({ fetch, samples }) => {
      const times = samples?.ttfbMs ?? (fetch?.ttfbMs == null ? [] : [fetch.ttfbMs]);
      const middle = [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)];
      return middle === undefined
        ? undefined
        : { value: Math.round(middle), shown: `${Math.round(middle)} ms, median of ${times.length}` };
    },
  },
];

export const TABLE_RULES: readonly PageRule[] = ROWS.map(ruleOfRow);

function ruleOfRow(row: Row): PageRule {
  const { on, page = [], document = [], unit, min, warnFrom, failFrom, measure, absent, ...rest } = row;
  const { expected = expectedOf(row), ...head } = rest;
  return pageRule({
    ...head,
    ...(warnFrom !== undefined && { levels: 2 }),
    on,
    inputs: { page, document },
    check(facts) {
      // The row declares what it reads, and the runner passes exactly that.
      const measured = measure(facts.page as PageFacts, facts.document as unknown as DocumentFacts);
      if (!measured) return notApplicable(absent);
      const { value, shown = `${value} ${unit}`, ...place } = measured;
      const evidence: Evidence = { url: facts.page.url, ...place, observed: shown, expected };
      if ((min !== undefined && value < min) || (failFrom !== undefined && value >= failFrom))
        return fail(evidence);
      return warnFrom !== undefined && value >= warnFrom ? warn(evidence) : pass;
    },
  });
}

function expectedOf({ min, warnFrom, failFrom, unit }: Row): string {
  const most = warnFrom ?? failFrom;
  const upper = most === undefined ? undefined : `at most ${most - 1}`;
  const lower = min === undefined ? undefined : `at least ${min}`;
  return `${[lower, upper].filter((part) => part !== undefined).join(', ')} ${unit}`;
}
