/** Handles each request on behalf of its tenant, including the outbound requests that it causes. */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.js';
import type { DemoControl } from '../routes/demo.js';

export function actAsTenant({ actAs }: Pick<DemoControl, 'actAs'>): MiddlewareHandler<AppEnv> {
  return (c, next) => actAs(c.get('principal')?.tenant ?? null, next);
}
