/** Text from a target must not block the event loop: inputs at their limits on which a backtracking parser is slow. */
import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../test/support/audit-facts.js';
import { cpuMs } from '../../test/support/cpu-time.js';
import { directivesOf } from './directives.js';
import { parseLinkHeader } from './link-header.js';
import { RULES } from './rules/index.js';

/** Linear parsers take a few milliseconds; quadratic ones take seconds to minutes. */
const LIMIT_MS = 2_000;

function expectQuick(work: () => void): void {
  expect(cpuMs(work)).toBeLessThan(LIMIT_MS);
}

function ruleOf(id: string) {
  const rule = RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return rule;
}

it('judges 1,000 asset names of 2,000 characters in time', () => {
  const name = `/${'-'.repeat(1900)}${'a'.repeat(60)}`;
  const assets = Array.from(
    { length: 500 },
    (_, at) => `<script src="${name}${at}"></script><img src="${name}i${at}">`,
  );
  const facts = page('/', { html: assets.join('') });
  expectQuick(() => outcomeOf(ruleOf('http.cache-static'), facts));
});

it.each(['[', '[a](', '# ', '[]'])('judges an llms.txt that repeats %j', (piece) => {
  const text = piece.repeat(20_000 / piece.length);
  const llmsTxt = {
    fetch: fetched('https://www.example.com/llms.txt', { headers: [['content-type', 'text/plain']] }),
    text,
  };
  expectQuick(() => outcomeOf(ruleOf('ai.llms-txt'), page('/', { html: '' }), { probes: { llmsTxt } }));
});

it.each(['<', '<a>;', '"', '<a>; rel="', ', ', ';'])('parses Link headers that repeat %j', (piece) => {
  expectQuick(() => parseLinkHeader(Array(100).fill(piece.repeat(2000 / piece.length))));
});

it.each([' ', ' :', 'noindex :', ': '])('parses X-Robots-Tag headers that repeat %j', (piece) => {
  const value = piece.repeat(2000 / piece.length);
  expectQuick(() => directivesOf({ headers: Array(100).fill(['x-robots-tag', value]) }, null));
});
