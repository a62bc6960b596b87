/** Crawlers of AI companies by purpose: a site may allow search but not training. */
import type { RobotsFile } from './facts/site-facts.js';
import { robotsVerdict } from './robots/robots-verdict.js';
import type { Evidence } from './rule.js';

export type AgentClass = 'training' | 'search' | 'user';

export interface AiAgent {
  /** The product token in robots.txt. */
  readonly token: string;
  readonly class: AgentClass;
}

export const AI_AGENTS: readonly AiAgent[] = [
  { token: 'GPTBot', class: 'training' },
  { token: 'OAI-SearchBot', class: 'search' },
  { token: 'ChatGPT-User', class: 'user' },
  { token: 'ClaudeBot', class: 'training' },
  { token: 'Claude-SearchBot', class: 'search' },
  { token: 'Claude-User', class: 'user' },
  { token: 'PerplexityBot', class: 'search' },
  { token: 'Google-Extended', class: 'training' },
  { token: 'Applebot-Extended', class: 'training' },
  { token: 'CCBot', class: 'training' },
];

/** The agents that robots.txt keeps from a URL, each with the line that decides. */
export function blockedAgents(
  file: RobotsFile,
  url: string,
): (Pick<Evidence, 'url' | 'element' | 'line'> & { readonly agent: AiAgent; readonly rule: string })[] {
  return AI_AGENTS.flatMap((agent) => {
    const { allowed, line, rule } = robotsVerdict(file, agent.token, url);
    const place = {
      url: file.fetch.url,
      element: `User-agent: ${agent.token}`,
      ...(line !== null && { line }),
    };
    return allowed ? [] : [{ ...place, agent, rule: rule ?? 'robots.txt cannot be read' }];
  });
}
