/**
 * `--rules` and `--ignore`: which rules run and which findings are hidden. A pattern is a rule id in which `*` matches
 * any characters. `--ignore` also accepts `RULE@PATH`; without a path, the rule does not run at all.
 */
import type { Rule } from '../../audits/index.js';
import { compileGlob, type Glob, matchesGlob } from '../../compare/glob.js';
import { SondeError } from '../../errors.js';

export interface RuleSelection {
  readonly rules: readonly Rule[];
  isIgnored(rule: string, path: string): boolean;
}

const PATTERNS_MAX = 200;

export function selectRules(
  all: readonly Rule[],
  given: { readonly rules?: readonly string[] | undefined; readonly ignore?: readonly string[] | undefined },
): RuleSelection {
  const only = split(given.rules ?? []);
  const ignored = split(given.ignore ?? []).map((text) => {
    const at = text.indexOf('@');
    return at < 0 ? { rule: text, path: undefined } : { rule: text.slice(0, at), path: text.slice(at + 1) };
  });
  if (only.length + ignored.length > PATTERNS_MAX)
    throw new SondeError('USAGE', `--rules and --ignore take at most ${PATTERNS_MAX} patterns together`);
  for (const pattern of only) refuseUnknown(all, '--rules', pattern);
  for (const { rule, path } of ignored) {
    refuseUnknown(all, '--ignore', rule);
    if (path === '') throw new SondeError('USAGE', `--ignore ${rule}@ needs a path after the @`);
  }
  const isSkipped = (id: string) =>
    ignored.some(({ rule, path }) => path === undefined && matchesGlob(rule, id));
  const rules = all.filter(
    ({ id }) => (only.length === 0 || only.some((pattern) => matchesGlob(pattern, id))) && !isSkipped(id),
  );
  if (rules.length === 0) throw new SondeError('USAGE', '--rules and --ignore leave no rule to run');
  const ignoredPaths = new Map<string, readonly Glob[]>();
  return {
    rules,
    isIgnored(id, path) {
      const globs = ignoredPaths.get(id) ?? pathGlobs(ignored, id);
      ignoredPaths.set(id, globs);
      return globs.some((matches) => matches(path));
    },
  };
}

/** The patterns of paths on which findings of this rule are hidden. */
function pathGlobs(
  ignored: readonly { readonly rule: string; readonly path: string | undefined }[],
  id: string,
): readonly Glob[] {
  return ignored.flatMap(({ rule, path }) =>
    path !== undefined && matchesGlob(rule, id) ? [compileGlob(path)] : [],
  );
}

function split(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function refuseUnknown(all: readonly Rule[], option: string, pattern: string): void {
  if (all.some(({ id }) => matchesGlob(pattern, id))) return;
  const family = all.filter(({ id }) => id.split('.')[0] === pattern.split('.')[0]).map(({ id }) => id);
  const hint =
    family.length > 0 ? `; similar rules: ${family.join(', ')}` : '; docs/audit-rules lists all rules';
  throw new SondeError('USAGE', `${option} names the unknown rule ${JSON.stringify(pattern)}${hint}`);
}
