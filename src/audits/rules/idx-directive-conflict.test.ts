import { expect, it } from 'vitest';
import { outcomeOf, page, robotsFile } from '../../../test/support/audit-facts.js';
import { idxDirectiveConflict } from './idx-directive-conflict.js';

const html = (content: string, more = '') => `<head><meta name="robots" content="${content}">${more}</head>`;

it('fires if header and meta disagree', () => {
  const headers = [['x-robots-tag', 'noindex']] as const;
  expect(outcomeOf(idxDirectiveConflict, page('/', { html: html('index, follow'), headers }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'noindex in X-Robots-Tag, index in <meta name="robots">' }],
  });
});

it('fires for a noindex that robots.txt hides, and for one with a canonical elsewhere', () => {
  const robots = [robotsFile('User-agent: Googlebot\nDisallow: /a\n')];
  expect(outcomeOf(idxDirectiveConflict, page('/a', { html: html('noindex') }), { robots })).toMatchObject({
    evidence: [{ line: 2 }],
  });
  const both = html('noindex', '<link rel=canonical href="https://www.example.com/b">');
  expect(outcomeOf(idxDirectiveConflict, page('/a', { html: both }))).toMatchObject({
    evidence: [{ observed: 'noindex, and a canonical of https://www.example.com/b' }],
  });
});

it('stays silent for a single clear directive', () => {
  const robots = [robotsFile('User-agent: *\nDisallow: /\n', {}, 'https://shop.example.com')];
  expect(outcomeOf(idxDirectiveConflict, page('/', { html: html('noindex') }), { robots }).status).toBe(
    'pass',
  );
  expect(outcomeOf(idxDirectiveConflict, page('/', { html: html('noindex, follow') })).status).toBe('pass');
  const self = html('noindex', '<link rel=canonical href="https://www.example.com/">');
  expect(outcomeOf(idxDirectiveConflict, page('/', { html: self })).status).toBe('pass');
  expect(outcomeOf(idxDirectiveConflict, page('/', { html: '<p>x</p>' })).status).toBe('pass');
});
