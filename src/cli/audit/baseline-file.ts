/**
 * The baseline file of an audit: accepted findings, identified by rule, path and value. An expired baseline hides
 * nothing, so that nobody relies on it by accident.
 */
import type { AcceptedFinding } from '../../audits/index.js';
import { SondeError } from '../../errors.js';
import { acceptedUntil, readAcceptedFile } from '../accepted-file.js';
import type { Files } from '../ports.js';

const KIND = 'sonde-audit-baseline';

export interface AuditBaseline {
  /** The last day on which the baseline is valid, ISO 8601. */
  readonly expires: string;
  readonly findings: readonly AcceptedFinding[];
}

export async function readBaseline(files: Files, name: string): Promise<AuditBaseline> {
  const value = (await readAcceptedFile(files, name)) as Partial<
    Record<'kind' | 'expires' | 'findings', unknown>
  > | null;
  if (value?.kind !== KIND || typeof value.expires !== 'string' || !Array.isArray(value.findings))
    throw new SondeError('USAGE', `${name} is not an audit baseline; create one with --write-baseline`);
  if (!value.findings.every(isAccepted))
    throw new SondeError('USAGE', `${name}: every finding needs rule, observed and paths`);
  return { expires: value.expires, findings: value.findings };
}

export async function writeBaseline(
  files: Files,
  name: string,
  { measuredAt, findings }: { readonly measuredAt: string; readonly findings: readonly AcceptedFinding[] },
): Promise<AuditBaseline> {
  const expires = acceptedUntil(Date.parse(measuredAt));
  const baseline = { schemaVersion: 1, kind: KIND, expires, findings };
  await files.writeText(name, `${JSON.stringify(baseline, null, 2)}\n`);
  return baseline;
}

function isAccepted(value: unknown): value is AcceptedFinding {
  const { rule, element, observed, paths } = (value ?? {}) as Partial<Record<keyof AcceptedFinding, unknown>>;
  return (
    typeof rule === 'string' &&
    typeof observed === 'string' &&
    (element === undefined || typeof element === 'string') &&
    Array.isArray(paths) &&
    paths.every((path) => typeof path === 'string')
  );
}
