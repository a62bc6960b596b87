import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxHeadBroken } from './idx-head-broken.js';

it('fires for elements after one that ends the head', () => {
  const html =
    '<html><head>\n<div>x</div>\n<link rel=canonical href="https://www.example.com/">\n</head><body></body></html>';
  expect(outcomeOf(idxHeadBroken, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 3 }],
  });
});

it('stays silent for an intact head', () => {
  const html =
    '<html><head><link rel=canonical href="https://www.example.com/"></head><body><div>x</div></body></html>';
  expect(outcomeOf(idxHeadBroken, page('/', { html })).status).toBe('pass');
});
