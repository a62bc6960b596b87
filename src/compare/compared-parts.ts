/** Lists what a comparison covered and what it did not, for people. A verdict applies only to what was covered. */
import type { CoverageGap, CoverageSection } from '../probe/index.js';
import type { EnvDiff } from './env-diff.js';
import type { SampleView } from './sample-view.js';

const PARTS: readonly (readonly [part: string, section: CoverageSection])[] = [
  ['status', 'status'],
  ['redirects', 'redirects'],
  ['headers', 'headers.core'],
  ['security headers', 'headers.extended'],
  ['cookies', 'cookies'],
  ['body', 'body'],
  ['content', 'body.content'],
  ['assets', 'resources'],
  ['timing', 'timing'],
  ['certificate', 'certificate'],
  ['TLS', 'exchanges.tls'],
  ['DNS', 'exchanges.dns'],
  ['CORS', 'exchanges.origins'],
  ['preflight', 'exchanges.preflight'],
  ['methods', 'exchanges.options'],
  ['revalidation', 'exchanges.conditional'],
  ['http to https', 'exchanges.httpVariant'],
  ['robots.txt', 'exchanges.robots'],
];

/** Listed only if one side observed them and the other did not. */
const MINOR_PARTS: readonly (readonly [part: string, section: CoverageSection])[] = [
  ['names of other headers', 'headers.names'],
  ['login challenge', 'challenge'],
  ['connection phases', 'phases'],
  ['HTTP version', 'protocol'],
  ['address', 'address'],
  ['HEAD', 'exchanges.head'],
  ['location of the runner', 'cf'],
];

const REASONS: Readonly<Record<CoverageGap, string>> = {
  profile: 'not part of the profile',
  platform: 'not visible on this platform',
  sanitized: 'removed from the recording',
  budget: 'beyond the limit',
  failed: 'the request failed',
  'not-applicable': 'does not apply',
};

/** The page's scripts are not run, and the report says so. */
const NEVER = { part: 'rendering in a browser', reason: 'scripts are not run' };

export function comparedParts(left: SampleView, right: SampleView): EnvDiff['coverage'] {
  const compared: string[] = [];
  const notCompared: { part: string; reason: string }[] = [];
  for (const [part, section] of PARTS) {
    if (left.covers(section) && right.covers(section)) compared.push(partName(part, left, right));
    else {
      const gap = [left, right].map((view) => gapOf(view, section)).find((reason) => reason !== undefined);
      if (gap !== 'not-applicable') notCompared.push({ part, reason: gap ? REASONS[gap] : 'not observed' });
    }
  }
  return { compared, notCompared: [...notCompared, ...minorGaps(left, right), NEVER] };
}

function minorGaps(left: SampleView, right: SampleView): EnvDiff['coverage']['notCompared'] {
  if (left.observed === right.observed || !left.response || !right.response) return [];
  return MINOR_PARTS.filter(([, section]) => left.covers(section) !== right.covers(section)).map(
    ([part, section]) => {
      const reason = gapOf(left, section) ?? gapOf(right, section);
      return { part, reason: reason ? REASONS[reason] : 'not observed' };
    },
  );
}

function gapOf(view: SampleView, section: CoverageSection): CoverageGap | undefined {
  return view.covers(section) ? undefined : view.envelope.coverage?.gaps?.[section];
}

function partName(part: string, left: SampleView, right: SampleView): string {
  if (part === 'headers') return `${Math.max(left.headers.size, right.headers.size)} headers`;
  if (part !== 'assets') return part;
  const checked = Math.max(left.envelope.resources?.length ?? 0, right.envelope.resources?.length ?? 0);
  const named = Math.max(countOwnAssets(left), countOwnAssets(right));
  const noun = checked === 1 && named <= 1 ? 'asset' : 'assets';
  return checked < named ? `${checked} of ${named} ${noun}` : `${checked} ${noun}`;
}

/** How many distinct assets of its own origin the page references. */
function countOwnAssets(view: SampleView): number {
  const { origin } = view.finalUrl ?? {};
  const urls = (view.envelope.body?.html?.assets ?? []).map(({ url }) => url.replace(/#[\s\S]*/, ''));
  return new Set(urls.filter((url) => url.startsWith(`${origin}/`))).size;
}
