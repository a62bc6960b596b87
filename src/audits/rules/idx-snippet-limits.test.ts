import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxSnippetLimits } from './idx-snippet-limits.js';

const html = (content: string) => `<head><meta name="robots" content="${content}"></head>`;

it('fires for each limit', () => {
  for (const limit of ['nosnippet', 'max-snippet:0', 'noarchive']) {
    expect(outcomeOf(idxSnippetLimits, page('/', { html: html(`index, ${limit}`) }))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: limit }],
    });
  }
});

it('stays silent for directives without a limit', () => {
  expect(
    outcomeOf(idxSnippetLimits, page('/', { html: html('max-snippet:-1, max-image-preview:large') })).status,
  ).toBe('pass');
});
