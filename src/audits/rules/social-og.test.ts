import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { socialOg } from './social-og.js';

const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`;
const head = (image: string) =>
  `<head>${meta('og:title', 'T')}${meta('og:type', 'website')}\n${meta('og:image', image)}${meta('og:url', 'https://www.example.com/')}</head>`;
const image = 'https://www.example.com/og.png';

it('fires for what is missing, and for an image that is relative or not there', () => {
  expect(outcomeOf(socialOg, page('/', { html: '<p>x</p>' }))).toMatchObject({
    status: 'fail',
    evidence: [
      { observed: 'no og:title' },
      { observed: 'no og:type' },
      { observed: 'no og:image' },
      { observed: 'no og:url' },
    ],
  });
  expect(outcomeOf(socialOg, page('/', { html: head('/og.png') }))).toMatchObject({
    evidence: [{ line: 2 }],
  });
  const checks = [fetched(image, { status: 404 })];
  expect(outcomeOf(socialOg, page('/', { html: head(image) }), { checks })).toMatchObject({
    evidence: [{ observed: 'status 404' }],
  });
});

it('stays silent for all four', () => {
  expect(outcomeOf(socialOg, page('/', { html: head(image) }), { checks: [fetched(image)] }).status).toBe(
    'pass',
  );
});
