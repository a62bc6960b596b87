/** `GET /`, the landing page, and `GET /favicon.svg`, the mark. */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { answerPage, type HtmlPage } from '../pages/html-page.js';
import { landingPage } from '../pages/landing-page.js';
import { FAVICON } from '../pages/mark.js';
import { errorResponses } from '../views/error-responses.js';

const page = createRoute({
  method: 'get',
  path: '/',
  operationId: 'getLandingPage',
  tags: ['Running it'],
  summary: 'What runs here, as a page',
  responses: {
    200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
    ...errorResponses('RATE_LIMITED'),
  },
});

const icon = createRoute({
  method: 'get',
  path: '/favicon.svg',
  operationId: 'getFavicon',
  tags: ['Running it'],
  summary: 'The mark',
  responses: {
    200: { description: 'The mark.', content: { 'image/svg+xml': { schema: z.string() } } },
    ...errorResponses('RATE_LIMITED'),
  },
});

export interface StaticPages {
  landing(authenticated: boolean): Promise<HtmlPage>;
  icon(): Promise<string>;
}

export function addLanding(app: App, { version, login, pages = madePages(version) }: AppDeps): void {
  app.openapi(page, async (c) => answerPage(c, await pages.landing(login !== undefined)));
  app.openapi(icon, async (c) => {
    c.header('Cache-Control', 'public, max-age=86400');
    return c.body(await pages.icon(), 200, { 'Content-Type': 'image/svg+xml' });
  });
}

function madePages(version: string): StaticPages {
  const [locked, open] = [true, false].map((authenticated) => landingPage({ version, authenticated }));
  return {
    landing: async (authenticated) => (authenticated ? locked : open) as HtmlPage,
    icon: async () => FAVICON,
  };
}
