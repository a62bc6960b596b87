/**
 * Decides whether an agent may fetch a URL, and which line decides (RFC 9309 §2.2). All groups that name the agent
 * count as one group; if there are none, those for `*` do. The longest matching pattern decides, allow wins over
 * disallow at equal length, and no match means allowed. If the file could not be read, a 4xx allows everything, and a
 * 5xx or no response allows nothing (§2.3.1).
 *
 * A site can have thousands of URLs to check, and its file thousands of rules. So rules are compiled once per file and
 * agent, and a pattern without wildcards costs a lookup instead of a comparison.
 */
import type { RobotsDecision } from '../facts/page-facts.js';
import type { RobotsFile, RobotsGroup, RobotsRule } from '../facts/site-facts.js';

const ALLOWED: RobotsDecision = { allowed: true, line: null, rule: null };
/** Patterns with wildcards are compared one by one; those beyond this number are ignored. */
const WILDCARDS_MAX = 1_000;

/** `agent` is a product token, for example `GPTBot`. */
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
  return decide(compiledFor(file.groups, agent), normalPath(path));
}

/** The groups that apply to an agent, in the order of the file. */
export function groupsFor(groups: readonly RobotsGroup[], agent: string): readonly RobotsGroup[] {
  const token = agent.toLowerCase();
  const named = groups.filter((group) => group.agents.includes(token));
  return named.length > 0 ? named : groups.filter((group) => group.agents.includes('*'));
}

/** The crawl delay for the agent in seconds; null if no group sets one. */
export function crawlDelaySeconds(groups: readonly RobotsGroup[], agent: string): number | null {
  for (const group of groupsFor(groups, agent)) {
    if (group.crawlDelaySeconds !== null) return group.crawlDelaySeconds;
  }
  return null;
}

interface CompiledRules {
  /** By pattern; if two rules have the same pattern, the one that wins. */
  readonly plain: ReadonlyMap<string, RobotsRule>;
  /** Lengths of the plain patterns, longest first. */
  readonly lengths: readonly number[];
  /** Longest first. */
  readonly wildcards: readonly { readonly pattern: string; readonly rule: RobotsRule }[];
}

const compiled = new WeakMap<readonly RobotsGroup[], Map<string, CompiledRules>>();

function compiledFor(groups: readonly RobotsGroup[], agent: string): CompiledRules {
  const byAgent = compiled.get(groups) ?? new Map<string, CompiledRules>();
  compiled.set(groups, byAgent);
  const known = byAgent.get(agent) ?? compile(groupsFor(groups, agent).flatMap(({ rules }) => rules));
  byAgent.set(agent, known);
  return known;
}

function compile(rules: readonly RobotsRule[]): CompiledRules {
  const plain = new Map<string, RobotsRule>();
  const wildcards: { pattern: string; rule: RobotsRule }[] = [];
  for (const rule of rules) {
    const pattern = normalPath(rule.path);
    if (!pattern.includes('*') && !pattern.endsWith('$')) {
      const known = plain.get(pattern);
      if (!known || (rule.allow && !known.allow)) plain.set(pattern, rule);
    } else if (wildcards.length < WILDCARDS_MAX) wildcards.push({ pattern, rule });
  }
  const lengths = [...new Set([...plain.keys()].map(({ length }) => length))];
  wildcards.sort((left, right) => right.pattern.length - left.pattern.length);
  return { plain, lengths: lengths.sort((left, right) => right - left), wildcards };
}

function decide({ plain, lengths, wildcards }: CompiledRules, path: string): RobotsDecision {
  const length = lengths.find((each) => each <= path.length && plain.has(path.slice(0, each))) ?? -1;
  let best = plain.get(path.slice(0, Math.max(0, length)));
  let bestLength = length;
  for (const { pattern, rule } of wildcards) {
    if (pattern.length < bestLength) break;
    if (pattern.length === bestLength && (best?.allow || !rule.allow)) continue;
    if (!matches(pattern, path)) continue;
    best = rule;
    bestLength = pattern.length;
  }
  if (!best) return ALLOWED;
  return { allowed: best.allow, line: best.line, rule: `${best.allow ? 'Allow' : 'Disallow'}: ${best.path}` };
}

/** §2.2.2: non-ASCII octets are compared percent-encoded, and `%7E` equals `~`; reserved characters stay encoded. */
function normalPath(path: string): string {
  return path
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text))
    .replaceAll(/%[0-9a-fA-F]{2}/g, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
    });
}

/**
 * `*` matches any run of characters, a final `$` the end. Greedy with one point to go back to: linear in pattern ×
 * path.
 */
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
