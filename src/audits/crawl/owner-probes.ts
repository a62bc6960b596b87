/**
 * Probes that only the owner of a site may run: whether private files are public, and whether the site blocks search
 * bots. Contents are checked, never stored.
 */
import type { LeakProbe, SiteProbes } from '../facts/site-facts.js';
import { startsAsHtml } from '../html-fallback.js';
import type { AuditFetcher } from './audit-fetcher.js';

const PROBE_BYTES = 4096;
const SCRIPTS_MAX = 5;

/** User agents of search bots, and a browser to compare with. */
export const PROBED_AGENTS = {
  browser:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'OAI-SearchBot': 'Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)',
  'Claude-SearchBot': 'Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +Claude-SearchBot@anthropic.com)',
  PerplexityBot: 'Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
} as const;

const PATHS: readonly { readonly path: string; readonly kind: LeakProbe['kind'] }[] = [
  { path: '/.git/HEAD', kind: 'git' },
  { path: '/.git/config', kind: 'git' },
  { path: '/.svn/entries', kind: 'svn' },
  { path: '/.env', kind: 'env' },
  { path: '/.env.local', kind: 'env' },
  { path: '/.env.production', kind: 'env' },
  { path: '/.htpasswd', kind: 'credentials' },
  { path: '/.npmrc', kind: 'credentials' },
  { path: '/.aws/credentials', kind: 'credentials' },
];

/** Patterns for files of each kind, so that a page at the same path is not mistaken for one. */
const SIGNATURES: Readonly<Record<LeakProbe['kind'], RegExp>> = {
  git: /^(?:ref: refs\/|[0-9a-f]{40}\s|\[core\])/,
  svn: /^\d{1,3}\r?\n/,
  env: /^(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/m,
  credentials: /^[^\s:<]{1,64}:(?:\$|\{SHA\})|_authToken\s*=|aws_secret_access_key\s*=/m,
  'source-map': /^\s*\{[\s\S]*"(?:mappings|sources|version)"\s*:/,
};

export async function probeAsOwner(
  fetcher: AuditFetcher,
  homeUrl: string,
  scripts: readonly string[],
): Promise<Pick<SiteProbes, 'agents' | 'leaks'>> {
  const { origin } = new URL(homeUrl);
  const agents = Object.entries(PROBED_AGENTS).map(async ([agent, userAgent]) => ({
    agent,
    fetch: (await fetcher.fetch({ url: homeUrl, keep: 'none', userAgent })).facts,
  }));
  const leaks = [
    ...PATHS.map(({ path, kind }) => probePath(fetcher, `${origin}${path}`, kind)),
    ...scripts.slice(0, SCRIPTS_MAX).map((script) => probePath(fetcher, mapOf(script), 'source-map')),
  ];
  return { agents: await Promise.all(agents), leaks: await Promise.all(leaks) };
}

function mapOf(script: string): string {
  const url = new URL(script);
  return `${url.origin}${url.pathname}.map`;
}

async function probePath(fetcher: AuditFetcher, url: string, kind: LeakProbe['kind']): Promise<LeakProbe> {
  const { facts, bytes } = await fetcher.fetch({ url, keep: 'any', bodyBytes: PROBE_BYTES });
  const text = facts.status === 200 && bytes ? new TextDecoder().decode(bytes) : '';
  const exposed = SIGNATURES[kind].test(text) && !startsAsHtml(text);
  return { path: new URL(url).pathname, kind, fetch: facts, exposed };
}
