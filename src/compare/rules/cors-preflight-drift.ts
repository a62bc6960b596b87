/** What a preflight response allows a browser to do. */
import type { Exchanges } from '../../probe/index.js';
import { differencesOf } from '../differences.js';
import { tokenSet } from '../fields/list-field.js';
import { bothValues, type Difference, NAME, type Rule, weakerSide, weakerSubset } from '../rule.js';
import type { SampleView } from '../sample-view.js';

type Preflight = NonNullable<Exchanges['preflight']>;

export const corsPreflightDrift: Rule = {
  code: 'CORS_PREFLIGHT_DRIFT',
  version: 2,
  title: 'CORS preflight responses differ',
  about:
    'The candidate rejects a preflight request that the reference accepts: critical. It allows fewer or different methods or headers: a warning. A different max-age: info.',
  recommendation:
    'Handle OPTIONS with the same CORS configuration everywhere, before authentication and routing.',
  inputs: ['exchanges.preflight'],
  claims: ['access-control-*'],
  compare(left, right) {
    const a = left.envelope.exchanges?.preflight;
    const b = right.envelope.exchanges?.preflight;
    if (!a || !b) return [];
    const granted = [isGranted(a), isGranted(b)] as const;
    if (granted[0] !== granted[1]) return [refusal(a, b, granted[0] ? 'right' : 'left')];
    if (!granted[0]) return [];
    return differencesOf(NAMES, ([name, severity]) => {
      const values = [mappedTokens(a, name, left), mappedTokens(b, name, right)] as const;
      if (values[0] === values[1]) return undefined;
      return {
        section: 'exchanges',
        key: `preflight ${name}`,
        left: a.headers?.[name]?.join(', ') ?? null,
        right: b.headers?.[name]?.join(', ') ?? null,
        severity,
        direction: severity === 'info' ? 'changed' : weakerSubset(tokensOf(a, name), tokensOf(b, name)),
        message: bothValues(
          `${name} of the preflight`,
          a.headers?.[name]?.join(', ') ?? null,
          b.headers?.[name]?.join(', ') ?? null,
        ),
      };
    });
  },
};

const NAMES = [
  ['access-control-allow-methods', 'warn'],
  ['access-control-allow-headers', 'warn'],
  ['access-control-max-age', 'info'],
] as const;

function refusal(a: Preflight, b: Preflight, weaker: 'left' | 'right'): Difference {
  return {
    section: 'exchanges',
    key: 'preflight',
    left: outcomeOf(a),
    right: outcomeOf(b),
    severity: 'critical',
    direction: weakerSide(weaker),
    message: `${NAME[weaker]} rejects the preflight request for ${a.method}`,
  };
}

function outcomeOf({ status, headers }: Preflight): string {
  return `HTTP ${status ?? 'none'}, allow-origin ${headers?.['access-control-allow-origin']?.[0] ?? 'absent'}`;
}

/** Whether a browser would send the request (Fetch §4.8), without credentials. */
function isGranted({ status = 0, headers = {}, origin, method, requestHeaders }: Preflight): boolean {
  const allowed = headers['access-control-allow-origin']?.[0]?.trim();
  if (status < 200 || status > 299 || (allowed !== '*' && allowed !== origin)) return false;
  const methods = tokenSet(headers['access-control-allow-methods'] ?? []);
  const simple = ['get', 'head', 'post'].includes(method.toLowerCase());
  if (!simple && !methods.includes('*') && !methods.includes(method.toLowerCase())) return false;
  const names = tokenSet(headers['access-control-allow-headers'] ?? []);
  // `*` does not cover Authorization.
  return tokenSet([requestHeaders]).every(
    (name) => names.includes(name) || (names.includes('*') && name !== 'authorization'),
  );
}

function tokensOf({ headers }: Preflight, name: string): readonly string[] {
  return tokenSet(headers?.[name] ?? []);
}

function mappedTokens({ headers }: Preflight, name: string, view: SampleView): string | undefined {
  const lines = headers?.[name];
  return lines && tokenSet(lines.map((line) => view.map(line))).join(', ');
}
