/**
 * Refuses the character NUL in paths, queries and JSON bodies. PostgreSQL cannot store it in text, and no name, URL or
 * label needs it, so it is refused on every engine alike, before it reaches a query.
 */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.js';
import { invalidField } from './validation.js';

export const refuseNulInUrl: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [path = ''] = c.req.url.split('?', 1);
  if (path.includes('%00')) throw hasNul('path');
  if (c.req.url.includes('%00')) throw hasNul('query');
  return next();
};

/** `text` is JSON: an escaped backslash before `u0000` makes it six ordinary characters. */
export function refuseNulInJson(text: string): void {
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw hasNul('body');
}

function hasNul(place: 'path' | 'query' | 'body') {
  return invalidField(place, `${place} must not contain the character NUL (U+0000).`);
}
