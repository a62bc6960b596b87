/** One case of the corpus: how both sides respond, and what must be found with either of them as the candidate. */
import type { FindingCode, Severity } from '../../../src/compare/index.js';
import type { Side } from '../../../src/probe/index.js';
import type { DriftCase, Responder } from './drift-case.js';

export interface Expected {
  readonly severity: Severity;
  /** With `--fail-on critical`. */
  readonly exit: 0 | 1 | 3;
  /** With `--fail-on warn`; derived from the severity by default. */
  readonly strictExit?: 0 | 1;
}

export interface CorpusDrift extends Pick<DriftCase, 'tls' | 'http' | 'samples' | 'at' | 'robots'> {
  readonly code: FindingCode;
  readonly worse: Responder;
  readonly better: Responder;
  /** Which listener serves the worse side: only the right one has other certificates. */
  readonly worseSide: Side;
  /** With the worse side as the candidate, and with the better one. */
  readonly expected: Expected;
  readonly mirrored: Expected;
}

export type CorpusDrifts = Readonly<Record<string, CorpusDrift>>;

type More = Partial<
  Pick<CorpusDrift, 'tls' | 'http' | 'samples' | 'at' | 'robots' | 'worseSide' | 'mirrored' | 'expected'>
>;

const EXITS: Readonly<Record<Severity, 0 | 1>> = { critical: 1, warn: 0, info: 0 };
const expectedOf = (severity: Severity): Expected => ({ severity, exit: EXITS[severity] });

/** A difference that is worse on one side: full severity there, info with the sides swapped. */
export const worse = (
  code: FindingCode,
  severity: Severity,
  [bad, good]: readonly [bad: Responder, good: Responder],
  more: More = {},
): CorpusDrift => ({
  code,
  worse: bad,
  better: good,
  worseSide: 'left',
  expected: expectedOf(severity),
  mirrored: expectedOf('info'),
  ...more,
});

/** A difference without a better side: the same severity both ways. */
export const changed = (
  code: FindingCode,
  severity: Severity,
  sides: readonly [Responder, Responder],
  more: More = {},
): CorpusDrift => worse(code, severity, sides, { mirrored: expectedOf(severity), ...more });
