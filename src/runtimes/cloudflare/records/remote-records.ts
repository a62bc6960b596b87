/** Records for the Worker. Each call goes to the object of the tenant that it names. */
import { type AppRecords, createAppRecords } from '../../../api/records.js';
import { createWebhookSender } from '../../../api/webhook-sender.js';
import { SondeError } from '../../../errors.js';
import { createWebhookKey, type JobNews, type QueueStore } from '../../../jobs/index.js';
import { createPolicy, createRedactor } from '../../../net/index.js';
import { CANCELED, endRow } from '../../../workflows/index.js';
import { createRemoteComparisons } from '../compare/remote-comparisons.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeClient } from '../egress/edge-client.js';
import { unwrap } from '../wire-faults.js';
import { recordPortsOf, recordsRpcOf } from './records-rpc.js';
import { createRemoteSuites } from './remote-suites.js';

/** The maximum wait for job events per call, so that a lost call is detected. */
const NEWS_MS = 10_000;

export function createRemoteRecords(env: EdgeEnv, settings: EdgeSettings): AppRecords {
  const { net, edge, server, jobs } = settings;
  const of = (tenantId: string) => recordPortsOf(env, tenantId);
  const rows = { comparisons: createRemoteComparisons(env), suites: createRemoteSuites(env) };
  const webhookSender = createWebhookSender({
    net: { ...net, dohUrl: edge.dohUrl },
    openOutbound: createEdgeClient,
    openLoopback: server.auth === 'none',
  });
  return createAppRecords({
    jobs: {
      store: queueOf(env),
      news: newsOf(env),
      clock: Date.now,
      maxAttempts: jobs.maxAttempts,
      onCancel: (job) => endRow(job, rows, CANCELED),
    },
    tenants: {
      async bySlug(slug) {
        return edge.tenants.has(slug) ? unwrap(recordsRpcOf(env, slug).tenant(slug)) : undefined;
      },
    },
    idempotency: {
      begin: (request) => of(request.tenantId).idempotency.begin(request),
      finish: (owner, response) => of(owner.tenantId).idempotency.finish(owner, response),
      abandon: (owner) => of(owner.tenantId).idempotency.abandon(owner),
    },
    audits: {
      get: (tenantId, auditId) => of(tenantId).audits.get(tenantId, auditId),
      list: (tenantId, filter) => of(tenantId).audits.list(tenantId, filter),
      getPart: (audit, part) => of(audit.tenantId).audits.getPart(audit, part),
    },
    webhooks: {
      store: {
        create: (webhook, max) => of(webhook.tenantId).webhooks.create(webhook, max),
        get: (tenantId, webhookId) => of(tenantId).webhooks.get(tenantId, webhookId),
        list: (tenantId) => of(tenantId).webhooks.list(tenantId),
        remove: (tenantId, webhookId) => of(tenantId).webhooks.remove(tenantId, webhookId),
      },
      key: createWebhookKey(jobs.webhookSecret ?? edge.keyFor('sonde webhooks of tenants')),
      refusal: (url) => webhookSender.refusal(url),
    },
    policy: createPolicy(net),
    redactor: createRedactor(),
  });
}

function queueOf(env: EdgeEnv): QueueStore {
  const of = (tenantId: string) => recordPortsOf(env, tenantId).jobs;
  return {
    async enqueue(jobs) {
      const [first] = jobs;
      if (!first) return [];
      if (jobs.some(({ tenantId }) => tenantId !== first.tenantId)) {
        throw new SondeError('INTERNAL', 'jobs of two tenants cannot be enqueued in one call at the edge');
      }
      return of(first.tenantId).enqueue(jobs);
    },
    get: (tenantId, jobId) => of(tenantId).get(tenantId, jobId),
    list: (tenantId, filter) => of(tenantId).list(tenantId, filter),
    counts: (tenantId) => of(tenantId).counts(tenantId),
    cancel: (tenantId, jobId) => of(tenantId).cancel(tenantId, jobId),
    retry: (tenantId, jobId) => of(tenantId).retry(tenantId, jobId),
    remove: (tenantId, jobId) => of(tenantId).remove(tenantId, jobId),
    events: (tenantId, jobId, page) => of(tenantId).events(tenantId, jobId, page),
  };
}

/** Readers wait in the tenant's object, which wakes them. */
function newsOf(env: EdgeEnv): JobNews {
  return {
    async wait({ tenantId, ...job }, _ms, signal) {
      if (signal.aborted) return;
      let leave: () => void = () => undefined;
      const gone = new Promise<void>((resolve) => {
        leave = resolve;
        signal.addEventListener('abort', leave, { once: true });
      });
      try {
        await Promise.race([gone, unwrap(recordsRpcOf(env, tenantId).awaitNews(job, NEWS_MS))]);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
