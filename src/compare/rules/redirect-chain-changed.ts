/**
 * The redirects on the way to the final URL differ. Hops that only upgrade http to https do not count if just one side
 * was requested over http.
 */
import type { RedirectHop } from '../../probe/index.js';
import { tryUrl } from '../../try-url.js';
import { sameLines } from '../compare-headers.js';
import { present } from '../differences.js';
import type { Direction } from '../finding.js';
import {
  bothValues,
  type Difference,
  headerValues,
  NAME,
  presence,
  type Rule,
  weakerBelow,
} from '../rule.js';
import type { SampleView } from '../sample-view.js';
import type { Severity } from '../severity.js';

export const redirectChainChanged: Rule = {
  code: 'REDIRECT_CHAIN_CHANGED',
  version: 4,
  title: 'Redirects differ',
  about:
    'After origin mapping the redirect chains differ. Critical if they end at another host or path, a warning if only the hops differ (info if the candidate needs fewer), info if one side only needs the step from http to https because it was requested over http. A different Location on the final response itself is a warning.',
  recommendation:
    'Compare both chains hop by hop; redirects come from the CDN, the web server or the application, usually in this order.',
  inputs: ['redirects'],
  claims: ['location'],
  compare(left, right) {
    return present(chainDifference(left, right), locationDifference(left, right));
  },
};

function chainDifference(left: SampleView, right: SampleView): Difference | undefined {
  if (left.redirects.length === 0 && right.redirects.length === 0) return undefined;
  const chains = [chainOf(left), chainOf(right)] as const;
  if (sameLines(chains[0], chains[1])) return undefined;
  const severity = endOf(left) !== endOf(right) ? 'critical' : onlyUpgrade(left, right) ? 'info' : 'warn';
  const count = [left.redirects.length, right.redirects.length] as const;
  return {
    section: 'redirects',
    key: severity === 'critical' ? 'end' : count[0] === count[1] ? 'hops' : 'hopCount',
    left: formatChain(left),
    right: formatChain(right),
    severity,
    direction: directionOf(severity, count),
    message:
      severity === 'critical'
        ? `The redirects end at different URLs: ${endText(left)} on ${NAME.left} and ${endText(right)} on ${NAME.right}`
        : severity === 'info'
          ? 'Only one side redirects from http to https, since the other was requested over https'
          : `The redirects differ: ${hops(count[0])} on ${NAME.left} and ${hops(count[1])} on ${NAME.right}`,
  };
}

/** If both chains end at the same place, the longer one is weaker. */
function directionOf(severity: Severity, [left, right]: readonly [number, number]): Direction {
  if (severity === 'warn') return weakerBelow(-left, -right);
  return left === 0 ? 'right_only' : right === 0 ? 'left_only' : 'changed';
}

/** A Location on the last response, such as a 201 or a redirect that was not followed. */
function locationDifference(left: SampleView, right: SampleView): Difference | undefined {
  if (!left.covers('headers.core') || !right.covers('headers.core')) return undefined;
  const [a, b] = [left.text('location'), right.text('location')];
  if (a === b || targetOf(left) === targetOf(right)) return undefined;
  const values = { ...headerValues('location', a, b), message: bothValues('Location', a, b) };
  return { ...values, severity: 'warn', direction: presence(a, b) };
}

/** Resolved and origin-mapped, since a Location may be relative. */
function targetOf(view: SampleView): string | undefined {
  const text = view.text('location');
  return text === null ? undefined : view.map(tryUrl(text, view.response?.finalUrl)?.href ?? text);
}

/** Targets only; REDIRECT_STATUS_DRIFT covers the statuses. */
function chainOf(view: SampleView, hops: readonly RedirectHop[] = view.redirects): readonly string[] {
  return hops.map(
    (hop) => withoutScheme(view.map(hop.toUrl)) + (schemeOf(hop.toUrl) === 'https:' ? '' : ' (http)'),
  );
}

/** Where the side ended, relative to what was requested: the two requests may have different paths. */
function endOf(view: SampleView): string {
  const end = view.finalUrl ?? lastTarget(view);
  if (!end) return '';
  const path = view.requestedUrl?.pathname === end.pathname ? '{requested}' : end.pathname;
  return view.map(end.host) + path;
}

/** The path alone on the side's own host. */
function endText(view: SampleView): string {
  const end = view.finalUrl ?? lastTarget(view);
  if (!end) return 'nowhere';
  return view.origins.isOwn(end.host, view.side) ? end.pathname : end.host + end.pathname;
}

function hops(count: number): string {
  return count === 1 ? '1 hop' : `${count} hops`;
}

function lastTarget({ redirects }: SampleView): URL | undefined {
  const target = redirects.at(-1)?.toUrl ?? '';
  return tryUrl(target);
}

function onlyUpgrade(left: SampleView, right: SampleView): boolean {
  if (schemeOf(left.envelope.requestedUrl) === schemeOf(right.envelope.requestedUrl)) return false;
  const further = (view: SampleView) =>
    chainOf(
      view,
      view.redirects.filter((hop) => !isUpgrade(hop)),
    );
  return sameLines(further(left), further(right));
}

function isUpgrade({ fromUrl, toUrl }: RedirectHop): boolean {
  return (
    schemeOf(fromUrl) === 'http:' &&
    schemeOf(toUrl) === 'https:' &&
    withoutScheme(fromUrl) === withoutScheme(toUrl)
  );
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:/i, '');
}

function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':') + 1).toLowerCase();
}

function formatChain({ redirects, response }: SampleView): readonly string[] {
  if (redirects.length === 0) return [];
  return [
    ...redirects.map(({ status, toUrl }) => `${status} → ${toUrl}`),
    ...(response ? [`${response.status}`] : []),
  ];
}
