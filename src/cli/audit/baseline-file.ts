/**
 * The baseline file of an audit: accepted findings, identified by rule, path and value. An expired baseline hides
 * nothing, so that nobody relies on it by accident.
 */
import type { AcceptedFinding } from '../../audits/index.js';
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import type { Files } from '../ports.js';

const KIND = 'sonde-audit-baseline';
const BYTES_MAX = 16 * 1024 * 1024;
const ACCEPTED_DAYS = 90;
const DAY_MS = 86_400_000;

export interface AuditBaseline {
  /** The last day on which the baseline is valid, ISO 8601. */
  readonly expires: string;
  readonly findings: readonly AcceptedFinding[];
}

export async function readBaseline(files: Files, name: string): Promise<AuditBaseline> {
  const parsed = parseJson(await files.readText(name, { bytesMax: BYTES_MAX }));
  if (!parsed.ok) throw new SondeError('USAGE', `${name}:${parsed.line}:${parsed.column} is not valid JSON`);
  const value = parsed.value as Partial<Record<'kind' | 'expires' | 'findings', unknown>> | null;
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
  const expires = new Date(Date.parse(measuredAt) + ACCEPTED_DAYS * DAY_MS).toISOString().slice(0, 10);
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
