import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { contentDuplicate } from './content-duplicate.js';

const words = (seed: string) =>
  Array.from({ length: 400 }, (_none, index) => `${seed}${(index * 7919) % 997}`).join(' ');
const saying = (path: string, text: string, head = '') =>
  page(path, { html: `<head>${head}</head><body><main>${text}</main></body>` });

it('fires for the same text and for nearly the same, as one group', () => {
  const pages = [
    saying('/a', words('x')),
    saying('/b', words('y')),
    saying('/c', words('x')),
    saying('/d', `${words('x')} end`),
  ];
  expect(outcomeOf(contentDuplicate, pages)).toMatchObject({
    status: 'fail',
    evidence: [
      {
        url: 'https://www.example.com/a',
        related: ['https://www.example.com/c', 'https://www.example.com/d'],
      },
    ],
  });
});

it('stays silent for texts of their own, short ones, and copies that say so', () => {
  expect(outcomeOf(contentDuplicate, [saying('/a', words('x')), saying('/b', words('y'))]).status).toBe(
    'pass',
  );
  expect(outcomeOf(contentDuplicate, [saying('/a', 'Hello'), saying('/b', 'Hello')]).status).toBe(
    'not-applicable',
  );
  const copy = saying('/b', words('x'), '<link rel=canonical href="https://www.example.com/a">');
  expect(outcomeOf(contentDuplicate, [saying('/a', words('x')), copy, saying('/c', words('z'))]).status).toBe(
    'pass',
  );
});
