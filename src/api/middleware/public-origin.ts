import type { AppContext } from '../app-env.js';

/** An absolute URL of this server for `path`, which starts with a slash. */
export function absoluteUrl(c: AppContext, path: string): string {
  return `${c.var.publicOrigin.base}${path}`;
}
