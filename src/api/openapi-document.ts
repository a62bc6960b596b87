/** The OpenAPI 3.1 document, generated from the routes themselves and the table of error codes. */
import { ERROR_CODES } from '../errors.js';
import type { App, AppDeps } from './app-env.js';
import { SESSION_COOKIE } from './auth/authenticator.js';
import { COMMON_HEADERS } from './views/response-headers.js';

export type OpenApiDocument = ReturnType<App['getOpenAPI31Document']>;

/** The generator's types lack `identifier`, which OpenAPI 3.1 has. */
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

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
    description: "A browser's session. Unsafe methods also need this server's own `Origin`.",
  });
}

export function buildOpenApiDocument(app: App, { version }: Pick<AppDeps, 'version'>): OpenApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sonde',
      version,
      description:
        'Safe, durable outbound HTTP. Errors have the form `{"error":{"code","message",…}}`; `x-error-codes` lists every ' +
        'code, and `x-common-headers` the headers that any response may have. `HEAD` works wherever `GET` does, and ' +
        'neither may have a body.',
      license: LICENSE,
    },
    servers: [{ url: '/' }],
    'x-error-codes': ERROR_CODES,
    'x-common-headers': COMMON_HEADERS,
  });
}
