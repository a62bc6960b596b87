import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { idxCanonicalInvalid } from './idx-canonical-invalid.js';

const inHead = (href: string) => page('/a', { html: `<head><link rel=canonical href="${href}"></head>` });

it('fires for relative, empty, foreign and fragment URLs, and outside the head', () => {
  for (const href of [
    '/a',
    '//www.example.com/a',
    '',
    'ftp://www.example.com/a',
    'https://www.example.com/a#top',
  ]) {
    expect(outcomeOf(idxCanonicalInvalid, inHead(href)).status, href).toBe('fail');
  }
  const html = '<body><p>x</p>\n<link rel=canonical href="https://www.example.com/a"></body>';
  expect(outcomeOf(idxCanonicalInvalid, page('/a', { html }))).toMatchObject({
    evidence: [{ line: 2, observed: 'a canonical outside the head' }],
  });
});

it('stays silent for an absolute URL', () => {
  expect(outcomeOf(idxCanonicalInvalid, inHead('https://www.example.com/a?b=1')).status).toBe('pass');
  expect(outcomeOf(idxCanonicalInvalid, page('/a', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
