/**
 * Grades a side's protection: 100 points minus deductions for what is missing, and a letter for the result. Only the
 * distance between the sides is judged, so it matters less what the weights are than that they are the same for both.
 */
import { isSessionCookie } from './cookie-names.js';
import type { SampleView } from './sample-view.js';
import { cspWeaknesses, framePolicyOf, hstsOf, isHttps, referrerStrength } from './security-policy.js';

export type GradeLetter = 'A' | 'B' | 'C' | 'D' | 'F';

export interface SecurityGrade {
  readonly letter: GradeLetter;
  readonly points: number;
  /** `reason −points`, the largest deduction first. */
  readonly losses: readonly string[];
}

const LETTERS: readonly (readonly [GradeLetter, number])[] = [
  ['A', 85],
  ['B', 65],
  ['C', 45],
  ['D', 25],
];

const HALF_YEAR_SECONDS = 15_768_000;

type Test = (view: SampleView) => readonly [string, number] | undefined;

const TESTS: readonly Test[] = [
  (view) => {
    if (view.csp.length === 0) return ['no content-security-policy', 25];
    const weak = cspWeaknesses(view.csp);
    return weak.length === 0
      ? undefined
      : [`content-security-policy: ${weak.join(', ')}`, weak.length > 1 ? 20 : 15];
  },
  (view) => (isHttps(view) ? undefined : ['not served over https', 20]),
  (view) => {
    if (!isHttps(view)) return undefined;
    const hsts = hstsOf(view);
    if (!hsts || hsts.maxAge === 0) return ['no strict-transport-security', 20];
    return hsts.maxAge < HALF_YEAR_SECONDS ? ['strict-transport-security max-age is short', 10] : undefined;
  },
  (view) => (framePolicyOf(view) === undefined ? ['any site may frame it', 20] : undefined),
  (view) => (caseless(view, 'x-content-type-options').trim() === 'nosniff' ? undefined : ['no nosniff', 5]),
  (view) => {
    const leaks = referrerStrength(caseless(view, 'referrer-policy')) === 1;
    return leaks ? ['referrer-policy leaks URLs', 5] : undefined;
  },
  (view) => {
    const weak = (view.envelope.cookies ?? []).filter(({ secure, httpOnly }) => !secure || !httpOnly);
    if (weak.length === 0) return undefined;
    const bare = weak.filter(({ secure }) => !secure && isHttps(view));
    if (bare.some(({ name }) => isSessionCookie(name))) return ['a session cookie without Secure', 40];
    if (weak.some(({ name, httpOnly }) => isSessionCookie(name) && !httpOnly)) {
      return ['a session cookie without HttpOnly', 30];
    }
    return bare.length > 0 ? ['a cookie without Secure', 20] : undefined;
  },
  (view) => {
    const open = view.text('access-control-allow-origin') === '*';
    return open && view.text('access-control-allow-credentials') === 'true'
      ? ['CORS is open with credentials', 50]
      : undefined;
  },
];

function caseless(view: SampleView, name: string): string {
  return view.lines(name)?.join(', ').toLowerCase() ?? '';
}

export function securityGrade(view: SampleView): SecurityGrade {
  return view.parsed('grade', () => {
    const losses = TESTS.map((test) => test(view)).filter((loss) => loss !== undefined);
    losses.sort((a, b) => b[1] - a[1]);
    const points = Math.max(
      0,
      losses.reduce((left, [, cost]) => left - cost, 100),
    );
    const letter = LETTERS.find(([, least]) => points >= least)?.[0] ?? 'F';
    return { letter, points, losses: losses.map(([text, cost]) => `${text} −${cost}`) };
  });
}

/** Letters between two grades; positive when the second is worse. */
export function gradeDistance(a: SecurityGrade, b: SecurityGrade): number {
  const order = 'ABCDF';
  return order.indexOf(b.letter) - order.indexOf(a.letter);
}
