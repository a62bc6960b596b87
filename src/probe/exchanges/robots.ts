/** Parses robots.txt into groups of rules (RFC 9309), bounded. It does not decide which group applies. */
import type { RobotsFacts, RobotsGroup } from '../exchange-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';

const GROUPS_MAX = 50;
const RULES_MAX = 100;
const LINE_CHARS = 300;

interface Draft extends RobotsGroup {
  agents: string[];
  allow: string[];
  disallow: string[];
}

export function readRobots(text: string, redactor: ProbeRedactor): RobotsFacts {
  const groups: Draft[] = [];
  const sitemaps: string[] = [];
  let truncated = false;
  let current: Draft | undefined;
  let naming = false;
  const push = (list: string[] | undefined, value: string): void => {
    if (list && list.length < RULES_MAX) list.push(redactor.short(value, LINE_CHARS));
    else if (list) truncated = true;
  };
  for (const [key, value] of linesOf(text)) {
    if (key === 'user-agent') {
      if (!naming) {
        current = { agents: [], allow: [], disallow: [] };
        if (groups.length < GROUPS_MAX) groups.push(current);
        else truncated = true;
      }
      naming = true;
      push(current?.agents, value.toLowerCase());
      continue;
    }
    if (key === 'sitemap') push(sitemaps, value);
    else naming = false;
    if (key === 'allow') push(current?.allow, value);
    // An empty Disallow forbids nothing.
    else if (key === 'disallow' && value !== '') push(current?.disallow, value);
  }
  return { groups, sitemaps, truncated };
}

function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const line = raw.replace(/#.*/, '');
    const colon = line.indexOf(':');
    if (colon > 0) yield [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  }
}
