import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { perfImageLazyHero } from './perf-image-lazy-hero.js';

it('fires if the first image is lazy', () => {
  const html = '<img src=/a.png loading=lazy><img src=/b.png>';
  expect(outcomeOf(perfImageLazyHero, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 1 }],
  });
});

it('stays silent if a later image is lazy', () => {
  const html = '<img src=/a.png><img src=/b.png loading=lazy>';
  expect(outcomeOf(perfImageLazyHero, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(perfImageLazyHero, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
