/**
 * Runs one audit in this process, for the command line: with its own egress, the record in memory, and steps that run
 * directly. A stopped audit is scored by what was recorded so far.
 */
import {
  type AuditReport,
  completeOptions,
  hasOpening,
  PART_NAMES,
  ProcessAuditRecord,
  RULES,
  scoreAudit,
} from '../../../audits/index.js';
import type { AuditRequest } from '../../../cli/ports.js';
import { createRedactor } from '../../../net/index.js';
import { auditSite } from '../../../workflows/index.js';
import { createOutboundClient } from '../net.js';
import { type AuditClientOptions, composeAudits } from './compose-audits.js';
import type { DocumentThreads } from './document-threads.js';

export async function runAudit(
  options: AuditClientOptions,
  request: AuditRequest,
  documents: DocumentThreads,
): Promise<AuditReport> {
  const { userAgent } = options;
  const { rules = RULES, signal } = request;
  const auditOptions = completeOptions({ ...(userAgent !== undefined && { userAgent }), ...request.options });
  const outbound = createOutboundClient(options);
  const audits = composeAudits(outbound, options, documents);
  const record = new ProcessAuditRecord();
  try {
    await auditSite(
      { url: request.url, options: auditOptions },
      { ports: audits.ports, record, rules },
      { steps: { do: (_name, _options, run) => run() }, signal, progress: request.progress },
    );
    return (await record.get(PART_NAMES.report)) as AuditReport;
  } catch (thrown) {
    if (!signal.aborted || !(await hasOpening(record))) throw thrown;
    const stopped = signal.reason instanceof Error ? signal.reason.message : 'stopped';
    return await scoreAudit(record, {
      ...{ rules, stopped, redactor: createRedactor() },
      pause: () => audits.ports.clock.sleep(0),
    });
  } finally {
    await audits.close();
    await outbound.close();
  }
}
