/**
 * Rules for differences to ignore, written as `CODE`, `CODE:KEY` or `CODE:KEY@PATH`. `*` stands for any run of
 * characters, also in the code (`CACHE_*`). The key is a header name, a JSON pointer or a cookie name; the path is the
 * exact path or the route. An ignored difference stays visible as suppressed, but does not count.
 */
import { SondeError } from '../errors.js';
import { FINDING_CODES, type FindingCode } from './finding-codes.js';
import { compileGlob, type Glob, matchesGlob } from './glob.js';
import type { Difference } from './rule.js';

export interface IgnoreRule {
  /** A finding code, or a pattern that matches at least one. */
  readonly code: string;
  readonly key?: string;
  readonly path?: string;
}

export const IGNORE_RULES_MAX = 200;
const TEXT_MAX = 500;

const SYNTAX = /^([A-Z_*]+)(?::([^@]+))?(?:@(.+))?$/;
const CODES = Object.keys(FINDING_CODES);

export function readIgnoreRule(text: string): IgnoreRule {
  const match = text.length > TEXT_MAX ? null : SYNTAX.exec(text.trim());
  if (!match?.[1]) throw refused(text, 'does not have the form CODE, CODE:KEY or CODE:KEY@PATH');
  const [, code = '', key, path] = match;
  if (!CODES.some((known) => matchesGlob(code, known)))
    throw refused(text, `matches no finding code: ${code}`);
  if (/^\*+$/.test(code) && key === undefined && path === undefined)
    throw refused(text, 'would ignore everything');
  return { code, ...(key !== undefined && { key }), ...(path !== undefined && { path }) };
}

export function readIgnoreRules(texts: readonly string[]): readonly IgnoreRule[] {
  if (texts.length > IGNORE_RULES_MAX) {
    throw new SondeError('INVALID_REQUEST', `ignore: at most ${IGNORE_RULES_MAX} rules are allowed`, {
      details: { field: 'ignore', limit: IGNORE_RULES_MAX },
    });
  }
  return texts.map(readIgnoreRule);
}

function refused(text: string, why: string): SondeError {
  return new SondeError('INVALID_REQUEST', `ignore rule "${text.slice(0, 80)}" ${why}`, {
    details: { field: 'ignore' },
  });
}

/** Whether an ignore rule covers this difference. */
export type IgnoreDecision = (code: FindingCode, difference: Pick<Difference, 'key'>) => boolean;

/** The rules that apply to this path, as one predicate. A call costs the rules for its code times the key's length. */
export function ignoreDecision(
  rules: readonly IgnoreRule[],
  { route, path: ownPath }: { readonly route: string; readonly path: string },
): IgnoreDecision {
  const applying = rules.filter(({ path }) => {
    const matches = path === undefined ? undefined : compileGlob(path);
    return !matches || matches(route) || matches(ownPath);
  });
  if (applying.length === 0) return () => false;
  const globs = new Map<FindingCode, readonly Glob[]>();
  return (code, { key }) => {
    const known = globs.get(code) ?? keyGlobs(applying, code);
    globs.set(code, known);
    return known.some((matches) => matches(key));
  };
}

/** The distinct patterns of keys that are ignored for this code. */
function keyGlobs(rules: readonly IgnoreRule[], code: FindingCode): readonly Glob[] {
  const keys = rules.filter((rule) => matchesGlob(rule.code, code)).map(({ key }) => key);
  if (keys.includes(undefined)) return [() => true];
  return [...new Set(keys)].map((key = '*') => compileGlob(key));
}
