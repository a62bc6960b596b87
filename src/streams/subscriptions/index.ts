/** The public exports of subscriptions, re-exported by `streams/index.ts`. */
export { readCallbackToken } from './callback-token.js';
export {
  decideWake,
  dueAtOf,
  FIRST_STATE,
  mayAcknowledge,
  type SubscriptionMode,
  type WakeEvent,
  type WakeState,
} from './decide-wake.js';
export { type BoxCipher, createSecretBox } from './secret-box.js';
export type { HolderCall } from './settle-wake.js';
export {
  canonicalPath,
  isReservedPath,
  readStreamPath,
  splitStreamId,
  streamIdOf,
  streamsOf,
} from './stream-path.js';
export type { FollowedStreams } from './subscription-deps.js';
export { SUBSCRIPTION_BODY_BYTES_MAX, type SubscriptionLimits } from './subscription-limits.js';
export { type SubscriptionOperations, SubscriptionService } from './subscription-service.js';
export type {
  Ack,
  CreateOutcome,
  LinkOutcome,
  NewLink,
  NewSubscription,
  Noticed,
  SeenStream,
  StepContext,
  StepOutcome,
  StreamCheck,
  SubscriptionEvent,
  SubscriptionKey,
  SubscriptionLink,
  SubscriptionRecord,
  SubscriptionStore,
} from './subscription-store.js';
export type { WebhookCall, WebhookSender } from './webhook-ports.js';
export { createWebhookSigner } from './webhook-signer.js';
export { URL_PURPOSE } from './webhook-url.js';
