import { describe, expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import type { Rule } from '../rule.js';
import { TABLE_RULES } from './table-rules.js';

function row(id: string): Rule {
  const rule = TABLE_RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`no row ${id}`);
  return rule;
}

describe('title.length', () => {
  const titled = (title: string) => page('/', { html: `<head><title>${title}</title></head>` });

  it('fires outside 15 to 60 characters and says what was seen', () => {
    expect(outcomeOf(row('title.length'), titled('Short'))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: '5 characters', expected: 'at least 15, at most 60 characters', line: 1 }],
    });
    expect(outcomeOf(row('title.length'), titled('x'.repeat(61))).status).toBe('fail');
  });

  it('stays silent at the bounds and has nothing to measure without a title', () => {
    expect(outcomeOf(row('title.length'), titled('x'.repeat(15))).status).toBe('pass');
    expect(outcomeOf(row('title.length'), titled('😀'.repeat(60))).status).toBe('pass');
    expect(outcomeOf(row('title.length'), titled('')).status).toBe('not-applicable');
  });
});

describe('http.ttfb', () => {
  const timed = (...ttfbMs: number[]) => page('/', { samples: { ttfbMs, revalidationStatus: null } });

  it('warns above 800 ms and fails above 1800 ms, by the median', () => {
    expect(outcomeOf(row('http.ttfb'), timed(100, 801, 5000)).status).toBe('warn');
    expect(outcomeOf(row('http.ttfb'), timed(1801)).status).toBe('fail');
  });

  it('stays silent up to 800 ms', () => {
    expect(outcomeOf(row('http.ttfb'), timed(9000, 800, 10)).status).toBe('pass');
    expect(outcomeOf(row('http.ttfb'), page('/', { fetch: { ttfbMs: null } })).status).toBe('not-applicable');
  });
});
