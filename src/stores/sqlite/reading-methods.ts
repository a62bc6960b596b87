/** The methods of each port that only read, and so need no commit. */
import type { ProxyStore } from '../../proxy/index.js';
import type { StreamStore, SubscriptionStore } from '../../streams/index.js';

export const STREAM_READING: ReadonlySet<keyof StreamStore> = new Set([
  'get',
  'chunks',
  'readHot',
  'arrivals',
  'listPage',
  'unsealed',
  'forks',
  'softDeleted',
  'list',
] as const);

export const SUBSCRIPTION_READING: ReadonlySet<keyof SubscriptionStore> = new Set([
  'get',
  'list',
  'links',
  'newsFirst',
] as const);

export const PROXY_READING: ReadonlySet<keyof ProxyStore> = new Set([
  'pumps',
  'findCreate',
  'attempts',
  'openAttempts',
  'headlessBeyond',
] as const);
