/** A cookie that both sides set, but with different protection. Values are never read. */
import type { CookieFacts } from '../../probe/index.js';
import { cookieNameForm, isSessionCookie } from '../cookie-names.js';
import { byKey, differencesOf } from '../differences.js';
import { durationText } from '../duration-text.js';
import type { Direction } from '../finding.js';
import {
  type Difference,
  NAME,
  presence,
  type Rule,
  weakerBelow,
  weakerSide,
  worstAndMore,
} from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { isHttps } from '../security-policy.js';

/** `strict` is the strictest; browsers treat unknown and missing values as lax. */
const SAME_SITE: Readonly<Record<string, number>> = { none: 0, lax: 1, strict: 2 };
const LIFETIME_RATIO = 10;

export const cookieFlagsDrift: Rule = {
  code: 'COOKIE_FLAGS_DRIFT',
  version: 3,
  title: 'Cookie attributes are weaker',
  about:
    'Secure, HttpOnly or SameSite is weaker on the candidate: critical for cookies that look like a session, otherwise a warning. A wider Domain or Path (after mapping) or the loss of Partitioned is a warning, a lifetime ten times as long info.',
  recommendation: 'Set Secure, HttpOnly and SameSite on every session cookie in every environment.',
  inputs: ['cookies'],
  claims: ['set-cookie'],
  grouped: worstAndMore,
  compare(left, right) {
    const others = new Map(right.envelope.cookies?.map((cookie) => [cookieNameForm(cookie.name), cookie]));
    const found = left.envelope.cookies?.flatMap((cookie) => {
      const other = others.get(cookieNameForm(cookie.name));
      if (!other) return [];
      const views = [left, right] as const;
      return [...flagDifferences(cookie, other, views), ...scopeDifferences(cookie, other, views)];
    });
    return found && byKey(found);
  },
};

type Views = readonly [SampleView, SampleView];

function flagDifferences(a: CookieFacts, b: CookieFacts, [left, right]: Views): readonly Difference[] {
  const samePartition = a.partitioned === b.partitioned;
  if (a.secure === b.secure && a.httpOnly === b.httpOnly && a.sameSite === b.sameSite && samePartition)
    return [];
  // A page over plain http cannot set Secure, and other rules report plain http.
  const bothSecure = isHttps(left) && isHttps(right);
  const flags = [
    ...(bothSecure ? [['Secure', Number(a.secure), Number(b.secure)] as const] : []),
    ['HttpOnly', Number(a.httpOnly), Number(b.httpOnly)] as const,
    ['SameSite', sameSiteRank(a), sameSiteRank(b)] as const,
    ['Partitioned', Number(a.partitioned === true), Number(b.partitioned === true)] as const,
  ];
  return differencesOf(flags, ([flag, x, y]) => {
    if (x === y) return undefined;
    const weaker = x < y ? 'left' : 'right';
    const show = (cookie: CookieFacts, on: number) =>
      flag === 'SameSite' ? `SameSite=${cookie.sameSite ?? '(absent)'}` : on === 1 ? flag : `no ${flag}`;
    return {
      section: 'cookies',
      key: `${cookieNameForm(a.name)} ${flag}`,
      left: show(a, x),
      right: show(b, y),
      severity: isSessionCookie(a.name) && flag !== 'Partitioned' ? 'critical' : 'warn',
      direction: weakerSide(weaker),
      message:
        flag === 'SameSite'
          ? `Cookie "${a.name}" has ${show(a, x)} on ${NAME.left} and ${show(b, y)} on ${NAME.right}`
          : `Cookie "${a.name}" lacks ${flag} on ${NAME[weaker]}`,
    };
  });
}

function sameSiteRank({ sameSite }: CookieFacts): number {
  return SAME_SITE[sameSite ?? ''] ?? 1;
}

function scopeDifferences(a: CookieFacts, b: CookieFacts, [left, right]: Views): Difference[] {
  const domains = [
    a.domain && left.origins.mapDomain(a.domain, left.side),
    b.domain && right.origins.mapDomain(b.domain, right.side),
  ];
  const lives = [a.lifetimeSeconds, b.lifetimeSeconds] as const;
  const lifeDiffers =
    (lives[0] === undefined) !== (lives[1] === undefined) || ratio(lives[0], lives[1]) >= LIFETIME_RATIO;
  const scopes = [
    {
      key: 'Domain',
      values: [a.domain, b.domain],
      severity: 'warn',
      differs: a.domain !== b.domain && domains[0] !== domains[1],
      direction: weakerBelow(-widthOf(domains[0]), -widthOf(domains[1])),
    },
    {
      key: 'Path',
      values: [a.path, b.path],
      severity: 'warn',
      differs: (a.path ?? '/') !== (b.path ?? '/'),
      direction: widerPath(a.path ?? '/', b.path ?? '/'),
    },
    {
      key: 'lifetime',
      values: lives.map(lifeText),
      severity: 'info',
      differs: lifeDiffers,
      direction: presence(lives[0], lives[1]),
    },
  ] as const;
  return scopes
    .filter(({ differs }) => differs)
    .map(({ key, values: [x, y], severity, direction }) => ({
      section: 'cookies',
      key: `${cookieNameForm(a.name)} ${key}`,
      left: x ?? null,
      right: y ?? null,
      severity,
      direction,
      message: `Cookie "${a.name}" has ${key} ${x ?? '(absent)'} on ${NAME.left} and ${y ?? '(absent)'} on ${NAME.right}`,
    }));
}

/** How many hosts get the cookie: 0 for the host itself, and more the higher the parent domain is. */
function widthOf(domain: string | undefined): number {
  if (domain === undefined || domain === '') return 0;
  return 1 + Number(/\^(\d+)$/.exec(domain)?.[1] ?? 0);
}

function ratio(a = 0, b = 0): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  return large <= 0 ? 1 : large / Math.max(1, small);
}

/** The side whose path contains the other one is weaker; siblings just differ. */
function widerPath(a: string, b: string): Direction {
  const holds = (outer: string, inner: string) => inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
  if (holds(a, b)) return weakerSide('left');
  return holds(b, a) ? weakerSide('right') : 'changed';
}

function lifeText(lifetime: number | undefined): string {
  return lifetime === undefined ? 'of the session' : durationText(lifetime);
}
