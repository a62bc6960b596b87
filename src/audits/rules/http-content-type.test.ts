import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpContentType } from './http-content-type.js';

const typed = (type: string | null, html = '<p>x</p>', more: [string, string][] = []) =>
  page('/', { html, headers: [...(type === null ? [] : [['content-type', type] as const]), ...more] });

it('fires without a type, without a charset, with two charsets, and for a misspelled nosniff', () => {
  expect(outcomeOf(httpContentType, typed(null))).toMatchObject({
    evidence: [{ observed: 'no Content-Type' }],
  });
  expect(outcomeOf(httpContentType, typed('text/html'))).toMatchObject({
    evidence: [{ expected: 'a charset' }],
  });
  const two = typed('text/html; charset=utf-8', '<head><meta charset=iso-8859-1></head>');
  expect(outcomeOf(httpContentType, two)).toMatchObject({ evidence: [{ element: '<meta charset>' }] });
  const odd = typed('text/html; charset=utf-8', '<p>x</p>', [['x-content-type-options', 'no-sniff']]);
  expect(outcomeOf(httpContentType, odd)).toMatchObject({ evidence: [{ observed: 'no-sniff' }] });
});

it('stays silent for a charset in the header or in the page', () => {
  expect(outcomeOf(httpContentType, typed('text/html; charset=UTF-8')).status).toBe('pass');
  expect(outcomeOf(httpContentType, typed('text/html', '<head><meta charset="utf-8"></head>')).status).toBe(
    'pass',
  );
  expect(outcomeOf(httpContentType, page('/', { status: 404 })).status).toBe('not-applicable');
});
