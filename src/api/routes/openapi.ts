/** `GET /openapi.json`, and `GET /docs` with the same document for people. */
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { buildOpenApiDocument } from '../openapi-document.js';
import { docsPage } from '../pages/docs-page.js';
import { type HtmlPage, respondWithPage } from '../pages/html-page.js';
import { errorResponses } from '../views/error-responses.js';
import { jsonResponse, NO_SECURITY, operations, pageOperation } from '../views/operation.js';

const document = operations('Operations').get('/openapi.json', 'getOpenApi', {
  security: NO_SECURITY,
  summary: 'Get the OpenAPI document',
  responses: { 200: jsonResponse('The document.', z.looseObject({})), ...errorResponses('RATE_LIMITED') },
});

const docs = pageOperation('/docs', 'getDocs', 'Get the API documentation as a page');

export function addOpenApi(app: App, deps: AppDeps): void {
  // Built on first use, when every route is registered.
  let built: { json: string; page: HtmlPage } | undefined;
  const get = () => {
    if (built === undefined) {
      const openApi = buildOpenApiDocument(app, deps);
      built = { json: JSON.stringify(openApi), page: docsPage(openApi) };
    }
    return built;
  };
  // Not registered with `app.openapi`, which would check the response's type against the schema.
  app.openAPIRegistry.registerPath(document);
  app.get(document.path, (c) => {
    c.header('Cache-Control', 'no-cache');
    return c.body(get().json, 200, { 'Content-Type': 'application/json' });
  });
  app.openapi(docs, (c) => respondWithPage(c, get().page));
}
