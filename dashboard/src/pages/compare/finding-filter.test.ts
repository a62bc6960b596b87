import { describe, expect, test } from 'vitest';
import type { Finding } from '../../api/types';
import { countsOf, groupOf, isAcceptable, listItems, matches } from './finding-filter';

const finding = (given: Partial<Finding>): Finding =>
  ({
    id: 'f',
    code: 'STATUS_MISMATCH',
    message: 'Status 500',
    severity: 'warn',
    category: 'status',
    ...given,
  }) as Finding;

const CAUSE = finding({ id: 'cause', severity: 'critical', message: 'The page is behind a login' });
const EFFECT = finding({ id: 'effect', explainedBy: 'cause', message: 'Title differs' });
const ORPHAN = finding({ id: 'orphan', explainedBy: 'gone', message: 'Length differs' });
const NOISE = finding({ id: 'noise', stability: 'noisy' });
const KNOWN = finding({ id: 'known', status: 'known', stability: 'noisy' });
const ALL = [NOISE, EFFECT, CAUSE, KNOWN, ORPHAN];

const shown = (filter: Parameters<typeof listItems>[1]) =>
  listItems(ALL, filter).map((item) =>
    item.kind === 'head' ? `${item.title} (${item.count})` : item.finding.id,
  );

test('each finding is in one group; accepted ones are not noise', () => {
  expect(ALL.map(groupOf)).toEqual(['noise', 'effect', 'counted', 'accepted', 'effect']);
  expect(countsOf(ALL)).toEqual({ counted: 1, effect: 2, noise: 1, accepted: 1 });
});

test.each([
  [{ severity: 'critical' }, true],
  [{ severity: 'info' }, false],
  [{ severity: 'critical', category: 'reliability' }, false],
  [{ severity: 'critical', status: 'known' }, false],
] as const)('%j can be accepted: %s', (given, expected) => {
  expect(isAcceptable(finding(given))).toBe(expected);
});

describe('a search', () => {
  const one = finding({ code: 'CACHE_HEADER_DRIFT', message: 'Caching of /style.css differs', id: 'ab12' });

  test.each([
    ['', true],
    ['caching style', true],
    ['Caching  /STYLE.css', true],
    ['caching missing', false],
    ['-style', false],
    ['-missing', true],
    ['-', true],
    ['code:cache_header_drift', true],
    ['code:cache', false],
    ['-code:cache_header_drift', false],
    ['ab12', true],
  ])('for %j finds it: %s', (q, expected) => expect(matches(one, q)).toBe(expected));
});

test('a list starts with the worst; effects, accepted ones and noise come on request', () => {
  expect(shown({})).toEqual(['Critical (1)', 'cause']);
  expect(shown({ effects: '1' })).toEqual([
    'Critical (1)',
    'cause',
    'effect',
    'Effects of other findings (1)',
    'orphan',
  ]);
  expect(shown({ accepted: '1', noise: '1', sev: 'warn' })).toEqual([
    'Accepted or gone (1)',
    'known',
    'Noise: differs within one side (1)',
    'noise',
  ]);
});
