/** `GET /`, the landing page, and `GET /favicon.svg`, the icon. */

import { FAVICON } from '../../mark.js';
import type { App, AppDeps } from '../app-env.js';
import { type HtmlPage, respondWithPage } from '../pages/html-page.js';
import { landingPage } from '../pages/landing-page.js';
import { errorResponses } from '../views/error-responses.js';
import { NO_SECURITY, operations, pageOperation, textContent } from '../views/operation.js';

const page = pageOperation('/', 'getLandingPage', 'Get the landing page');

const icon = operations('Operations').get('/favicon.svg', 'getFavicon', {
  security: NO_SECURITY,
  summary: 'Get the icon',
  responses: {
    200: { description: 'The icon.', content: textContent('image/svg+xml') },
    ...errorResponses('RATE_LIMITED'),
  },
});

export interface StaticPages {
  landing(authenticated: boolean): Promise<HtmlPage>;
  icon(): Promise<string>;
}

export function addLanding(app: App, { version, login, pages = renderPages(version) }: AppDeps): void {
  app.openapi(page, async (c) => respondWithPage(c, await pages.landing(login !== undefined)));
  app.openapi(icon, async (c) => {
    c.header('Cache-Control', 'public, max-age=86400');
    return c.body(await pages.icon(), 200, { 'Content-Type': 'image/svg+xml' });
  });
}

function renderPages(version: string): StaticPages {
  const [withLogin, withoutLogin] = [true, false].map((authenticated) =>
    landingPage({ version, authenticated }),
  );
  return {
    landing: async (authenticated) => (authenticated ? withLogin : withoutLogin) as HtmlPage,
    icon: async () => FAVICON,
  };
}
