/** `sonde audit --server`: runs the audit as a durable job on a server and waits for its report. */
import type { AuditView } from '../../api/views/audit.js';
import type { AuditOptions, AuditReport } from '../../audits/index.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { type CliContext, printNote } from '../cli-context.js';
import { followWork, jsonCall, type ServerWork } from '../server-job.js';
import { callJson } from '../server-json.js';

const SCOPE = ['audit:read', 'audit:write'] as const;

export async function auditOnServer(
  context: CliContext,
  settings: Settings,
  request: {
    readonly url: string;
    readonly options: Partial<AuditOptions>;
    readonly progress: ServerWork['progress'];
  },
): Promise<AuditReport> {
  const { ownSite, ...options } = request.options;
  if (ownSite)
    throw new SondeError('USAGE', '--own-site cannot be used with --server; run the audit without --server');
  const body = { url: request.url, ...options };
  const created: AuditView = await callJson(context, settings, jsonCall('/api/audits', SCOPE, body));
  const { auditId } = created;
  const path = `/api/audits/${auditId}`;
  await printNote(context, `audit ${auditId} at ${settings.client.server}`);
  await followWork(context, { settings, path, scope: SCOPE, progress: request.progress });
  const read = <T>(rest: string): Promise<T> =>
    callJson(context, settings, { method: 'GET', path: `${path}${rest}`, scope: SCOPE });
  const { status, lastError } = await read<AuditView>('');
  if (status !== 'done')
    throw new SondeError('fetch_error', `the audit ended as ${status}: ${lastError ?? 'no reason given'}`);
  return read<AuditReport>('/report?format=json');
}
