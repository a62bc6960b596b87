/** Records for the Worker. Each call goes to the object of the tenant that it names. */
import { type AppRecords, createAppRecords } from '../../../api/records.js';
import { RUN_CANCELED } from '../../../compare/index.js';
import { createWebhookKey, type JobNews } from '../../../jobs/index.js';
import { createPolicy, createRedactor } from '../../../net/index.js';
import { endRow } from '../../../workflows/index.js';
import { createRemoteComparisons } from '../compare/remote-comparisons.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeWebhookSender } from '../egress/edge-webhook-sender.js';
import { unlessGone, unwrap } from '../wire-faults.js';
import { recordPortsOf, recordsRpcOf } from './records-rpc.js';

/** The maximum wait for job events per call, so that a lost call is detected. */
const NEWS_MS = 10_000;

export function createRemoteRecords(env: EdgeEnv, settings: EdgeSettings): AppRecords {
  const { net, edge, jobs } = settings;
  const { jobs: queue, audits, suites, idempotency, webhooks } = recordPortsOf(env);
  const rows = { comparisons: createRemoteComparisons(env), suites };
  const webhookSender = createEdgeWebhookSender(settings);
  return createAppRecords({
    jobs: {
      store: queue,
      news: newsOf(env),
      clock: Date.now,
      maxAttempts: jobs.maxAttempts,
      onCancel: (job) => endRow(job, rows, RUN_CANCELED),
    },
    tenants: {
      async bySlug(slug) {
        return edge.tenants.has(slug) ? unwrap(recordsRpcOf(env, slug).tenant(slug)) : undefined;
      },
    },
    idempotency,
    audits,
    webhooks: {
      store: webhooks,
      key: createWebhookKey(jobs.webhookSecret ?? edge.keyFor('sonde webhooks of tenants')),
      refusal: (url) => webhookSender.refusal(url),
    },
    policy: createPolicy(net),
    redactor: createRedactor(),
  });
}

/** Readers wait in the tenant's object, which wakes them. */
function newsOf(env: EdgeEnv): JobNews {
  return {
    async wait({ tenantId, ...job }, _ms, signal) {
      if (signal.aborted) return;
      await unlessGone(unwrap(recordsRpcOf(env, tenantId).awaitNews(job, NEWS_MS)), signal, undefined);
    },
  };
}
