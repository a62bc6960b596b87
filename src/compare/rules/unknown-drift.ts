/**
 * Headers that differ and that no other rule judges, so that no difference goes unreported. Built from the claims of
 * all other rules, so it never repeats what one of them reports.
 */
import { EXTENDED_HEADER_NAMES } from '../../probe/index.js';
import { sameField } from '../compare-headers.js';
import { byKey } from '../differences.js';
import { without } from '../fields/code-unit-order.js';
import { type Difference, headerValues, presence, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import type { Severity } from '../severity.js';

/** Headers of one connection or one request; their presence does not depend on the deployment. */
const TRANSIENT = new Set([
  'age',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server-timing',
  'transfer-encoding',
  'x-cache-hits',
  'x-served-by',
  'x-runtime',
  'set-cookie',
  'location',
]);
const TRANSIENT_PATTERN =
  /(request|correlation|trace|transaction|span)-?id$|^traceparent$|^tracestate$|^x-b3-|trace-id|^x-timer$/;
const WARN_COUNT = 3;

export function createUnknownDrift(isClaimed: (name: string) => boolean): Rule {
  const judged = (name: string) => isClaimed(name) || TRANSIENT.has(name) || TRANSIENT_PATTERN.test(name);
  // Values are kept for listed headers only, so those that no rule claims are known in advance.
  const names = EXTENDED_HEADER_NAMES.filter((name) => !judged(name));
  return {
    code: 'UNKNOWN_DRIFT',
    version: 2,
    title: 'Unclassified headers differ',
    about:
      'A header that no other rule covers differs or is on one side only. Info; a warning from three headers. Headers that belong to one connection or request are ignored.',
    recommendation: 'Check the header; if the difference is expected, ignore it with --ignore.',
    inputs: ['headers.core'],
    grouped: (count) => `${count} unclassified headers differ`,
    compare(left, right) {
      const found = [...valued(left, right, names), ...named(left, right, judged)];
      const severity: Severity = found.length >= WARN_COUNT ? 'warn' : 'info';
      return byKey(found.map((one) => ({ ...one, severity })));
    },
  };
}

type Unjudged = Omit<Difference, 'severity'>;

function valued(left: SampleView, right: SampleView, names: readonly string[]): Unjudged[] {
  if (!left.covers('headers.extended') || !right.covers('headers.extended')) return [];
  return names
    .filter((name) => !sameField(left, right, name))
    .map((name) => difference(name, left.text(name), right.text(name)));
}

/** For all other headers only the names are known. */
function named(left: SampleView, right: SampleView, judged: (name: string) => boolean): Unjudged[] {
  if (!left.covers('headers.names') || !right.covers('headers.names')) return [];
  const a = left.response?.headers.otherNames ?? [];
  const b = right.response?.headers.otherNames ?? [];
  // Nearly all names are on both sides and need no check.
  return [
    ...without(a, b).flatMap((name) => (judged(name) ? [] : [difference(name, '(present)', null)])),
    ...without(b, a).flatMap((name) => (judged(name) ? [] : [difference(name, null, '(present)')])),
  ];
}

function difference(name: string, left: string | null, right: string | null): Unjudged {
  return { ...headerValues(name, left, right), direction: presence(left, right) };
}
