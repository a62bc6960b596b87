/** All operations, each with the services that it runs on. */
import { type BoundOperation, bind } from '../kernel/operation.js';
import type { AppDeps } from './app-env.js';
import { PROXY_OPERATIONS } from './proxy/serve.js';
import { STREAM_OPERATIONS } from './streams/serve.js';
import { SUBSCRIPTION_OPERATIONS } from './subscriptions/serve.js';

export function operationsOf(deps: AppDeps): BoundOperation[] {
  return [
    ...bind(SUBSCRIPTION_OPERATIONS, deps.subscriptions),
    ...bind(STREAM_OPERATIONS, deps.streams),
    ...bind(PROXY_OPERATIONS, deps.proxy),
  ];
}
