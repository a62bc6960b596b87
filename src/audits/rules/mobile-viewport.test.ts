import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { mobileViewport } from './mobile-viewport.js';

const view = (content: string) =>
  page('/', { html: `<head>\n<meta name=viewport content="${content}"></head>` });

it('fires for no viewport, a fixed width and a page that cannot be zoomed', () => {
  expect(outcomeOf(mobileViewport, page('/', { html: '<p>x</p>' }))).toMatchObject({
    evidence: [{ observed: 'no viewport' }],
  });
  expect(outcomeOf(mobileViewport, view('width=1024'))).toMatchObject({
    evidence: [{ line: 2, observed: 'width=1024' }],
  });
  expect(outcomeOf(mobileViewport, view('width=device-width, user-scalable=no')).status).toBe('fail');
  expect(outcomeOf(mobileViewport, view('width=device-width;maximum-scale=1.0')).status).toBe('fail');
});

it('stays silent for the usual viewport', () => {
  expect(outcomeOf(mobileViewport, view('width=device-width, initial-scale=1')).status).toBe('pass');
});
