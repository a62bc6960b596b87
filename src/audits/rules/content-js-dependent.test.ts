import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { contentJsDependent } from './content-js-dependent.js';

it('fires for an empty app root, and for a document that is nearly all code', () => {
  const html = '<body>\n<div id="root"></div><script src=/app.js></script></body>';
  expect(outcomeOf(contentJsDependent, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2 }],
  });
  const program = `<body><p>Hi</p><script>${'x'.repeat(5000)}</script></body>`;
  expect(outcomeOf(contentJsDependent, page('/', { html: program })).status).toBe('fail');
});

it('stays silent for text, even next to an app root, and for short pages without scripts', () => {
  const text = `<p>${'word '.repeat(60)}</p>`;
  const html = `<body>${text}<div id=root></div><script src=/app.js></script></body>`;
  expect(outcomeOf(contentJsDependent, page('/', { html })).status).toBe('pass');
  expect(outcomeOf(contentJsDependent, page('/', { html: '<p>Short.</p>' })).status).toBe('pass');
});
