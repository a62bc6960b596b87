/**
 * `GET /metrics`. On a server that only this machine can reach, a local scraper needs no token. This does not apply to
 * a `Host` that is not loopback, which means DNS rebinding by a web page.
 */
import { SondeError } from '../../errors.js';
import type { App, AppDeps } from '../app-env.js';
import { isLoopbackHost } from '../auth/loopback-host.js';
import { demandOperator } from '../auth/require-scope.js';
import { credentialErrors } from '../views/error-responses.js';
import { NO_STORE, operations, SERVICE_SECURITY, textContent } from '../views/operation.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const route = operations('Operations').get('/metrics', 'getMetrics', {
  summary: 'Get metrics in the Prometheus text format',
  description: 'Scope `operator`, except on a server that listens on loopback only.',
  security: [...SERVICE_SECURITY, {}],
  responses: {
    200: { description: 'The metrics.', content: textContent('text/plain') },
    ...credentialErrors('NOT_FOUND'),
  },
});

export function addMetrics(app: App, { metrics, localOnly }: AppDeps): void {
  app.openapi(route, async (c) => {
    if (!metrics)
      throw new SondeError(
        'NOT_FOUND',
        'This engine has no metrics of its own: requests are spread over isolates that count separately. Use the analytics of the platform.',
      );
    if (!localOnly || !isLoopbackHost(new URL(c.req.url).host)) demandOperator(c);
    await metrics.refresh();
    return c.text(metrics.render(), 200, { 'Content-Type': CONTENT_TYPE, ...NO_STORE });
  });
}
