import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { i18nLang } from './i18n-lang.js';

it('fires for no language and for an invalid tag', () => {
  expect(outcomeOf(i18nLang, page('/', { html: '<html><p>x</p></html>' }))).toMatchObject({
    evidence: [{ observed: 'no lang' }],
  });
  expect(outcomeOf(i18nLang, page('/', { html: '<html lang="en_US"></html>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'lang="en_US"' }],
  });
});

it('stays silent for a language tag', () => {
  expect(outcomeOf(i18nLang, page('/', { html: '<html lang=de-CH></html>' })).status).toBe('pass');
});
