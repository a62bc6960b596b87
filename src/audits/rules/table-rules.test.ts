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

  it('fires outside 15 to 60 characters, with the observed length', () => {
    expect(outcomeOf(row('title.length'), titled('Short'))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: '5 characters', expected: 'at least 15, at most 60 characters', line: 1 }],
    });
    expect(outcomeOf(row('title.length'), titled('x'.repeat(61))).status).toBe('fail');
  });

  it('stays silent at the bounds, and does not apply without a title', () => {
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

describe('desc.length', () => {
  const described = (text: string) =>
    page('/', { html: `<head><meta name=description content="${text}"></head>` });

  it('fires outside 50 to 160 characters', () => {
    expect(outcomeOf(row('desc.length'), described('Short.')).status).toBe('fail');
    expect(outcomeOf(row('desc.length'), described('x'.repeat(161))).status).toBe('fail');
  });

  it('stays silent at the bounds', () => {
    expect(outcomeOf(row('desc.length'), described('x'.repeat(50))).status).toBe('pass');
    expect(outcomeOf(row('desc.length'), described('x'.repeat(160))).status).toBe('pass');
    expect(outcomeOf(row('desc.length'), described('')).status).toBe('not-applicable');
  });
});

describe('content.thin', () => {
  const saying = (words: number, head = '') =>
    page('/', { html: `<head>${head}</head><body><main>${'word '.repeat(words)}</main></body>` });

  it('fires below 150 words', () => {
    expect(outcomeOf(row('content.thin'), saying(149))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: '149 words in the main content' }],
    });
  });

  it('stays silent from 150 words, and for pages with noindex', () => {
    expect(outcomeOf(row('content.thin'), saying(150)).status).toBe('pass');
    expect(outcomeOf(row('content.thin'), saying(1, '<meta name=robots content=noindex>')).status).toBe(
      'not-applicable',
    );
  });
});

describe('perf.html-size', () => {
  const sized = (bodyBytes: number) => page('/', { html: '<p>x</p>', fetch: { bodyBytes } });

  it('warns from 500 KB and fails from 2 MB', () => {
    expect(outcomeOf(row('perf.html-size'), sized(512_000)).status).toBe('warn');
    expect(outcomeOf(row('perf.html-size'), sized(2_097_152)).status).toBe('fail');
  });

  it('stays silent below 500 KB', () => {
    expect(outcomeOf(row('perf.html-size'), sized(511_999)).status).toBe('pass');
  });
});
