/** Evaluates robots.txt for all agents (RFC 9309): the longest matching rule decides, and Allow wins a tie. */
import type { RobotsGroup } from '../../probe/index.js';

export function isAllowedByRobots(groups: readonly RobotsGroup[], path: string): boolean {
  const general = groups.filter(({ agents }) => agents.includes('*'));
  const longest = (patterns: readonly string[]) =>
    Math.max(
      -1,
      ...patterns.filter((pattern) => pattern !== '' && matches(pattern, path)).map(({ length }) => length),
    );
  const allow = longest(general.flatMap((group) => group.allow));
  const disallow = longest(general.flatMap((group) => group.disallow));
  return disallow < 0 || allow >= disallow;
}

/** `*` is any run of characters, a final `$` the end; otherwise a prefix. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0) {
      if (!path.startsWith(part)) return false;
      at = part.length;
    } else if (anchored && index === parts.length - 1) {
      return path.length - part.length >= at && path.endsWith(part);
    } else {
      const found = path.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
  }
  return !anchored || at === path.length;
}
