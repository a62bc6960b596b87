/**
 * Limits the size of request bodies. A declared length is checked before anything is read. A body without one is
 * counted while it streams, without being buffered, and fails at the limit.
 */
import type { MiddlewareHandler } from 'hono';
import type { BodyLimits } from '../../kernel/door.js';
import { bodyTooLarge, declaredLength as lengthOf } from '../../kernel/refusals.js';
import type { AppContext, AppEnv } from '../app-env.js';

export function bodyLimit({ bodyBytesMax: bytesMax }: BodyLimits): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const declared = declaredLength(c);
    if (declared !== undefined) {
      if (!(declared <= bytesMax)) throw bodyTooLarge(bytesMax);
    } else if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.raw.body !== null) {
      c.req.raw = new Request(c.req.raw, {
        body: countBytes(c.req.raw.body, bytesMax, c),
        duplex: 'half',
      } as RequestInit);
    }
    return next();
  };
}

function countBytes(
  body: ReadableStream<Uint8Array>,
  bytesMax: number,
  c: AppContext,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) return controller.enqueue(chunk);
      const error = bodyTooLarge(bytesMax);
      // Body parsers replace a stream's error with their own, so the reason is also kept on the request.
      c.set('bodyOverflow', error);
      controller.error(error);
    },
  });
  return body.pipeThrough(counter);
}

/** Undefined for a body whose length is only known at its end. */
export function declaredLength(c: AppContext): number | undefined {
  return lengthOf((name) => c.req.header(name));
}
