import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxNoindex } from './idx-noindex.js';

const html = (content: string, name = 'robots') => `<head><meta name="${name}" content="${content}"></head>`;

it('stays silent if nothing forbids indexing', () => {
  expect(outcomeOf(idxNoindex, page('/', { html: html('index, follow') })).status).toBe('pass');
  expect(outcomeOf(idxNoindex, page('/', { html: html('noindex', 'otherbot') })).status).toBe('pass');
});

it('fires for a meta and for a header, and names it', () => {
  expect(outcomeOf(idxNoindex, page('/', { html: html('NoIndex,follow', 'Googlebot') }))).toMatchObject({
    status: 'fail',
    evidence: [{ element: '<meta name="googlebot" content="NoIndex,follow">', line: 1 }],
  });
  const headers = [
    ['content-type', 'text/html'],
    ['x-robots-tag', 'none'],
  ] as const;
  expect(outcomeOf(idxNoindex, page('/', { html: html('all'), headers }))).toMatchObject({
    evidence: [{ element: 'X-Robots-Tag', observed: 'none' }],
  });
});

it('ignores a header for another agent', () => {
  const headers = [['x-robots-tag', 'otherbot: noindex']] as const;
  expect(outcomeOf(idxNoindex, page('/', { html: html('all'), headers })).status).toBe('pass');
});
