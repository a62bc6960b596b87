import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { secMixedContent } from './sec-mixed-content.js';

it('fires for files loaded and forms sent over http', () => {
  const html = '<img src="http://www.example.com/a.png">\n<form action="http://www.example.com/send"></form>';
  expect(outcomeOf(secMixedContent, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 1 }, { line: 2 }],
  });
});

it('stays silent for https and for links, which load nothing', () => {
  const html =
    '<img src="/a.png"><script src="//cdn.example/a.js"></script><a href="http://other.example/">x</a>';
  expect(outcomeOf(secMixedContent, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(secMixedContent, page('http://www.example.com/', { html })).status).toBe('not-applicable');
});
