/**
 * May an agent fetch a URL, and which line says so (RFC 9309 §2.2). All groups that name the agent are one
 * group; without any, those for `*`. The longest matching pattern decides, allow before disallow at equal
 * length, no match means allowed. A file that could not be had: a 4xx allows everything, a 5xx or no answer
 * at all nothing (§2.3.1).
 */
import type { RobotsDecision } from '../facts/page-facts.js';
import type { RobotsFile, RobotsGroup, RobotsRule } from '../facts/site-facts.js';

const ALLOWED: RobotsDecision = { allowed: true, line: null, rule: null };

/** `agent` is a product token as a crawler calls itself, for example `GPTBot`. */
export function robotsVerdict(
  file: Pick<RobotsFile, 'fetch' | 'groups'>,
  agent: string,
  url: string,
): RobotsDecision {
  const { status } = file.fetch;
  if (status === null || status >= 500) return { allowed: false, line: null, rule: null };
  if (status >= 300) return ALLOWED;
  const { pathname, search } = new URL(url);
  const path = pathname + search;
  // §2.3: robots.txt itself is always allowed.
  if (path === '/robots.txt') return ALLOWED;
  return decide(rulesFor(file.groups, agent), path);
}

/** The groups that speak to an agent, by the file's order. */
export function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = groups.filter((group) => group.agents.includes(token));
  return named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'));
}

/** Seconds that the agent is asked to leave between requests; null where nobody asks. */
export function crawlDelaySeconds(groups: readonly RobotsGroup[], agent: string): number | null {
  for (const group of groupsFor(groups, agent)) {
    if (group.crawlDelaySeconds !== null) return group.crawlDelaySeconds;
  }
  return null;
}

function rulesFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsRule[] {
  return groupsFor(groups, agent).flatMap((group) => group.rules);
}

function decide(rules: readonly RobotsRule[], path: string): RobotsDecision {
  const target = normalPath(path);
  let best: RobotsRule | undefined;
  let bestLength = -1;
  for (const rule of rules) {
    const pattern = normalPath(rule.path);
    if (pattern.length < bestLength || (pattern.length === bestLength && (best?.allow || !rule.allow)))
      continue;
    if (!matches(pattern, target)) continue;
    best = rule;
    bestLength = pattern.length;
  }
  if (!best) return ALLOWED;
  return { allowed: best.allow, line: best.line, rule: `${best.allow ? 'Allow' : 'Disallow'}: ${best.path}` };
}

/** §2.2.2: octets outside ASCII compare percent-encoded, and `%7E` compares as `~`; reserved ones stay apart. */
function normalPath(path: string): string {
  return path
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text))
    .replaceAll(/%[0-9a-fA-F]{2}/g, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
    });
}

/** `*` is any run, a final `$` the end. Greedy with one point to go back to: linear in pattern × path. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const body = anchored ? pattern.slice(0, -1) : pattern;
  const [first = '', ...pieces] = body.split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  if (pieces.length === 0) return !anchored || at === path.length;
  const last = anchored ? pieces.pop() : undefined;
  for (const piece of pieces) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}
