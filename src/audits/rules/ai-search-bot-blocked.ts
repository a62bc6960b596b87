/** Checks that AI search engines, which send visitors, can read the site. */
import { AI_AGENTS, blockedAgents } from '../ai-agents.js';
import { type Evidence, failIfAny, notMeasured, siteRule } from '../rule.js';

const SEARCHERS = AI_AGENTS.filter((agent) => agent.class === 'search').map(({ token }) => token);
const REFUSALS = new Set([401, 403, 406, 429, 451, 503]);

export const aiSearchBotBlocked = siteRule({
  id: 'ai.search-bot-blocked',
  title: '{n} AI search {bot is|bots are} blocked',
  passTitle: 'AI search bots may read the site',
  category: 'ai',
  severity: 'warn',
  weight: 5,
  why: 'An AI search engine that cannot read the site does not cite it.',
  fix: 'Allow the bot in robots.txt, and let it through the firewall or bot protection.',
  inputs: { site: ['robots', 'origin', 'homeUrl', 'probes'] },
  check({ site: { robots, origin, homeUrl, probes } }) {
    const file = robots.find((each) => each.origin === origin);
    if (!file) return notMeasured('robots.txt was not requested');
    const evidence: Evidence[] = blockedAgents(file, homeUrl)
      .filter(({ agent }) => agent.class === 'search')
      .map(({ agent: _, rule: observed, ...place }) => ({ ...place, observed, expected: 'access' }));
    // The other half sends requests as those bots, which only the owner of a site may do; otherwise it is absent.
    const responses = probes.agents ?? [];
    const browser = responses.find(({ agent }) => agent === 'browser')?.fetch.status;
    for (const { agent, fetch } of browser === 200 ? responses : []) {
      if (!SEARCHERS.includes(agent) || fetch.status === null || !REFUSALS.has(fetch.status)) continue;
      evidence.push({
        url: homeUrl,
        element: `User-Agent: ${agent}`,
        observed: `status ${fetch.status}, and 200 for a browser`,
        expected: 'status 200',
      });
    }
    return failIfAny(evidence);
  },
});
