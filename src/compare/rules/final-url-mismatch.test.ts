import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';

const R = 'https://www.example.com';
const messages = (toUrl: string) =>
  computeDiff(
    [makeEnvelope('left', {})],
    [makeEnvelope('right', { redirects: [{ fromUrl: `${R}/page`, toUrl, status: 301 }] })],
  )
    .findings.filter(({ code }) => code === 'FINAL_URL_MISMATCH')
    .map(({ message }) => message);

test.each([
  [
    'https://parked.example.net/page',
    'The final host differs: its own host on staging.example.com and parked.example.net on www.example.com',
  ],
  [
    'https://staging.example.com/page',
    'The final host differs: its own host on staging.example.com and staging.example.com on www.example.com',
  ],
  [`${R}/other`, 'The final path differs: /page on staging.example.com and /other on www.example.com'],
  [`${R}/page?x=1`, 'The final query differs: none on staging.example.com and ?x=1 on www.example.com'],
])('says where the request ended, for %s', (toUrl, message) => {
  expect(messages(toUrl)).toEqual([message]);
});

test('is silent where each side ends on its own host', () => {
  expect(messages(`${R}/page`)).toEqual([]);
});
