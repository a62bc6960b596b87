import { AUDITS } from './audits.js';
import { COMPARISONS } from './comparisons.js';
import { JOBS } from './jobs.js';
import type { Part } from './part.js';
import { INLINE, PROXY } from './proxy.js';
import { SERVER } from './server.js';
import { SESSION } from './session.js';
import { STREAMS, SUBSCRIPTIONS } from './streams.js';
import { WEBHOOKS } from './webhooks.js';

export const PARTS: readonly Part[] = [
  STREAMS,
  SUBSCRIPTIONS,
  PROXY,
  INLINE,
  COMPARISONS,
  JOBS,
  AUDITS,
  WEBHOOKS,
  SESSION,
  SERVER,
];
