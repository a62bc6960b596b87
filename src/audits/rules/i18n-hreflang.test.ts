import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { i18nHreflang } from './i18n-hreflang.js';

const alternate = (code: string, path: string) =>
  `<link rel=alternate hreflang="${code}" href="https://www.example.com${path}">`;
const translated = (path: string, ...links: string[]) =>
  page(path, { html: `<head>${links.join('\n')}</head>` });
const SET = [alternate('en', '/en'), alternate('de', '/de'), alternate('x-default', '/en')];
const observed = (pages: Parameters<typeof outcomeOf>[1]) => {
  const outcome = outcomeOf(i18nHreflang, pages);
  return 'evidence' in outcome ? outcome.evidence.map((each) => each.observed) : outcome.status;
};

it('fires for an invalid code, a missing self-reference, a dead page and a missing link back', () => {
  expect(observed([translated('/en', ...SET, alternate('en-UK', '/uk')), translated('/de', ...SET)])).toEqual(
    ['en-UK'],
  );
  expect(
    observed([translated('/fr', ...SET), translated('/en', ...SET), translated('/de', ...SET)]),
  ).toContain('the page does not list itself');
  expect(observed([translated('/en', ...SET), page('/de', { status: 404 })])).toEqual(['status 404']);
  const alone = translated('/de', alternate('de', '/de'), alternate('x-default', '/de'));
  expect(observed([translated('/en', ...SET), alone])).toEqual([
    'https://www.example.com/de does not link back',
  ]);
});

it('stays silent for a complete set, even without x-default, and for no set', () => {
  expect(observed([translated('/en', alternate('en', '/en'))])).toBe('pass');
  expect(observed([translated('/en', ...SET), translated('/de', ...SET)])).toBe('pass');
  expect(observed([page('/', { html: '<p>x</p>' })])).toBe('not-applicable');
});
