/** The two sides were not probed in the same way, which may explain other differences. */
import { differencesOf } from '../differences.js';
import type { FindingValue } from '../finding.js';
import { NAME, presence, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const FIELDS: readonly (readonly [string, (view: SampleView) => FindingValue | undefined])[] = [
  ['source', ({ envelope }) => envelope.source?.kind],
  ['runner', ({ envelope }) => envelope.source?.runner],
  ['region', ({ envelope }) => envelope.source?.region],
  ['cache-state', ({ envelope }) => envelope.source?.cacheState],
  ['ip-family', ({ envelope }) => envelope.address?.family],
  ['method', ({ envelope }) => envelope.request?.method],
  ['user-agent', ({ envelope }) => envelope.request?.userAgent],
  ['accept', ({ envelope }) => envelope.request?.accept],
  ['accept-language', ({ envelope }) => envelope.request?.acceptLanguage],
  ['accept-encoding', ({ envelope }) => envelope.request?.acceptEncoding],
  ['authorization', ({ envelope }) => envelope.request?.hadAuthorization],
  ['cookies', ({ envelope }) => envelope.request?.hadCookies],
];

export const runnerContextDrift: Rule = {
  code: 'RUNNER_CONTEXT_DRIFT',
  version: 2,
  title: 'The sides were probed differently',
  about:
    'The runner, region, address family or request differs between the sides. Info that puts other findings into perspective.',
  recommendation:
    'Probe both sides from the same place with the same request if other findings look unlikely.',
  inputs: ['outcome'],
  grouped: (count) => `The sides were probed differently in ${count} ways`,
  compare(left, right) {
    return differencesOf(FIELDS, ([key, read]) => {
      const a = read(left) ?? null;
      const b = read(right) ?? null;
      // A value that only one envelope has is unknown for the other.
      if (a === b || a === null || b === null) return undefined;
      return {
        section: 'request',
        key,
        left: a,
        right: b,
        severity: 'info',
        direction: presence(a, b),
        message: `The probes differ in ${key}: ${a} for ${NAME.left} and ${b} for ${NAME.right}`,
      };
    });
  },
};
