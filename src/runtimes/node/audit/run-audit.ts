/** One audit in this process, for the command line: a door of its own, the record in memory, steps run at once. */
import { type AuditReport, completeOptions, PART_NAMES, ProcessAuditRecord } from '../../../audits/index.js';
import type { AuditRequest } from '../../../cli/ports.js';
import { auditSite } from '../../../workflows/index.js';
import { createDoor } from '../net.js';
import { type AuditDoorOptions, composeAudits } from './compose-audits.js';
import type { DocumentThreads } from './document-threads.js';

export async function runAudit(
  options: AuditDoorOptions,
  request: AuditRequest,
  documents: DocumentThreads,
): Promise<AuditReport> {
  const { userAgent } = options;
  const asked = completeOptions({ ...(userAgent !== undefined && { userAgent }), ...request.options });
  const door = createDoor(options);
  const audits = composeAudits(door, options, documents);
  const record = new ProcessAuditRecord();
  try {
    await auditSite(
      { url: request.url, options: asked },
      { ports: audits.ports, record },
      { steps: { do: (_name, _options, run) => run() }, signal: request.signal, progress: request.progress },
    );
    return (await record.get(PART_NAMES.report)) as AuditReport;
  } finally {
    await audits.close();
    await door.close();
  }
}
