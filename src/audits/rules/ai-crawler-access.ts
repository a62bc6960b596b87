/** Reports which AI crawlers may not read the site, and which line decides. */
import { blockedAgents } from '../ai-agents.js';
import { failIfAny, notMeasured, siteRule } from '../rule.js';

export const aiCrawlerAccess = siteRule({
  id: 'ai.crawler-access',
  title: '{n} AI {crawler is|crawlers are} blocked',
  passTitle: 'AI crawlers may read the site',
  category: 'ai',
  severity: 'info',
  weight: 4,
  why: 'Training, search and fetching for a user are different purposes; a blanket ban blocks all three.',
  fix: 'Decide separately for training, search and user requests, and list the agents in robots.txt accordingly.',
  inputs: { site: ['robots', 'origin', 'homeUrl'] },
  check({ site: { robots, origin, homeUrl } }) {
    const file = robots.find((each) => each.origin === origin);
    if (!file) return notMeasured('robots.txt was not requested');
    return failIfAny(
      blockedAgents(file, homeUrl).map(({ agent, rule, ...place }) => ({
        ...place,
        observed: `${agent.class}: ${rule}`,
        expected: 'access, or a deliberate block',
      })),
    );
  },
});
