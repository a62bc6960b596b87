/**
 * Rules that differ only in their data: a listed field differs in meaning, or only one side sends it. One row per code;
 * a code that needs more logic gets its own file.
 */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import type { Direction } from '../finding.js';
import { type Difference, headerValues, presence, type Rule, weakerBelow, weakerWithout } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import type { Severity } from '../severity.js';

interface FieldRow extends Pick<Rule, 'code' | 'title' | 'about' | 'recommendation'> {
  readonly severity: Severity;
  readonly names: readonly string[];
  /** Which side is worse off; by default neither. */
  readonly direction?: (left: string | null, right: string | null) => Direction;
  /** Facts of the page that are equivalent to a header. */
  readonly page?: readonly (readonly [key: string, read: (view: SampleView) => string | undefined])[];
}

const ROWS: readonly FieldRow[] = [
  {
    code: 'CONTENT_LANGUAGE_DRIFT',
    title: 'Content language differs',
    about: 'Content-Language differs or is missing on the candidate. Warning.',
    recommendation: 'Check the default locale and how the language is negotiated on each side.',
    severity: 'warn',
    names: ['content-language'],
    direction: weakerWithout,
  },
  {
    code: 'CROSS_ORIGIN_POLICY_DRIFT',
    title: 'Cross-origin isolation differs',
    about:
      'Cross-Origin-Opener-Policy, -Embedder-Policy or -Resource-Policy is weaker on the candidate or missing there. Warning: popups, embeds and shared memory may work on one side only. A report-only form changes nothing for visitors, so a difference in it is info.',
    recommendation: 'Send the same three headers on both sides.',
    severity: 'warn',
    names: [
      'cross-origin-embedder-policy',
      'cross-origin-embedder-policy-report-only',
      'cross-origin-opener-policy',
      'cross-origin-opener-policy-report-only',
      'cross-origin-resource-policy',
    ],
    direction: (left, right) => weakerBelow(isolation(left), isolation(right)),
  },
  {
    code: 'SERVER_STACK_DRIFT',
    title: 'Server software differs',
    about: 'Server, X-Powered-By and similar headers show different software or versions. Info.',
    recommendation: 'Run the same versions on both sides, and do not announce them.',
    severity: 'info',
    names: ['server', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-powered-by'],
  },
  {
    code: 'BUILD_VERSION_DRIFT',
    title: 'Build version differs',
    about:
      'A header or meta element shows a different version, commit or release. Info that may explain other findings.',
    recommendation: 'Compare again once both sides run the same build.',
    severity: 'info',
    names: [
      'x-build',
      'x-build-id',
      'x-commit',
      'x-deployment-id',
      'x-git-sha',
      'x-release',
      'x-revision',
      'x-version',
    ],
    page: [
      ['meta generator', ({ envelope }) => envelope.body?.html?.generator],
      ['meta version', ({ envelope }) => metaVersion(envelope.body?.html?.metas ?? [])],
    ],
  },
];

/** How much a cross-origin policy isolates, whichever of the three it is. */
const ISOLATION: Readonly<Record<string, number>> = {
  'same-origin': 3,
  'require-corp': 3,
  'same-site': 2,
  'same-origin-allow-popups': 2,
  credentialless: 2,
  'noopener-allow-popups': 1,
};

function isolation(value: string | null): number {
  return ISOLATION[value?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 0;
}

function metaVersion(
  metas: readonly { readonly name: string; readonly content: string }[],
): string | undefined {
  return metas.find(({ name }) =>
    /^(app-?|build-?|release-?)?(version|commit|revision|sha|build)$/i.test(name),
  )?.content;
}

export const fieldDriftRules: readonly Rule[] = ROWS.map((row) => ({
  code: row.code,
  version: 2,
  title: row.title,
  about: row.about,
  recommendation: row.recommendation,
  inputs: ['headers.extended'],
  claims: row.names,
  compare: (left, right) => [
    ...differencesOf(row.names, (name) =>
      sameField(left, right, name) ? undefined : difference(row, name, [left.text(name), right.text(name)]),
    ),
    ...differencesOf(row.page ?? [], ([key, read]) => {
      const a = read(left);
      const b = read(right);
      // A page that was not read has no value to compare.
      if (a === b || a === undefined || b === undefined) return undefined;
      return { ...difference(row, key, [a, b]), section: 'body' };
    }),
  ],
}));

function difference(
  row: FieldRow,
  key: string,
  [left, right]: readonly [string | null, string | null],
): Difference {
  return {
    ...headerValues(key, left, right),
    severity: key.endsWith('-report-only') ? 'info' : row.severity,
    direction: row.direction?.(left, right) ?? presence(left, right),
  };
}
