/** The public door of subscriptions; `streams/index.ts` hands it on. */
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
export { canonicalPath, isReservedPath, splitStreamId, streamIdOf } from './stream-path.js';
export { SUBSCRIPTION_BODY_BYTES_MAX, type SubscriptionLimits } from './subscription-limits.js';
export type { FollowedStreams } from './subscription-parts.js';
export { type SubscriptionOperations, SubscriptionService } from './subscription-service.js';
export type {
  Ack,
  CreateOutcome,
  LinkOutcome,
  Look,
  NewLink,
  NewSubscription,
  SeenStream,
  StepFacts,
  StepOutcome,
  SubscriptionEvent,
  SubscriptionKey,
  SubscriptionLink,
  SubscriptionRecord,
  SubscriptionStore,
} from './subscription-store.js';
export type { WebhookCall, WebhookDoor } from './webhook-ports.js';
export { createWebhookSigner } from './webhook-signer.js';
export { URL_PURPOSE } from './webhook-url.js';
