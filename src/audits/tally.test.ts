import { describe, expect, it } from 'vitest';
import { fail } from './rule.js';
import { pageCount, placesOf, RESULT_LIMITS, Tally } from './tally.js';

const missing = (url: string, line?: number) =>
  fail({ url, ...(line !== undefined && { line }), observed: 'no title', expected: 'a title' });

describe('the findings of a rule', () => {
  it('are one finding with several places if a template repeats them', () => {
    const tally = new Tally({ grouped: true });
    tally.add(missing('/a', 1));
    tally.add(missing('/b', 2));
    tally.add(fail({ url: '/c', observed: 'two titles', expected: 'a title' }));
    const [first, second] = tally.issues();
    expect(tally).toMatchObject({ issueCount: 2, placeCount: 3, failed: 3 });
    expect(first && placesOf(first)).toEqual([
      { url: '/a', line: 1 },
      { url: '/b', line: 2 },
    ]);
    expect([first && pageCount(first), second?.observed]).toEqual([2, 'two titles']);
  });

  it('stay separate if a finding is about its URL', () => {
    const tally = new Tally({ grouped: false });
    tally.add(missing('/a'));
    tally.add(missing('/b'));
    expect(tally.issues().map(({ url }) => url)).toEqual(['/a', '/b']);
  });

  it('are kept up to the limit, and counted beyond it', () => {
    const tally = new Tally({ grouped: true });
    const count = RESULT_LIMITS.findingsPerRule + 5;
    for (let at = 0; at < count; at += 1)
      tally.add(fail({ url: `/${at}`, observed: `no ${at}`, expected: '' }));
    expect(tally.issues()).toHaveLength(RESULT_LIMITS.findingsPerRule);
    expect(tally.issueCount).toBe(count);
  });
});
