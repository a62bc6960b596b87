import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpCompression } from './http-compression.js';

const html = ['content-type', 'text/html; charset=utf-8'] as const;

it('fires for uncompressed text of more than 1.4 KB', () => {
  expect(
    outcomeOf(httpCompression, page('/', { headers: [html], fetch: { bodyBytes: 1401 } })),
  ).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'sent uncompressed' }],
  });
});

it('stays silent for compressed and short responses, and for types other than text', () => {
  const headers = [html, ['content-encoding', 'br']] as const;
  expect(outcomeOf(httpCompression, page('/', { headers, fetch: { bodyBytes: 9000 } })).status).toBe('pass');
  expect(outcomeOf(httpCompression, page('/', { headers: [html], fetch: { bodyBytes: 1400 } })).status).toBe(
    'not-applicable',
  );
  const image = [['content-type', 'image/png']] as const;
  expect(outcomeOf(httpCompression, page('/', { headers: image, fetch: { bodyBytes: 9000 } })).status).toBe(
    'not-applicable',
  );
});
