/** Compares what the egress layer did with what a case expects. Pure: the same observations give the same verdict. */
import type { OutboundResult } from '../follow-redirects.js';
import type { EgressCase } from './egress-case.js';

/** What the scripted network recorded while a case ran. */
export interface CaseObservations {
  /** One per request, in order. */
  readonly results: readonly OutboundResult[];
  readonly connected: readonly string[];
  readonly lookups: number;
  /** The last request that reached the network. */
  readonly lastHop?: { readonly method: string; readonly headerNames: readonly string[] };
}

export type CaseOutcome = 'allow' | 'block' | 'error';

export interface CaseVerdict {
  readonly id: string;
  readonly expect: 'allow' | 'block';
  /** `error` if a request failed for a reason other than a refusal. */
  readonly got: CaseOutcome;
  readonly pass: boolean;
  /** The last request's error code. */
  readonly code: string | null;
  /** The assertions that did not hold. */
  readonly faults: readonly string[];
}

const REFUSALS = /^(?:invalid_url|ssrf_blocked|dns_error|redirect_\w+)$/;

export function judgeEgressCase(test: EgressCase, seen: CaseObservations): CaseVerdict {
  const last = seen.results.at(-1);
  const got = outcome(last);
  const faults = CHECKS.flatMap((check) => check(test, seen) ?? []);
  return {
    id: test.id,
    expect: test.expect,
    got,
    pass: got === test.expect && faults.length === 0,
    code: last && !last.ok ? last.error.code : null,
    faults,
  };
}

function outcome(result: OutboundResult | undefined): CaseOutcome {
  if (!result) return 'error';
  if (result.ok) return 'allow';
  return REFUSALS.test(result.error.code) ? 'block' : 'error';
}

type Check = (test: EgressCase, seen: CaseObservations) => string | readonly string[] | undefined;

const CHECKS: readonly Check[] = [
  ({ assert }, { lastHop }) =>
    assert.lastHopHas
      ?.filter((name) => !lastHop?.headerNames.includes(name))
      .map((name) => `lastHopHas ${name}`),
  ({ assert }, { lastHop }) =>
    assert.lastHopLacks
      ?.filter((name) => lastHop?.headerNames.includes(name))
      .map((name) => `lastHopLacks ${name}`),
  ({ assert }, { lastHop }) =>
    assert.lastMethod !== undefined && lastHop?.method !== assert.lastMethod
      ? `lastMethod ${assert.lastMethod}, was ${lastHop?.method}`
      : undefined,
  ({ assert }, { connected }) =>
    assert.connectOnly &&
    connected
      .filter((address) => !assert.connectOnly?.includes(address))
      .map((address) => `connectOnly: ${address}`),
  ({ assert }, { connected }) =>
    assert.neverConnect
      ?.filter((address) => connected.includes(address))
      .map((address) => `neverConnect ${address}`),
  ({ assert }, { lookups }) =>
    assert.maxLookups !== undefined && lookups > assert.maxLookups
      ? `maxLookups ${assert.maxLookups}, were ${lookups}`
      : undefined,
  ({ assert }, { results }) =>
    assert.firstRequest !== undefined && outcome(results[0]) !== assert.firstRequest
      ? `firstRequest ${assert.firstRequest}, was ${outcome(results[0])}`
      : undefined,
];
