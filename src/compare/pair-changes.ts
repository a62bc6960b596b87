/**
 * What differs at all between two samples, found in one pass before any rule is asked: headers by name, and a few
 * whole parts. Nearly all of a pair is alike, and a rule that reads only what is alike has nothing to say.
 */
import type { CookieFacts } from '../probe/index.js';
import { sameField, sameLines } from './compare-headers.js';
import { without } from './fields/code-unit-order.js';
import type { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

/** `presence`: one side has it; `value`: it means something else; `text`: a volatile field is written otherwise. */
export type HeaderChange = 'presence' | 'value' | 'text';

export type HeaderChanges = ReadonlyMap<string, HeaderChange>;

export function headerChanges(left: SampleView, right: SampleView): HeaderChanges {
  const changes = new Map<string, HeaderChange>();
  let onlyRight = right.headerCount;
  left.eachHeader((name, lines) => {
    const others = right.lines(name);
    if (others === undefined) {
      changes.set(name, 'presence');
      return;
    }
    onlyRight--;
    if (sameLines(lines, others)) return;
    if (VOLATILE_HEADERS.has(name)) changes.set(name, 'text');
    else if (!sameField(left, right, name)) changes.set(name, 'value');
  });
  if (onlyRight > 0) {
    right.eachHeader((name) => {
      if (left.lines(name) === undefined) changes.set(name, 'presence');
    });
  }
  const a = left.response?.headers.otherNames ?? [];
  const b = right.response?.headers.otherNames ?? [];
  if (sameLines(a, b)) return changes;
  for (const name of without(a, b)) changes.set(name, 'presence');
  for (const name of without(b, a)) changes.set(name, 'presence');
  return changes;
}

/** Parts of an answer besides headers; each is looked at only as far as is needed to call it alike. */
export const RULE_PARTS = {
  cookies: (left, right) => sameCookies(left, right),
  failure: ({ error: a }, { error: b }) => a === undefined && b === undefined,
  'final-url': (left, right) => sameFinalUrl(left, right),
  html: ({ envelope: a }, { envelope: b }) => a.body?.html === undefined && b.body?.html === undefined,
  markers: ({ envelope: a }, { envelope: b }) => isEmpty(a.body?.markers) && isEmpty(b.body?.markers),
  redirects: ({ redirects: a }, { redirects: b }) => a.length === 0 && b.length === 0,
  resources: ({ envelope: a }, { envelope: b }) => isEmpty(a.resources) && isEmpty(b.resources),
  status: ({ response: a }, { response: b }) => a?.status === b?.status,
} as const satisfies Readonly<Record<string, (left: SampleView, right: SampleView) => boolean>>;

export type RulePart = keyof typeof RULE_PARTS;

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}

function sameFinalUrl(left: SampleView, right: SampleView): boolean {
  const a = left.response?.finalUrl;
  const b = right.response?.finalUrl;
  return a !== undefined && b !== undefined && left.sameMapped(a, right, b);
}

function sameCookies(left: SampleView, right: SampleView): boolean {
  const a = left.envelope.cookies ?? [];
  const b = right.envelope.cookies ?? [];
  return a.length === b.length && a.every((cookie, at) => sameCookie(cookie, b[at], [left, right]));
}

function sameCookie(
  a: CookieFacts,
  b: CookieFacts | undefined,
  [left, right]: readonly [SampleView, SampleView],
): boolean {
  if (!b || a.name !== b.name || a.secure !== b.secure || a.httpOnly !== b.httpOnly) return false;
  if (a.sameSite !== b.sameSite || a.path !== b.path || a.lifetimeSeconds !== b.lifetimeSeconds) return false;
  return a.domain === b.domain || left.sameMapped(a.domain ?? '', right, b.domain ?? '');
}
