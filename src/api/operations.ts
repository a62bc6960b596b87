/** All operations, each with the services that it runs on. */
import { type BoundOperation, bind } from '../kernel/operation.js';
import type { AppDeps } from './app-env.js';
import { BASELINE_OPERATIONS } from './comparisons/serve-baselines.js';
import { RUN_OPERATIONS } from './comparisons/serve-runs.js';
import { JOB_OPERATIONS } from './jobs/serve.js';
import { PROXY_OPERATIONS } from './proxy/serve.js';
import { STREAM_OPERATIONS } from './streams/serve.js';
import { SUBSCRIPTION_OPERATIONS } from './subscriptions/serve.js';
import { TENANT_OPERATIONS } from './tenants/serve.js';
import { WEBHOOK_OPERATIONS } from './webhooks/serve.js';

export function operationsOf(deps: AppDeps): BoundOperation[] {
  const { records, comparisons } = deps;
  return [
    ...bind(SUBSCRIPTION_OPERATIONS, deps.subscriptions),
    ...bind(STREAM_OPERATIONS, deps.streams),
    ...bind(PROXY_OPERATIONS, deps.proxy),
    ...bind(
      [...RUN_OPERATIONS, ...BASELINE_OPERATIONS],
      records && comparisons && { ...deps, records, comparisons },
    ),
    ...bind(
      [...JOB_OPERATIONS, ...TENANT_OPERATIONS, ...WEBHOOK_OPERATIONS],
      records && { ...deps, records },
    ),
  ];
}
