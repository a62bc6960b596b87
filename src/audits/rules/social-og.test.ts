import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { socialOg } from './social-og.js';

const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`;
const head = (image: string) =>
  `<head>${meta('og:title', 'T')}${meta('og:type', 'website')}\n${meta('og:image', image)}${meta('og:url', 'https://www.example.com/')}</head>`;
const image = 'https://www.example.com/og.png';

it('fires once for all missing tags, and for an image that is relative or missing', () => {
  expect(outcomeOf(socialOg, page('/', { html: '<p>x</p>' }))).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'no og:title, og:type, og:image, og:url' }],
  });
  expect(outcomeOf(socialOg, page('/', { html: head('/og.png') }))).toMatchObject({
    evidence: [{ line: 2 }],
  });
  const checks = [fetched(image, { status: 404 })];
  expect(outcomeOf(socialOg, page('/', { html: head(image) }), { checks })).toMatchObject({
    evidence: [{ observed: 'og:image: status 404' }],
  });
});

it('stays silent for all four tags', () => {
  expect(outcomeOf(socialOg, page('/', { html: head(image) }), { checks: [fetched(image)] }).status).toBe(
    'pass',
  );
});
