/**
 * Rules that differ only in their data: a field of the list means something else on each side, or only one side
 * sends it. One row a code; a code whose logic grows beyond this moves to a file of its own.
 */
import { sameField } from '../compare-headers.js';
import { differencesOf, joined } from '../differences.js';
import type { Severity } from '../finding.js';
import { type Difference, presence, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

interface FieldRow {
  readonly code: Rule['code'];
  readonly title: string;
  readonly about: string;
  readonly recommendation: string;
  readonly severity: Severity;
  readonly names: readonly string[];
  /** Facts of the page that say the same as a header would. */
  readonly page?: readonly (readonly [key: string, read: (view: SampleView) => string | undefined])[];
}

const ROWS: readonly FieldRow[] = [
  {
    code: 'CONTENT_LANGUAGE_DRIFT',
    title: 'Another language',
    about: 'Content-Language differs or is sent by one side only. A warning.',
    recommendation: 'Check the default locale and how the language is negotiated on each side.',
    severity: 'warn',
    names: ['content-language'],
  },
  {
    code: 'CROSS_ORIGIN_POLICY_DRIFT',
    title: 'Cross-origin isolation differs',
    about:
      'Cross-Origin-Opener-Policy, -Embedder-Policy or -Resource-Policy (or a report-only form) differs or is sent by one side only. A warning: popups, embeds and shared memory may work on one side only.',
    recommendation: 'Send the same three headers on both sides.',
    severity: 'warn',
    names: [
      'cross-origin-embedder-policy',
      'cross-origin-embedder-policy-report-only',
      'cross-origin-opener-policy',
      'cross-origin-opener-policy-report-only',
      'cross-origin-resource-policy',
    ],
  },
  {
    code: 'SERVER_STACK_DRIFT',
    title: 'Other software',
    about: 'Server, X-Powered-By and the like name other software or versions. Information.',
    recommendation: 'Run the same versions on both sides, and do not tell them to strangers.',
    severity: 'info',
    names: ['server', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator', 'x-powered-by'],
  },
  {
    code: 'BUILD_VERSION_DRIFT',
    title: 'Another build',
    about:
      'A header or meta element names another version, commit or release. Information that explains others.',
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

function metaVersion(
  metas: readonly { readonly name: string; readonly content: string }[],
): string | undefined {
  return metas.find(({ name }) =>
    /^(app-?|build-?|release-?)?(version|commit|revision|sha|build)$/i.test(name),
  )?.content;
}

export const fieldDriftRules: readonly Rule[] = ROWS.map((row) => ({
  code: row.code,
  version: 1,
  title: row.title,
  about: row.about,
  recommendation: row.recommendation,
  inputs: ['headers.extended'],
  claims: row.names,
  reads: row.names,
  ...(row.page && { parts: ['html' as const] }),
  compare: (left, right) =>
    joined(
      differencesOf(row.names, (name) =>
        sameField(left, right, name) ? undefined : difference(row, name, [left.text(name), right.text(name)]),
      ),
      differencesOf(row.page ?? [], ([key, read]) => {
        const a = read(left);
        const b = read(right);
        // A page that was not read says nothing.
        if (a === b || a === undefined || b === undefined) return undefined;
        return { ...difference(row, key, [a, b]), section: 'body' };
      }),
    ),
}));

function difference(
  row: FieldRow,
  key: string,
  [left, right]: readonly [string | null, string | null],
): Difference {
  return {
    section: 'headers',
    key,
    left,
    right,
    severity: row.severity,
    direction: presence(left, right),
    message: `${key} is ${left ?? 'absent'} on the left and ${right ?? 'absent'} on the right`,
  };
}
