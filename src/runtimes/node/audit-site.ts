/**
 * `sonde/audit`: audits a site in this process, as `sonde audit` does. A start URL that does not respond, an option
 * out of range and an abort reject; anything else about the site is in the report.
 */
import type { AuditOptions, AuditReport } from '../../audits/public.js';
import { createDocumentThreads } from './audit/document-threads.js';
import { runAudit } from './audit/run-audit.js';
import type { OutboundOptions } from './net.js';

export * from '../../audits/public.js';

export interface AuditSiteOptions extends Partial<AuditOptions>, Omit<OutboundOptions, 'userAgent'> {
  readonly signal?: AbortSignal;
  onProgress?(progress: { readonly percent: number; readonly message: string }): void;
}

export async function auditSite(url: string, options: AuditSiteOptions = {}): Promise<AuditReport> {
  const { signal = new AbortController().signal, onProgress, ...rest } = options;
  const { allowPrivate, ownPorts, connectTo, ca, dnsServers, connectionsPerOrigin, ...unsettled } = rest;
  const { fetch, resolver, ...auditOptions } = unsettled;
  const net = { allowPrivate, ownPorts, connectTo, ca, dnsServers, connectionsPerOrigin, fetch, resolver };
  const given = Object.fromEntries(Object.entries(net).filter(([, value]) => value !== undefined));
  signal.throwIfAborted();
  // In dist/, all entry points are in the same folder.
  const documents = createDocumentThreads(new URL('./document-worker.js', import.meta.url));
  try {
    const report = await runAudit(
      given,
      { url, options: auditOptions, signal, progress: (event) => onProgress?.(event) },
      documents,
    );
    signal.throwIfAborted();
    return report;
  } finally {
    await documents.close();
  }
}
