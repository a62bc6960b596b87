/**
 * The factual sections of a diff: the values of both sides next to each other, without judgement. Every map is built in
 * code-unit order of its keys, so that serializing is deterministic.
 */
import type { Mutable } from '../mutable.js';
import { CF_FIELDS, type CfContext, CORE_HEADER_NAMES } from '../probe/index.js';
import { sameField } from './compare-headers.js';
import type { Change, EnvDiff, HeaderDiff } from './env-diff.js';
import { rayColo } from './fields/cf-ray.js';
import { sortedSet } from './fields/code-unit-order.js';
import { median, rankSumShift } from './rank-sum.js';
import type { SampleView } from './sample-view.js';

export function change<T extends string | number>(
  left: T | undefined,
  right: T | undefined,
  changed = left !== right,
): Change<T> {
  if (left === undefined) return right === undefined ? { changed } : { right, changed };
  return right === undefined ? { left, changed } : { left, right, changed };
}

export function outcomeDiff(left: SampleView, right: SampleView): EnvDiff['probe'] {
  const leftOk = left.envelope.result.ok;
  const rightOk = right.envelope.result.ok;
  const outcomeChanged = outcomeOf(left) !== outcomeOf(right);
  const responsePresent = left.response !== undefined && right.response !== undefined;
  if (!left.error && !right.error) return { leftOk, rightOk, outcomeChanged, responsePresent };
  return {
    leftOk,
    rightOk,
    ...(left.error && { leftErrorCode: left.error.code }),
    ...(right.error && { rightErrorCode: right.error.code }),
    outcomeChanged,
    responsePresent,
  };
}

function outcomeOf({ envelope, error }: SampleView): string {
  return error?.code ?? (envelope.result.ok ? 'ok' : 'http_error');
}

export function headersDiff(left: SampleView, right: SampleView): EnvDiff['headers'] {
  const sides = { left, right };
  const a = left.response?.headers;
  const b = right.response?.headers;
  if (!a || !b) return undefined;
  const core = familyDiff(
    sides,
    CORE_HEADER_NAMES.filter((name) => a.core[name] !== undefined || b.core[name] !== undefined),
  );
  const accessControl = familyDiff(sides, namesOf(a.accessControl, b.accessControl));
  // A side without extended headers was not probed for them; that is not a difference.
  const extended = a.extended && b.extended && familyDiff(sides, namesOf(a.extended, b.extended));
  if ([core, accessControl, extended].every((family) => !family || isSame(family))) return undefined;
  const headers: Mutable<NonNullable<EnvDiff['headers']>> = { core };
  if (hasAny(accessControl)) headers.accessControl = accessControl;
  if (extended && hasAny(extended)) headers.extended = extended;
  return headers;
}

function namesOf(a: object | undefined = {}, b: object | undefined = {}): readonly string[] {
  return sortedSet([...Object.keys(a), ...Object.keys(b)]);
}

function familyDiff(
  { left, right }: { readonly left: SampleView; readonly right: SampleView },
  names: readonly string[],
): HeaderDiff {
  const added: Record<string, string> = {};
  const removed: Record<string, string> = {};
  const changed: Record<string, { left: string; right: string }> = {};
  const unchanged: string[] = [];
  for (const name of names) {
    const [a, b] = [left.text(name), right.text(name)];
    if (b === null) removed[name] = a ?? '';
    else if (a === null) added[name] = b;
    else if (sameField(left, right, name)) unchanged.push(name);
    else changed[name] = { left: a, right: b };
  }
  return { added, removed, changed, unchanged };
}

function isSame({ added, removed, changed }: HeaderDiff): boolean {
  return isEmpty(added) && isEmpty(removed) && isEmpty(changed);
}

function isEmpty(map: object): boolean {
  for (const _ in map) return false;
  return true;
}

function hasAny(family: HeaderDiff): boolean {
  return !isSame(family) || family.unchanged.length > 0;
}

export function redirectsDiff(left: SampleView, right: SampleView): EnvDiff['redirects'] {
  if (left.redirects.length === 0 && right.redirects.length === 0) return undefined;
  const chain = (view: SampleView) =>
    view.redirects.map((hop) => `${hop.status} ${view.map(hop.toUrl)}`).join('\n');
  return {
    left: left.redirects,
    right: right.redirects,
    hopCount: change(left.redirects.length, right.redirects.length),
    chainChanged: chain(left) !== chain(right),
  };
}

export function contentDiff(left: SampleView, right: SampleView): EnvDiff['content'] {
  const a = left.response;
  const b = right.response;
  if (!a || !b) return undefined;
  const content: Mutable<NonNullable<EnvDiff['content']>> = {};
  const types = [left.lines('content-type')?.[0], right.lines('content-type')?.[0]] as const;
  if (types[0] !== undefined || types[1] !== undefined) {
    content.contentType = change(types[0], types[1], !sameField(left, right, 'content-type'));
  }
  const bytes = [left.envelope.body?.bytes, right.envelope.body?.bytes] as const;
  if (bytes[0] !== undefined && bytes[1] !== undefined) content.contentLength = change(bytes[0], bytes[1]);
  const hash = [left.envelope.body?.sha256 ?? a.bodyHash, right.envelope.body?.sha256 ?? b.bodyHash] as const;
  if (hash[0] !== undefined && hash[1] !== undefined) content.bodyHash = change(hash[0], hash[1]);
  return isEmpty(content) ? undefined : content;
}

export function durationsOf(samples: readonly SampleView[]): number[] {
  return samples
    .map(({ envelope, response }) => (response ? envelope.result.durationMs : undefined))
    .filter((duration) => duration !== undefined);
}

export function timingDiff(left: readonly SampleView[], right: readonly SampleView[]): EnvDiff['timing'] {
  const a = durationsOf(left);
  const b = durationsOf(right);
  if (a.length === 0 || b.length === 0) return undefined;
  const before = roundToTenths(median(a));
  const after = roundToTenths(median(b));
  const shift = rankSumShift(a, b);
  const durationMs = change(before, after);
  const deltaMs = roundToTenths(after - before);
  const samples = { left: a.length, right: b.length };
  const timing: Mutable<NonNullable<EnvDiff['timing']>> =
    before > 0
      ? { durationMs, ratio: Math.round((after / before) * 100) / 100, deltaMs, samples }
      : { durationMs, deltaMs, samples };
  if (shift) {
    const { estimate, low, high } = shift;
    timing.shift = {
      estimateMs: roundToTenths(estimate),
      lowMs: roundToTenths(low),
      highMs: roundToTenths(high),
    };
  }
  return timing;
}

/** Rounds to tenths: clocks are not more precise, and readers do not need more. */
export function roundToTenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function cfDiff(left: SampleView, right: SampleView): EnvDiff['cf'] {
  const a: CfContext = left.envelope.cf ?? {};
  const b: CfContext = right.envelope.cf ?? {};
  const fields: Record<string, Change<string | number>> = {};
  for (const field of CF_FIELDS) {
    if (a[field] !== undefined || b[field] !== undefined) fields[field] = change(a[field], b[field]);
  }
  const rays = [rayColo(left.lines('cf-ray')), rayColo(right.lines('cf-ray'))] as const;
  if (rays[0] !== undefined || rays[1] !== undefined) fields['rayColo'] = change(rays[0], rays[1]);
  return isEmpty(fields) ? undefined : (fields as EnvDiff['cf']);
}
