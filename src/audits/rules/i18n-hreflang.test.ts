import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { i18nHreflang } from './i18n-hreflang.js';

const alternate = (code: string, path: string) =>
  `<link rel=alternate hreflang="${code}" href="https://www.example.com${path}">`;
const speaking = (path: string, ...links: string[]) =>
  page(path, { html: `<head>${links.join('\n')}</head>` });
const SET = [alternate('en', '/en'), alternate('de', '/de'), alternate('x-default', '/en')];
const observed = (pages: Parameters<typeof outcomeOf>[1]) => {
  const outcome = outcomeOf(i18nHreflang, pages);
  return 'evidence' in outcome ? outcome.evidence.map((each) => each.observed) : outcome.status;
};

it('fires for a bad code, a missing self, no x-default, a dead page and no way back', () => {
  expect(observed([speaking('/en', ...SET, alternate('en-UK', '/uk')), speaking('/de', ...SET)])).toEqual([
    'en-UK',
  ]);
  expect(observed([speaking('/fr', ...SET), speaking('/en', ...SET), speaking('/de', ...SET)])).toContain(
    'the page does not name itself',
  );
  expect(observed([speaking('/en', alternate('en', '/en'))])).toEqual(['no x-default']);
  expect(observed([speaking('/en', ...SET), page('/de', { status: 404 })])).toEqual(['status 404']);
  const alone = speaking('/de', alternate('de', '/de'), alternate('x-default', '/de'));
  expect(observed([speaking('/en', ...SET), alone])).toEqual([
    'https://www.example.com/de does not name this page',
  ]);
});

it('stays silent for a whole set, and where there is none', () => {
  expect(observed([speaking('/en', ...SET), speaking('/de', ...SET)])).toBe('pass');
  expect(observed([page('/', { html: '<p>x</p>' })])).toBe('not-applicable');
});
