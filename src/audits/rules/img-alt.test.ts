import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { imgAlt } from './img-alt.js';

it('fires for an image without alt, with its line', () => {
  const html = '<p>text</p>\n<img src="/a.png">\n<img src="/b.png" alt="">';
  expect(outcomeOf(imgAlt, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ element: '<img src="https://www.example.com/a.png">', line: 2 }],
  });
});

it('stays silent for described, decorative and otherwise labelled images', () => {
  const html =
    '<img src=a alt="A"><img src=b alt=""><img src=c role=presentation><noscript><img src=d></noscript>';
  expect(outcomeOf(imgAlt, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(imgAlt, page('/', { html: '<p>none</p>' })).status).toBe('not-applicable');
});
