/** The OpenAPI 3.1 document, made from the routes themselves and the table of error codes. */
import { ERROR_CODES } from '../errors.js';
import type { App, AppDeps } from './app-env.js';
import { SESSION_COOKIE } from './auth/authenticator.js';

export type OpenApiDocument = ReturnType<App['getOpenAPI31Document']>;

export function registerSecuritySchemes(app: App): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A service JWT with `tenant` and `scope` claims, or a static service token.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: "A browser's session; unsafe methods also need this server's own `Origin`.",
  });
}

export function buildOpenApiDocument(app: App, { version }: Pick<AppDeps, 'version'>): OpenApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sonde',
      version,
      description:
        'Every request leaves through one guarded door, and every answer is written down before anyone relies on it. ' +
        'Errors are `{"error":{"code","message",…}}` with a code from `x-error-codes`.',
      license: { name: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    'x-error-codes': ERROR_CODES,
  });
}
