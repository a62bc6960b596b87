/** Crawlers of AI companies by purpose: a site may allow search but not training. */
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
