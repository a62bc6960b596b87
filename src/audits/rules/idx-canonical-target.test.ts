import { expect, it } from 'vitest';
import { fetched, outcomeOf, page, site } from '../../../test/support/audit-facts.js';
import { idxCanonicalTarget } from './idx-canonical-target.js';

const naming = (href: string) => page('/a', { html: `<head><link rel=canonical href="${href}"></head>` });
const b = 'https://www.example.com/b';

it('fires for a missing or redirecting page and for another host', () => {
  expect(outcomeOf(idxCanonicalTarget, naming(b), { checks: [fetched(b, { status: 404 })] })).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'status 404' }],
  });
  const redirects = [{ fromUrl: b, toUrl: 'https://www.example.com/c', status: 301 }];
  expect(outcomeOf(idxCanonicalTarget, naming(b), { checks: [fetched(b, { redirects })] })).toMatchObject({
    evidence: [{ observed: 'a redirect to https://www.example.com/c' }],
  });
  expect(outcomeOf(idxCanonicalTarget, naming('https://other.example/b'))).toMatchObject({
    evidence: [{ observed: 'a different host: other.example' }],
  });
});

it('fires for a page with noindex', () => {
  const hidden = page('/b', { html: '<head><meta name=robots content=noindex></head>' });
  const facts = site({ pages: [naming(b), hidden] });
  expect(idxCanonicalTarget.run(naming(b), facts)).toMatchObject({
    evidence: [{ observed: 'a page with noindex' }],
  });
});

it('stays silent for itself and for a live page, and is not measured without a response', () => {
  expect(outcomeOf(idxCanonicalTarget, naming('https://www.example.com/a')).status).toBe('not-applicable');
  expect(outcomeOf(idxCanonicalTarget, naming(b), { checks: [fetched(b)] }).status).toBe('pass');
  expect(outcomeOf(idxCanonicalTarget, naming(b)).status).toBe('not-measured');
  const error = { code: 'timeout', message: 'late' };
  const checks = [fetched(b, { error, status: null })];
  expect(outcomeOf(idxCanonicalTarget, naming(b), { checks }).status).toBe('not-measured');
});
