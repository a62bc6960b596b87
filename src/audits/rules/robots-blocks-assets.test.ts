import { expect, it } from 'vitest';
import { outcomeOf, page, robotsFile } from '../../../test/support/audit-facts.js';
import { robotsBlocksAssets } from './robots-blocks-assets.js';

const pages = [
  page('/', { html: '<head><script src=/js/a.js></script><link rel=stylesheet href=/css/a.css></head>' }),
];

it('fires for a blocked script, with the line and the page', () => {
  const robots = [robotsFile('User-agent: *\nDisallow: /js/\n')];
  expect(outcomeOf(robotsBlocksAssets, pages, { robots })).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://www.example.com/js/a.js', line: 2, related: ['https://www.example.com/'] }],
  });
});

it('stays silent for open files, and without files', () => {
  expect(outcomeOf(robotsBlocksAssets, pages).status).toBe('pass');
  expect(outcomeOf(robotsBlocksAssets, [page('/', { html: '<p>x</p>' })]).status).toBe('not-applicable');
});
