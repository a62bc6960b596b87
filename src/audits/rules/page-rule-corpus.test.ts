/** What each page rule says of a page, to the word: one line of the corpus per case. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type HtmlPageOptions, outcomeOf, page, robotsFile } from '../../../test/support/audit-facts.js';
import type { Outcome } from '../rule.js';
import { RULES } from './index.js';

interface RuleCase extends Pick<HtmlPageOptions, 'fetch' | 'samples'> {
  readonly rule: string;
  /** Pieces, of which some are repeated; a response without document where there are none. */
  readonly html?: string | readonly (string | readonly [text: string, times: number])[];
  readonly path?: string;
  /** Null for a response without a type. */
  readonly type?: string | null;
  readonly headers?: readonly (readonly [string, string])[];
  readonly robots?: string;
  /** The status, then the reason or each finding: line, element, what was observed, related URLs. */
  readonly says: readonly string[];
}

const corpus = readFileSync(new URL('../../../test/corpus/audit-page-rules.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): RuleCase => JSON.parse(line));

const htmlOf = (html: NonNullable<RuleCase['html']>) =>
  typeof html === 'string'
    ? html
    : html.map((piece) => (typeof piece === 'string' ? piece : piece[0].repeat(piece[1]))).join('');

function said(outcome: Outcome): string[] {
  if ('reason' in outcome) return [outcome.status, outcome.reason];
  if (!('evidence' in outcome)) return [outcome.status];
  const findings = outcome.evidence.map(({ line, element, observed, related = [] }) =>
    [line === undefined ? '' : `line ${line}`, element ?? '', observed, ...related]
      .filter((part) => part !== '')
      .join(' | '),
  );
  return [outcome.status, ...findings];
}

function judge({
  rule: id,
  html,
  path = '/p',
  type = 'text/html; charset=utf-8',
  headers = [],
  ...rest
}: RuleCase) {
  const rule = RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const { fetch, samples, robots } = rest;
  const facts = page(path, {
    ...(html !== undefined && { html: htmlOf(html) }),
    headers: [...(type === null ? [] : [['content-type', type] as const]), ...headers],
    ...(fetch !== undefined && { fetch }),
    ...(samples && { samples }),
  });
  return said(outcomeOf(rule, facts, robots === undefined ? {} : { robots: [robotsFile(robots)] }));
}

it('gives every page of the corpus the findings that it should have, and no others', () => {
  expect(corpus.map((each) => ({ ...each, says: judge(each) }))).toEqual(corpus);
  expect(corpus.length).toBeGreaterThan(200);
});

it('documents two levels for the rules that warn before they fail', () => {
  const warning = new Set(corpus.filter(({ says }) => says[0] === 'warn').map(({ rule }) => rule));
  const leveled = RULES.filter(({ levels }) => levels === 2).map(({ id }) => id);
  expect(leveled.sort()).toEqual([...warning].sort());
});
