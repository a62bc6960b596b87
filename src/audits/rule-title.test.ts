import { expect, it } from 'vitest';
import { failureTitle } from './rule-title.js';

it('includes the count with the right grammatical number', () => {
  const template = '{n} internal {link is|links are} broken';
  expect(failureTitle(template, 1)).toBe('1 internal link is broken');
  expect(failureTitle(template, 1200)).toBe('1,200 internal links are broken');
  expect(failureTitle(template)).toBe('Internal links are broken');
});

it('leaves a title without a count unchanged', () => {
  expect(failureTitle('The site has no sitemap', 1)).toBe('The site has no sitemap');
  expect(failureTitle('robots.txt cannot be fetched directly')).toBe('robots.txt cannot be fetched directly');
});
