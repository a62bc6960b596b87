import type { AppContext } from '../app-env.js';
import { type CreateCall, type Created, createdHeaders, createOnce } from '../idempotency.js';

type RouteCreate<Body> = Omit<CreateCall<Body>, 'log'> & {
  /** Identifies the body if it was already read elsewhere. */
  readonly digest?: string;
};

/** For routes that create something. Also sets `Location`. */
export async function idempotently<Body>(c: AppContext, create: RouteCreate<Body>): Promise<Created<Body>> {
  const { digest, ...call } = create;
  const { method, path } = c.req;
  const request = { method, path, header: (name: string) => c.req.header(name) };
  const isKeyed = request.header('idempotency-key') !== undefined;
  const body = digest ?? (isKeyed ? await c.req.text() : '');
  const created = await createOnce(request, body, { ...call, log: c.var.log });
  for (const [name, value] of Object.entries(createdHeaders(created))) c.header(name, value);
  return created;
}
