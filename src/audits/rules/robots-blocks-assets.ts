/** Checks that robots.txt does not block the styles and scripts that crawlers need to render pages. */
import { robotsVerdict } from '../robots/robots-verdict.js';
import { failIfAny, notApplicable, siteRule } from '../rule.js';

export const robotsBlocksAssets = siteRule({
  id: 'robots.blocks-assets',
  title: '{n} {style or script is|styles and scripts are} blocked by robots.txt',
  passTitle: 'Crawlers may fetch styles and scripts',
  category: 'crawl',
  severity: 'warn',
  weight: 4,
  why: 'Search engines render pages before they index them; without styles and scripts they see a broken page.',
  fix: 'Allow the files in robots.txt.',
  inputs: { site: ['targets', 'robots'] },
  check({ site: { targets, robots } }) {
    const files = new Map(robots.map((file) => [file.origin, file]));
    const assets = [...targets.values()].filter(
      ({ roles }) => roles.includes('script') || roles.includes('style'),
    );
    const judged = assets.flatMap((asset) => {
      const file = files.get(new URL(asset.url).origin);
      return file ? [{ ...asset, ...robotsVerdict(file, 'Googlebot', asset.url), file }] : [];
    });
    if (judged.length === 0) return notApplicable('pages load no styles or scripts from a known origin');
    return failIfAny(
      judged
        .filter(({ allowed }) => !allowed)
        .map(({ url, line, rule, file, referrers }) => ({
          url,
          element: `${file.origin}/robots.txt`,
          ...(line !== null && { line }),
          observed: rule ?? 'robots.txt cannot be read',
          expected: 'a file that Googlebot may fetch',
          related: referrers.map(({ page }) => page),
        })),
    );
  },
});
