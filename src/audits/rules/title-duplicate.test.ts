import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { titleDuplicate } from './title-duplicate.js';

const titled = (path: string, title: string, head = '') =>
  page(path, { html: `<head><title>${title}</title>${head}</head>` });

it('fires for a group of pages with one title', () => {
  const pages = [titled('/a', 'Same'), titled('/b', 'Other'), titled('/c', 'Same')];
  expect(outcomeOf(titleDuplicate, pages)).toMatchObject({
    status: 'fail',
    evidence: [{ url: 'https://www.example.com/a', related: ['https://www.example.com/c'] }],
  });
});

it('stays silent for titles of their own and for a page that is not indexed', () => {
  const hidden = titled('/b', 'Same', '<meta name="robots" content="noindex">');
  expect(outcomeOf(titleDuplicate, [titled('/a', 'Same'), hidden]).status).toBe('pass');
});
