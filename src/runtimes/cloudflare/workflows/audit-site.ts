/** The Workflow of audits. It runs the steps of `workflows/audit-site` as steps of the platform, and the hello job. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { readDocument } from '../../../audits/extract/index.js';
import type { AuditPorts, FetchBounds } from '../../../audits/index.js';
import { createHelloHandler, pause } from '../../../jobs/index.js';
import { timerTurn } from '../../../loop-turns.js';
import { createRedactor, type OutboundClient } from '../../../net/index.js';
import { createAuditHandler } from '../../../workflows/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { createEdgeClient } from '../egress/edge-client.js';
import { recordPortsOf } from '../records/records-rpc.js';
import { runJob } from './run-job.js';
import type { RunParams } from './workflow-runs.js';

export class AuditSite extends WorkflowEntrypoint<EdgeEnv, RunParams> {
  override async run(event: Readonly<WorkflowEvent<RunParams>>, step: WorkflowStep): Promise<void> {
    const { env } = this;
    const { tenant } = event.payload;
    await runJob({
      env,
      params: event.payload,
      step,
      instance: event.instanceId,
      async handlerOf({ kind }, { edge, audit }) {
        const outbound = createEdgeClient(edge.net);
        if (kind === 'hello')
          return createHelloHandler({ fetch: (request) => outbound.fetch(request), clock: Date.now });
        const ports = auditPorts(outbound, audit);
        return createAuditHandler({ ports, store: recordPortsOf(env, tenant).audits, turn: timerTurn });
      },
    });
  }
}

/** The platform exposes neither TLS handshakes nor TXT records; rules that need them are not measured at the edge. */
function auditPorts({ egress }: OutboundClient, bounds: FetchBounds): AuditPorts {
  const redactor = createRedactor();
  return {
    egress,
    bounds,
    clock: { now: Date.now, sleep: pause },
    documents: { read: async (source) => readDocument(source, (text) => redactor.text(text)) },
    random: Math.random,
  };
}
