/**
 * One rule of a route or a token, such as `POST /v1/chat/completions`. It is compared with the method and the parsed
 * path of the URL that is sent, never with the text of the request: the query does not count, dot segments are already
 * resolved, and other spellings of a path (case, escapes, double slashes) are other paths.
 */
import { PATH_RULE } from '../route-claims.js';
import { compilePathPattern } from './path-pattern.js';

export type PathRule = (method: string, url: URL) => boolean;

/** Undefined if the text is not a rule, or one that no request can match. */
export function compilePathRule(text: string): PathRule | undefined {
  const [, verb, path = ''] = PATH_RULE.exec(text) ?? [];
  const matchesPath = verb === undefined ? undefined : compilePathPattern(path);
  return matchesPath && ((method, url) => (verb === '*' || verb === method) && matchesPath(url.pathname));
}
