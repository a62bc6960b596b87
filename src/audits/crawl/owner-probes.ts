/**
 * Probes that only an owner of a site may ask for: whether files that should be private are public, and
 * whether the site turns agents away that it is asked under. Contents are looked at, never kept.
 */
import type { LeakProbe, SiteProbes } from '../facts/site-facts.js';
import type { AuditFetcher } from './audit-fetcher.js';

const LOOK_BYTES = 4096;
const SCRIPTS_MAX = 5;

/** Agents of the search class, as they call themselves, and a browser to compare with. */
export const PROBED_AGENTS = {
  browser:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'OAI-SearchBot': 'Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)',
  'Claude-SearchBot': 'Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)',
  PerplexityBot: 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
} as const;

const PATHS: readonly { readonly path: string; readonly kind: 'git' | 'env' }[] = [
  { path: '/.git/HEAD', kind: 'git' },
  { path: '/.env', kind: 'env' },
];

const LOOKS: Readonly<Record<LeakProbe['kind'], RegExp>> = {
  git: /^(?:ref: refs\/|[0-9a-f]{40}\s)/,
  env: /^(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/m,
  'source-map': /^\s*\{[\s\S]*"(?:mappings|sources|version)"\s*:/,
};

export async function probeAsOwner(
  fetcher: AuditFetcher,
  homeUrl: string,
  scripts: readonly string[],
): Promise<Pick<SiteProbes, 'agents' | 'leaks'>> {
  const { origin } = new URL(homeUrl);
  const asked = Object.entries(PROBED_AGENTS).map(async ([agent, userAgent]) => ({
    agent,
    fetch: (await fetcher.fetch({ url: homeUrl, keep: 'none', userAgent })).facts,
  }));
  const looked = [
    ...PATHS.map(({ path, kind }) => look(fetcher, `${origin}${path}`, kind)),
    ...scripts.slice(0, SCRIPTS_MAX).map((script) => look(fetcher, mapOf(script), 'source-map')),
  ];
  return { agents: await Promise.all(asked), leaks: await Promise.all(looked) };
}

function mapOf(script: string): string {
  const url = new URL(script);
  return `${url.origin}${url.pathname}.map`;
}

async function look(fetcher: AuditFetcher, url: string, kind: LeakProbe['kind']): Promise<LeakProbe> {
  const { facts, bytes } = await fetcher.fetch({ url, keep: 'any', bodyBytes: LOOK_BYTES });
  const text = facts.status === 200 && bytes ? new TextDecoder().decode(bytes) : '';
  const exposed = LOOKS[kind].test(text) && !/^\s*<(?:!doctype|html)/i.test(text);
  return { path: new URL(url).pathname, kind, fetch: facts, exposed };
}
