/** Files of a page that do not load: rules that differ only in the kind of file. */
import { type FetchFacts, mediaTypeOf } from '../facts/fetch-facts.js';
import type { TargetFacts, TargetRole } from '../facts/site-facts.js';
import { isHtmlFallback } from '../html-fallback.js';
import {
  isBrokenExternally,
  isBrokenInternally,
  type Nouns,
  type Reach,
  Reachability,
  unmeasuredNote,
} from '../reachability.js';
import {
  type Evidence,
  failIfAny,
  notApplicable,
  notMeasured,
  type RuleHead,
  type SiteRule,
  siteRule,
} from '../rule.js';

interface Row extends Pick<RuleHead, 'id' | 'title' | 'passTitle' | 'severity' | 'weight' | 'why'> {
  readonly roles: readonly TargetRole[];
  /** For "1 …" and "no page loads …". */
  readonly nouns: Nouns;
  /** An HTML page in place of the file is a fault: some sites return their home page for every path. */
  readonly neverHtml: boolean;
}

const ROWS: readonly Row[] = [
  {
    ...{ id: 'asset.broken-style', severity: 'error', weight: 8, roles: ['style'], neverHtml: true },
    title: '{n} {stylesheet does|stylesheets do} not load',
    passTitle: 'Stylesheets load',
    why: 'Without its stylesheet a page loses its layout.',
    nouns: ['stylesheet', 'stylesheets'],
  },
  {
    ...{ id: 'asset.broken-script', severity: 'error', weight: 8, roles: ['script'], neverHtml: true },
    title: '{n} {script does|scripts do} not load',
    passTitle: 'Scripts load',
    why: 'Features that depend on a missing script do not work, and other scripts may fail too.',
    nouns: ['script', 'scripts'],
  },
  {
    ...{ id: 'asset.broken-image', severity: 'error', weight: 6, roles: ['image'], neverHtml: true },
    title: '{n} {image does|images do} not load',
    passTitle: 'Images load',
    why: 'Readers see a broken image, and search engines drop it.',
    nouns: ['image', 'images'],
  },
  {
    ...{ id: 'asset.broken-font', severity: 'warn', weight: 4, roles: ['font'], neverHtml: true },
    title: '{n} {font does|fonts do} not load',
    passTitle: 'Fonts load',
    why: 'Text falls back to another font, often after a delay, and icons may show as empty boxes.',
    nouns: ['font', 'fonts'],
  },
  {
    ...{ id: 'asset.broken-embed', severity: 'warn', weight: 4, neverHtml: false },
    roles: ['embed', 'icon', 'preload'],
    title: '{n} embedded {file does|files do} not load',
    passTitle: 'Embedded files load',
    why: 'A missing frame, video, icon or manifest leaves a gap in the page.',
    nouns: ['frame, media file, icon or manifest', 'frames, media, icons or manifests'],
  },
];

export const ASSET_ROLES: ReadonlySet<TargetRole> = new Set(ROWS.flatMap(({ roles }) => roles));

export const ASSET_RULES: readonly SiteRule[] = ROWS.map(ruleOfRow);

function ruleOfRow({ roles, nouns, neverHtml, ...head }: Row): SiteRule {
  return siteRule({
    ...head,
    category: 'links',
    fix: 'Correct the address, or upload the file.',
    inputs: { site: ['targets', 'responses', 'origin'] },
    check({ site }) {
      const assets = [...site.targets.values()].filter((target) =>
        target.roles.some((role) => roles.includes(role)),
      );
      if (assets.length === 0) return notApplicable(`no page loads ${nouns[1]}`);
      const reachability = new Reachability(site);
      const judged = assets.flatMap((asset) => {
        const response = site.responses.get(asset.url);
        return response ? [{ asset, reach: judge({ asset, response, neverHtml }, reachability) }] : [];
      });
      if (judged.length === 0) return notMeasured(`${nouns[1]} were not requested`);
      const unmeasured = judged.filter(({ reach }) => reach.state === 'not-measured');
      const note = unmeasuredNote(
        nouns,
        unmeasured.map(({ asset }) => asset.url),
      );
      if (unmeasured.length === judged.length) return notMeasured(note);
      return failIfAny(
        judged.flatMap(({ asset, reach }) =>
          reach.state === 'broken' ? [evidenceOf(asset, reach.observed)] : [],
        ),
        { of: judged.length - unmeasured.length, ...(unmeasured.length > 0 && { note }) },
      );
    },
  });
}

function judge(
  { asset, response, neverHtml }: { asset: TargetFacts; response: FetchFacts; neverHtml: boolean },
  reachability: Reachability,
): Reach {
  if (neverHtml && response.status === 200 && isHtmlFallback(response))
    return { state: 'broken', observed: `an HTML page (${mediaTypeOf(response)}) instead of the file` };
  return reachability.judge(response, asset.internal ? isBrokenInternally : isBrokenExternally);
}

function evidenceOf({ url, referrers, referrerCount }: TargetFacts, observed: string): Evidence {
  const [first] = referrers;
  return {
    url,
    ...(first && { element: `${first.text} on ${first.page}`, line: first.line }),
    observed: referrerCount > 1 ? `${observed}, loaded in ${referrerCount} places` : observed,
    expected: 'a file that loads',
    related: [...new Set(referrers.map(({ page }) => page))],
  };
}
