/** `GET /openapi.json`. */
import * as z from 'zod';
import type { App, AppDeps } from '../app-env.js';
import { buildOpenApiDocument } from '../openapi-document.js';
import { errorResponses } from '../views/error-responses.js';
import { jsonResponse, NO_SECURITY, operations } from '../views/operation.js';

const document = operations('Operations').get('/openapi.json', 'getOpenApi', {
  security: NO_SECURITY,
  summary: 'Get the OpenAPI document',
  responses: { 200: jsonResponse('The document.', z.looseObject({})), ...errorResponses('RATE_LIMITED') },
});

export function addOpenApi(app: App, deps: AppDeps): void {
  // Built on first use, when every route is registered.
  let json: string | undefined;
  // Not registered with `app.openapi`, which would check the response's type against the schema.
  app.openAPIRegistry.registerPath(document);
  app.get(document.path, (c) => {
    json ??= JSON.stringify(buildOpenApiDocument(app, deps));
    c.header('Cache-Control', 'no-cache');
    return c.body(json, 200, { 'Content-Type': 'application/json' });
  });
}
