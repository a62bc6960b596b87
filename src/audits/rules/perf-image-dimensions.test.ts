import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { perfImageDimensions } from './perf-image-dimensions.js';

it('fires for an image without width or height, with its line', () => {
  const html = '<p>x</p>\n<img src=/a.png width=10>';
  expect(outcomeOf(perfImageDimensions, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, observed: 'no height' }],
  });
});

it('stays silent for sized images and for pages without images', () => {
  const html = '<img src=a width=1 height=1><img src=b style="width:100px;height:50px">';
  expect(outcomeOf(perfImageDimensions, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(perfImageDimensions, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
