import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkGenericText } from './link-generic-text.js';

it('fires for generic texts in several languages, regardless of punctuation', () => {
  for (const text of ['Click here', 'READ MORE »', 'mehr erfahren …', 'en savoir plus', 'こちら']) {
    expect(outcomeOf(linkGenericText, page('/', { html: `<a href="/a">${text}</a>` })), text).toMatchObject({
      status: 'fail',
      evidence: [{ line: 1 }],
    });
  }
});

it('stays silent for descriptive texts', () => {
  expect(outcomeOf(linkGenericText, page('/', { html: '<a href=/a>Prices of 2026</a>' })).status).toBe(
    'pass',
  );
  expect(outcomeOf(linkGenericText, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
